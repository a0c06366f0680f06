// Generated from programs/artifacts/graduation.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

/** The program's own errors, by code. */
export const PROGRAM_ERRORS = {
  6000: { name: 'WrongAccount', message: 'Wrong account' },
  6001: { name: 'WrongAdmin', message: 'Only the admin can sweep' },
  6002: { name: 'PoolFeeTooHigh', message: "The AMM's fee for a new pool is above the maximum" },
  6003: { name: 'TooLittleForPool', message: 'The curve holds too little to open a pool' },
  6004: { name: 'PoolMismatch', message: 'The AMM did not open the pool as asked' },
  6005: { name: 'FeesTouched', message: 'The migration would cost the fee receiver lamports' },
  6006: { name: 'NothingToSweep', message: 'There are no fees to sweep' },
  6007: { name: 'AmountOutOfRange', message: 'An amount is out of range' },
} as const;

/** Codes of the program's own errors. */
export type ProgramErrorCode = keyof typeof PROGRAM_ERRORS;
/** Names of the program's own errors. */
export type ProgramErrorName = (typeof PROGRAM_ERRORS)[ProgramErrorCode]['name'];
