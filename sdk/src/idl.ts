/** The programs' IDLs for dApps that use @coral-xyz/anchor: `new Program<BondingCurve>(IDL, provider)`. */
export * from './generated/idl.js';
export { IDL as GRADUATION_IDL, type Graduation } from './generated/graduation/idl.js';
