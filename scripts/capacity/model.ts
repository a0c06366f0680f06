/** How much of each part of an installation a load needs, and which part gives in first. */
import { MEASURED } from './figures.js';

export interface Load {
  /** Wallets that use the launchpad in a month. */
  readonly users: number;
  /** Trades a second in the busiest hour. */
  readonly trades: number;
  /** Of the users, in percent: active on a day, and with a page open in the busiest second. */
  readonly activePercent: number;
  readonly watchingPercent: number;
  /** Requests of an active user on a day. */
  readonly reads: number;
  /** Claims of a user in a month. */
  readonly claims: number;
  /** How much busier the busiest second is than the average one. */
  readonly peak: number;
  /** How many days of trades are kept. */
  readonly days: number;
}

export interface Part {
  readonly name: string;
  /** The load, and what was measured, in the same unit. */
  readonly load: number;
  readonly measured: number;
  readonly unit: string;
  /** How many are needed, each at most half busy, so that one may fail. Undefined where there is only one. */
  readonly needed: number | undefined;
  /** The load in percent of what was measured, for a part of which there is only one. */
  readonly busyPercent: number | undefined;
}

export interface Capacity {
  readonly parts: readonly Part[];
  readonly instances: number;
  /** Of all instances. Each has a core for its requests and one for signatures and garbage. */
  readonly cores: number;
  readonly memoryGib: number;
  /** Of the database. */
  readonly diskGib: number;
  /** What the instances take of the database when nobody asks them anything. */
  readonly idle: { readonly connections: number; readonly databaseCores: number };
  /** The part of which there is only one that is busiest. */
  readonly first: Part;
}

const DAY_S = 86_400;
const MONTH_S = 30 * DAY_S;
const MOST_BUSY = 0.5;
const LEAST_INSTANCES = 2;
const CORES_OF_INSTANCE = 2;
const GIB = 2 ** 30;

export function capacityOf(load: Load): Capacity {
  const active = (load.users * load.activePercent) / 100;
  const reads = ((active * load.reads) / DAY_S) * load.peak;
  const watching = (load.users * load.watchingPercent) / 100;
  const claims = ((load.users * load.claims) / MONTH_S) * load.peak;
  const many = (name: string, of: number, measured: number, unit: string): Part => ({
    ...{ name, load: of, measured, unit, busyPercent: undefined },
    needed: Math.max(Math.ceil(of / (measured * MOST_BUSY)), LEAST_INSTANCES),
  });
  const single = (name: string, of: number, measured: number, unit: string): Part => ({
    ...{ name, load: of, measured, unit, needed: undefined },
    busyPercent: (of / measured) * 100,
  });
  const parts = [
    many('instances, for requests', reads, MEASURED.readsPerSecond, 'requests/s'),
    many('instances, for open pages', watching, MEASURED.readers, 'streams'),
    single('the indexer, live', load.trades, MEASURED.tradesPerSecond, 'trades/s'),
    single('the indexer, after an outage', load.trades, MEASURED.backFillPerSecond, 'trades/s'),
    single('the database, for claims', claims, MEASURED.claimsPerSecond, 'claims/s'),
  ];
  const instances = Math.max(...parts.map(({ needed }) => needed ?? 0));
  const averageTrades = load.trades / load.peak;
  return {
    parts,
    instances,
    cores: instances * CORES_OF_INSTANCE,
    memoryGib: (instances * MEASURED.instanceMib) / 1_024 + (watching * MEASURED.readerKib) / 1_024 / 1_024,
    diskGib: (averageTrades * DAY_S * load.days * MEASURED.bytesPerTrade) / GIB,
    idle: idleOf(instances),
    first: parts.reduce((a, b) => ((b.busyPercent ?? 0) > (a.busyPercent ?? 0) ? b : a)),
  };
}

export function idleOf(instances: number): Capacity['idle'] {
  return {
    connections: instances * MEASURED.idleConnections,
    databaseCores: (instances / MEASURED.idleInstances) * MEASURED.idleDatabaseCores,
  };
}
