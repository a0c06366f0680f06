// Errors of the program and of Anchor, in the format of `refusalOf`.
export const MATCH = '6000 BondingCurveDoesNotMatchMint';
export const CLOSED = '6001 TradingClosed';
export const NOT_READY = '6002 NotReadyToMigrate';
export const SLIPPAGE = '6003 SlippageError';
export const WRONG_FEE_RECEIVER = '6004 WrongFeeReceiver';
export const LOGICAL = '6005 LogicalError';
