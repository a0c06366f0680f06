//! The program's own errors. Errors of the programs that it calls, such as the bonding curve's `NotReadyToMigrate`, come
//! through as they are.

use anchor_lang::prelude::*;

#[error_code]
#[derive(PartialEq, Eq)]
pub enum GraduationError {
    /// 6000. An account is not the one that this program was built with or derives from the mint.
    #[msg("Wrong account")]
    WrongAccount,
    /// 6001. `sweep` was not signed by the admin that this program was built with.
    #[msg("Only the admin can sweep")]
    WrongAdmin,
    /// 6002. The AMM asks more for a new pool than a migration pays, and nobody has given the rest.
    #[msg("The AMM's fee for a new pool is above the maximum")]
    PoolFeeTooHigh,
    /// 6003. After the community's share and the costs of the pool, no SOL or no tokens are left to open it with.
    #[msg("The curve holds too little to open a pool")]
    TooLittleForPool,
    /// 6004. The AMM did not do what it was asked: the pool holds other amounts, liquidity is left, or it cost more.
    #[msg("The AMM did not open the pool as asked")]
    PoolMismatch,
    /// 6005. The fee receiver would hold less than before the migration.
    #[msg("The migration would cost the fee receiver lamports")]
    FeesTouched,
    /// 6006. The fee receiver holds no lamports above its rent exemption.
    #[msg("There are no fees to sweep")]
    NothingToSweep,
    /// 6007. An amount does not fit 64 bits.
    #[msg("An amount is out of range")]
    AmountOutOfRange,
}
