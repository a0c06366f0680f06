// Errors of the program and of Anchor, in the format of `refusalOf`.
export const MATCH = '6000 BondingCurveDoesNotMatchMint';
export const CLOSED = '6001 TradingClosed';
export const NOT_READY = '6002 NotReadyToMigrate';
export const SLIPPAGE = '6003 SlippageError';
export const WRONG_FEE_RECEIVER = '6004 WrongFeeReceiver';
export const LOGICAL = '6005 LogicalError';
export const ADDRESS = '2012 ConstraintAddress';
export const OTHER_MINT = '2014 ConstraintTokenMint';
export const OTHER_OWNER = '2015 ConstraintTokenOwner';
export const DISCRIMINATOR = '3002 AccountDiscriminatorMismatch';
export const PROGRAM_OWNER = '3007 AccountOwnedByWrongProgram';
export const NOTHING_THERE = '3012 AccountNotInitialized';
