use anchor_lang::prelude::*;

/// The AMM's errors, with the same codes from 6000 on.
#[error_code]
pub enum AmmError {
    #[msg("Not approved")]
    NotApproved,
    #[msg("Input account owner is not the program address")]
    InvalidOwner,
    #[msg("Input token account empty")]
    EmptySupply,
    #[msg("InvalidInput")]
    InvalidInput,
    #[msg("Address of the provided lp token mint is incorrect")]
    IncorrectLpMint,
    #[msg("Exceeds desired slippage limit")]
    ExceededSlippage,
    #[msg("Given pool token amount results in zero trading tokens")]
    ZeroTradingTokens,
    #[msg("Not support token_2022 mint extension")]
    NotSupportMint,
    #[msg("Invalid vault")]
    InvalidVault,
    #[msg("The first liquidity must exceed the 100 shares that stay locked")]
    InitLpAmountTooLess,
    #[msg("TransferFee calculate not match")]
    TransferFeeCalculateNotMatch,
}
