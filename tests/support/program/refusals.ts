// Errors of the program and of Anchor, in the format of `refusalOf`.
export const MATCH = '6000 BondingCurveDoesNotMatchMint';
export const SLIPPAGE = '6003 SlippageError';
export const LOGICAL = '6005 LogicalError';
