/**
 * The programs' IDLs, for `new Program<BondingCurve>(IDL, provider)` of @coral-xyz/anchor or @anchor-lang/core, and for
 * Codama. They have the seeds of every address that an IDL can describe.
 *
 * Log records are the IDL's events, but the program does not write them to the log, so Anchor's `EventParser` and
 * `addEventListener` do not see them. Use `decodeRecords` and `subscribeRecords` of `@curvekit/sdk`.
 */
export * from './generated/idl.js';
export { IDL as GRADUATION_IDL, type Graduation } from './generated/graduation/idl.js';
