// Split brain: of several copies of a database, at most one signs claims. None is signed while one of another database, of which it does not know, can
// still land. Random schedules of blocks, slow nodes, restarts, copies, old primaries that come back, and operators that choose. threat: split-brain
import { expect } from 'chai';
import {
  decide,
  heirOf,
  ownerOf,
  takingOver,
  validTo,
  type Known,
} from '#app/reconciliation/split-brain/payer.js';
import { randomStream, type Random } from '../../../scripts/random.js';

// A chain, and copies of one database: promoted standbys, restored backups, old primaries that come back. The decision of
// the product runs in each of them. Only blocks and the databases' rows are modelled.

/** A finalized block is this old. */
const FINALITY = 32;
/** A transaction lands at most this many blocks after the block of its blockhash. */
const LIFE = 151;
const MOST_LAG = 200;
const MOST_DATABASES = 5;

interface Claim {
  readonly lastValid: number;
}

interface Database {
  own: string;
  known: Known;
  /** Until when claims may be signed, as of the last look that was followed by a complete reconciliation. */
  validTo: number | undefined;
  /** The finalized height up to which it has booked what is on chain. */
  bookedTo: number;
  /** How far its RPC node is behind. */
  lag: number;
  /** What it has signed, or was told by the database that it was copied from. */
  claims: Set<Claim>;
}

interface Pending {
  readonly mark: string;
  /** Fails when an account is there. */
  readonly opens: boolean;
  readonly lastValid: number;
}

class World {
  readonly #random: Random;
  /** The epoch after each block. */
  readonly #marks: (string | undefined)[] = [undefined];
  readonly #databases: Database[] = [];
  readonly #signed: Claim[] = [];
  #pending: Pending[] = [];
  #names = 0;
  /** What happened, so that a test sees that something did. */
  readonly counts = { claims: 0, takeOvers: 0, lost: 0 };

  constructor(random: Random) {
    this.#random = random;
    this.#databases.push(this.#database({ mark: null, previous: null, opensAt: null }, new Set()));
  }

  /** One random step. @throws when a database signs a claim while another one's, of which it does not know, can still land */
  step(): void {
    const database = this.#databases[this.#random.below(this.#databases.length)]!;
    const dice = this.#random.below(100);
    if (dice < 30) this.#makeBlocks(1 + this.#random.below(dice < 4 ? 300 : 40));
    else if (dice < 62) this.#look(database);
    else if (dice < 86) this.#sign(database);
    else if (dice < 89) this.#restart(database);
    else if (dice < 92) this.#copy(database);
    else if (dice < 94) database.lag = this.#random.below(2) === 0 ? 0 : this.#random.below(MOST_LAG);
    else if (dice < 95) this.#takeOver(database);
    else if (dice < 97) this.#recreate();
    else this.#look(database, { isComplete: false });
  }

  get #height(): number {
    return this.#marks.length - 1;
  }

  #tip({ lag }: Database): number {
    return Math.max(this.#height - lag, 0);
  }

  #finalHeight(database: Database): number {
    return Math.max(this.#tip(database) - FINALITY, 0);
  }

  #finalMark(database: Database): string | undefined {
    return this.#marks[this.#finalHeight(database)];
  }

  #name(): string {
    return `M${(this.#names += 1)}`;
  }

  #database(known: Known, claims: Set<Claim>): Database {
    return { own: this.#name(), known, validTo: undefined, bookedTo: 0, lag: 0, claims };
  }

  #makeBlocks(count: number): void {
    for (let made = 0; made < count; made += 1) {
      let mark = this.#marks.at(-1);
      const height = this.#height + 1;
      this.#pending = this.#pending.filter(({ lastValid }) => lastValid >= height);
      const at = this.#random.below(8);
      const lands = this.#pending[at];
      if (lands !== undefined) {
        if (!lands.opens || mark === undefined) mark = lands.mark;
        this.#pending.splice(at, 1);
      }
      this.#marks.push(mark);
    }
  }

  /** What `Payer.look` does, and the pass around it. */
  #look(database: Database, { isComplete = true } = {}): void {
    const [height, onChain] = [this.#finalHeight(database), this.#finalMark(database)];
    const seen = { own: database.own, onChain, height };
    const decision = decide(database.known, seen);
    if (isComplete) database.bookedTo = height;
    switch (decision.kind) {
      case 'successor': {
        database.known = heirOf(database.known, seen, onChain !== undefined);
        database.validTo = undefined;
        const lastValid = this.#tip(database) + LIFE;
        this.#pending.push({ mark: database.own, opens: onChain === undefined, lastValid });
        return;
      }
      case 'lost':
        this.counts.lost += 1;
        database.validTo = undefined;
        return;
      case 'own': {
        const { opensAt } = decision;
        if (database.known.opensAt === null) this.counts.takeOvers += 1;
        database.known = ownerOf(database.known, database.own, opensAt);
        const wasOpen = database.validTo !== undefined;
        if (isComplete || wasOpen) database.validTo = validTo(opensAt, height);
      }
    }
  }

  /** A process may have read the blockhash long ago, through a node that is behind, or through one that lies about its height. */
  #sign(database: Database): void {
    if (database.validTo === undefined) return;
    const age = this.#random.below(3) === 0 ? this.#random.below(LIFE) : 0;
    const lastValid = this.#random.below(3) === 0 ? database.validTo : this.#tip(database) - age + LIFE;
    // One that has expired already is nothing to fear.
    if (lastValid > database.validTo || lastValid <= this.#height) return;
    const other = this.#signed.find(
      (claim) => !database.claims.has(claim) && claim.lastValid > database.bookedTo,
    );
    if (other !== undefined)
      throw new Error(
        `${database.own} signs at height ${this.#height}, having booked up to ${database.bookedTo}, while a claim of another database can land until ${other.lastValid}`,
      );
    const claim = { lastValid };
    database.claims.add(claim);
    this.#signed.push(claim);
    this.counts.claims += 1;
  }

  /** Its gate closes until a complete reconciliation. */
  #restart(database: Database): void {
    database.own = this.#name();
    database.validTo = undefined;
  }

  /** What `Payer.takeOver` does. */
  #takeOver(database: Database): void {
    const mark = this.#finalMark(database);
    if (mark === undefined) return;
    database.known = takingOver(mark);
    database.validTo = undefined;
  }

  /** A standby that is promoted, or a backup that is restored, while the original may go on. */
  #copy({ known, claims, bookedTo }: Database): void {
    const copy = { ...this.#database(known, new Set(claims)), bookedTo };
    if (this.#databases.length < MOST_DATABASES) this.#databases.push(copy);
    else this.#databases[this.#random.below(MOST_DATABASES)] = copy;
  }

  /** A new database without anything. */
  #recreate(): void {
    if (this.#databases.length >= MOST_DATABASES) return;
    this.#databases.push(this.#database({ mark: null, previous: null, opensAt: null }, new Set()));
  }
}

const WORLDS = 1_000;
const STEPS = 400;

function run(worlds: number) {
  const counts = { claims: 0, takeOvers: 0, lost: 0 };
  for (let seed = 1; seed <= worlds; seed += 1) {
    const world = new World(randomStream(seed, 0));
    for (let step = 0; step < STEPS; step += 1) world.step();
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += world.counts[name];
  }
  return counts;
}

describe('split brain, as a model', () => {
  it(`no database signs a claim while an unknown one of another can land: ${WORLDS} worlds of ${STEPS} steps`, () => {
    const { claims, takeOvers, lost } = run(WORLDS);
    expect(claims).to.be.greaterThan(WORLDS);
    expect(takeOvers).to.be.greaterThan(WORLDS);
    expect(lost).to.be.greaterThan(WORLDS);
  });
});
