// Generated from programs/artifacts/bonding_curve.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

/** The program's own errors, by code. */
export const PROGRAM_ERRORS = {
  6000: { name: 'BondingCurveDoesNotMatchMint', message: 'Bonding curve does not match mint' },
  6001: { name: 'TradingClosed', message: 'Trading for this token is closed' },
  6002: { name: 'NotReadyToMigrate', message: 'Token is not ready to migrate' },
  6003: { name: 'SlippageError', message: 'Slippage error' },
  6004: { name: 'WrongFeeReceiver', message: 'Wrong fee receiver' },
  6005: { name: 'LogicalError', message: 'Logical error' },
} as const;

/** Codes of the program's own errors. */
export type ProgramErrorCode = keyof typeof PROGRAM_ERRORS;
/** Names of the program's own errors. */
export type ProgramErrorName = (typeof PROGRAM_ERRORS)[ProgramErrorCode]['name'];
