use anchor_lang::prelude::*;
use anchor_spl::associated_token::AssociatedToken;
use curvekit_interface::{constants as interface, instructions::RaydiumPoolAccounts};

/// Raydium's CPMM.
#[constant]
pub const AMM_PROGRAM: Pubkey = interface::AMM_PROGRAM;
/// Its fee tier 0: trades cost 0.25 %. Fixed, else the caller of `graduate` would choose the fees of the market.
#[constant]
pub const AMM_CONFIG: Pubkey = interface::AMM_CONFIG;

/// How many accounts `PoolAccounts` are.
pub const POOL_ACCOUNTS: usize = RaydiumPoolAccounts::COUNT;

/// The accounts of the pool. Those without an address here, the AMM checks.
#[derive(Accounts)]
pub struct PoolAccounts<'info> {
    /// CHECK: the AMM.
    #[account(address = AMM_PROGRAM)]
    pub amm_program: UncheckedAccount<'info>,
    /// CHECK: the AMM's fee tier.
    #[account(address = AMM_CONFIG)]
    pub amm_config: UncheckedAccount<'info>,
    /// CHECK: the AMM's authority over all vaults and LP mints.
    pub amm_authority: UncheckedAccount<'info>,
    /// CHECK: the new pool, a PDA of this program.
    #[account(mut)]
    pub pool: UncheckedAccount<'info>,
    /// CHECK: the new LP mint.
    #[account(mut)]
    pub lp_mint: UncheckedAccount<'info>,
    /// CHECK: the pool creator's associated token account of the LP mint; it exists only within the instruction.
    #[account(mut)]
    pub lp_tokens: UncheckedAccount<'info>,
    /// CHECK: the new vault of the mint whose bytes come first.
    #[account(mut)]
    pub pool_vault_0: UncheckedAccount<'info>,
    /// CHECK: the new vault of the other mint.
    #[account(mut)]
    pub pool_vault_1: UncheckedAccount<'info>,
    /// CHECK: takes what the AMM asks for a new pool.
    #[account(mut)]
    pub pool_fee_receiver: UncheckedAccount<'info>,
    /// CHECK: the new account of the pool's price history.
    #[account(mut)]
    pub observation: UncheckedAccount<'info>,
    pub ata_program: Program<'info, AssociatedToken>,
    pub rent_sysvar: Sysvar<'info, Rent>,
}
