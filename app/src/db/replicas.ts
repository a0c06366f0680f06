// Standbys of the database that serve reads which may be a moment old. A standby serves while it is the same cluster's and at most some
// seconds behind, by the primary's own log positions: clocks do not matter.
import { sql } from 'drizzle-orm';
import { withTimeout } from '@curvekit/sdk';
import { rowsOf, type Queries } from './database.js';
import { isConnectionError } from '../base/errors.js';

/** How long ago the primary may have written what a standby lacks. */
export const MOST_LAG_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
const LOOK_TIMEOUT_MS = 2_000;
/** Positions of the primary that are remembered to date a standby's position. */
const KEPT_POSITIONS = 60;

export interface Replica {
  /** Host, port and name, without user and password. */
  readonly place: string;
  readonly queries: Queries;
}

export interface ReplicaState {
  readonly place: string;
  /** How far it is behind; undefined while that is not known. */
  readonly lagMs: number | undefined;
  /** Why it serves nothing; undefined when it serves. */
  readonly problem: string | undefined;
}

interface Position {
  readonly at: number;
  /** Bytes of the write-ahead log. */
  readonly bytes: bigint;
}

interface Found {
  readonly is_standby: boolean;
  readonly database: string;
  readonly position: string;
  readonly [name: string]: unknown;
}

/** Of the same cluster and database, the place in its log. */
const LOOK = sql`
  select pg_is_in_recovery() as is_standby, (select system_identifier from pg_control_system()) || '/' || current_database() as database,
    ((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end) - '0/0')::text as position`;

export class Replicas {
  readonly #states: Map<Replica, ReplicaState>;
  /** Of the primary, oldest first. */
  readonly #positions: Position[] = [];
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | undefined;
  #turn = 0;

  constructor(
    private readonly primary: Queries,
    private readonly replicas: readonly Replica[],
  ) {
    this.#states = new Map(replicas.map((replica) => [replica, unknown(replica, 'not looked at yet')]));
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS).unref();
    void this.look();
  }

  states(): ReplicaState[] {
    return [...this.#states.values()];
  }

  /** Reads from a standby, or from the primary where no standby serves or one fails. `work` may run twice. */
  async read<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const replica = this.#next();
    if (replica === undefined) return work(this.primary);
    try {
      return await work(replica.queries);
    } catch (error) {
      // A standby ends a query that keeps it from replaying. What is wrong with the query itself, the primary says too.
      if (isConnectionError(error)) this.#states.set(replica, unknown(replica, 'it does not answer'));
      return work(this.primary);
    }
  }

  /** Looks how far each standby is. While the primary does not answer, those that served go on. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    }));
  }

  async #look(): Promise<void> {
    const at = performance.now();
    const primary = await found(this.primary).catch(() => undefined);
    if (primary === undefined) return;
    this.#positions.push({ at, bytes: BigInt(primary.position) });
    if (this.#positions.length > KEPT_POSITIONS) this.#positions.shift();
    await Promise.all(
      this.replicas.map(async (replica) => this.#states.set(replica, await this.#stateOf(replica, primary))),
    );
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #stateOf(replica: Replica, primary: Found): Promise<ReplicaState> {
    const own = await found(replica.queries).catch(() => undefined);
    if (own === undefined) return unknown(replica, 'it does not answer');
    if (own.database !== primary.database) return unknown(replica, 'it is a copy of another database');
    if (!own.is_standby) return unknown(replica, 'it is no standby');
    const bytes = BigInt(own.position);
    const newest = this.#positions.at(-1)!;
    const reached = this.#positions.findLast((position) => position.bytes <= bytes);
    if (reached === undefined) return unknown(replica, 'it is far behind');
    const lagMs = newest.at - reached.at;
    const problem = lagMs > MOST_LAG_MS ? `it is ${Math.round(lagMs / 1_000)} s behind` : undefined;
    return { place: replica.place, lagMs, problem };
  }

  #next(): Replica | undefined {
    const serving = this.replicas.filter((replica) => this.#states.get(replica)!.problem === undefined);
    this.#turn += 1;
    return serving[this.#turn % serving.length];
  }
}

const unknown = ({ place }: Replica, problem: string): ReplicaState => ({ place, lagMs: undefined, problem });

async function found(queries: Queries): Promise<Found> {
  const [row] = await withTimeout(rowsOf<Found>(queries, LOOK), LOOK_TIMEOUT_MS, 'the database');
  return row!;
}
