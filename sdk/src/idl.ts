/** The program's IDL for dApps that use @coral-xyz/anchor: `new Program<BondingCurve>(IDL, provider)`. */
export * from './generated/idl.js';
