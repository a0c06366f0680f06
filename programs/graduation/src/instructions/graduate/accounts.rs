use anchor_lang::prelude::*;
use anchor_spl::token::{spl_token::native_mint, Token};

use crate::{
    amm::*,
    constants::{CURVE_PROGRAM, FEE_RECEIVER, POOL_CREATOR},
};

/// The interface. The handler makes the checks.
#[derive(Accounts)]
pub struct Graduate<'info> {
    /// Anyone: lends the rents of three token accounts.
    #[account(mut)]
    pub payer_account: Signer<'info>,
    /// CHECK: the fee receiver of the bonding curve.
    #[account(mut, address = FEE_RECEIVER)]
    pub fee_receiver: UncheckedAccount<'info>,
    /// CHECK: opens the pool; it holds nothing before and after.
    #[account(mut, address = POOL_CREATOR)]
    pub pool_creator: UncheckedAccount<'info>,
    /// CHECK: the bonding-curve program checks that the curve is this mint's.
    #[account(mut)]
    pub token_mint: UncheckedAccount<'info>,
    /// CHECK: the mint of wrapped SOL.
    #[account(address = native_mint::ID)]
    pub native_mint: UncheckedAccount<'info>,
    /// CHECK: the curve; the bonding-curve program checks it.
    #[account(mut)]
    pub token_owner_pda: UncheckedAccount<'info>,
    /// CHECK: the vault; the bonding-curve program checks it.
    #[account(mut)]
    pub token_owner_token_account: UncheckedAccount<'info>,
    /// CHECK: takes the migration's tokens; it exists only within the instruction.
    #[account(mut)]
    pub tokens: UncheckedAccount<'info>,
    /// CHECK: takes the pool's SOL; it exists only within the instruction.
    #[account(mut)]
    pub wrapped_sol: UncheckedAccount<'info>,
    /// CHECK: the community's storage of wrapped SOL.
    #[account(mut)]
    pub community_wsol_storage: UncheckedAccount<'info>,
    /// CHECK: the community's storage of the token.
    #[account(mut)]
    pub community_token_storage: UncheckedAccount<'info>,
    /// CHECK: the bonding-curve program.
    #[account(address = CURVE_PROGRAM)]
    pub curve_program: UncheckedAccount<'info>,
    /// CHECK: this program, for the call that logs the record.
    #[account(address = crate::ID)]
    pub program_account: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
    pub pool: PoolAccounts<'info>,
}
