// A local cluster with the program deployed, for tests of programs and dApps that use it. Node only.
export {
  AMM_VERSIONS,
  ammForLocalCluster,
  ammStandIn,
  ensureAmmProgram,
  type AmmBinary,
  type AmmOptions,
} from './amm.js';
export type { DevelopmentKeys } from './artifacts.js';
export type { AccountContent, GenesisAccount, ProgramBinary } from './backend.js';
export type { ClusterClock, LocalCluster } from './cluster.js';
export * from './errors.js';
export {
  ensureMetaplexProgram,
  METAPLEX_SHA256,
  type MetaplexBinary,
  type MetaplexOptions,
} from './metaplex.js';
export { DEFAULT_PROPERTIES, type LaunchProperties } from './properties.js';
export type { SendOptions, SentTransaction } from './send.js';
export { startLocalCluster, type LocalClusterOptions } from './start.js';
export { findSurfpool } from './surfpool-addon.js';
export { findValidator } from './validator.js';
