/**
 * The programs' IDLs, for `new Program<BondingCurve>(IDL, provider)` of @coral-xyz/anchor or @anchor-lang/core, and for Codama. They have
 * the seeds of every address that seeds can tell.
 *
 * Log records are the IDL's events, but not lines of the log: Anchor's `EventParser` and `addEventListener` do not hear them. Use
 * `decodeRecords` and `subscribeRecords` of `@curvekit/sdk`.
 */
export * from './generated/idl.js';
export { IDL as GRADUATION_IDL, type Graduation } from './generated/graduation/idl.js';
