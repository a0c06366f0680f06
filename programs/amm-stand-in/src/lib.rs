//! Stands in for Raydium's CPMM on local clusters that cannot have its binary.
//!
//! The accounts, arguments, data layouts, error codes and amounts of four of its instructions are the same;
//! `tests/differential/amm-quotes.test.ts` and `amm-stand-in.test.ts` compare them with the binaries. It records no
//! prices, logs no events, and does not support Token-2022 mints. Never deploy it.

use anchor_lang::prelude::*;

mod error;
mod instructions;
mod maths;
mod state;

use instructions::*;

declare_id!("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C");

/// Seed of the PDA that owns every vault and mint of liquidity shares.
pub const AUTHORITY_SEED: &[u8] = b"vault_and_lp_mint_auth_seed";

#[program]
pub mod amm_stand_in {
    use super::*;

    /// Opens a pool. **Authority**: anyone. A pool at a non-canonical address must sign.
    pub fn initialize(ctx: Context<Initialize>, init_amount_0: u64, init_amount_1: u64, open_time: u64) -> Result<()> {
        initialize::handler(ctx, [init_amount_0, init_amount_1], open_time)
    }

    /// Adds liquidity for `lp_token_amount` shares. **Authority**: `owner`.
    pub fn deposit(
        ctx: Context<Deposit>,
        lp_token_amount: u64,
        maximum_token_0_amount: u64,
        maximum_token_1_amount: u64,
    ) -> Result<()> {
        deposit::handler(ctx, lp_token_amount, [maximum_token_0_amount, maximum_token_1_amount])
    }

    /// Swaps exactly `amount_in`. **Authority**: `payer`.
    pub fn swap_base_input(ctx: Context<Swap>, amount_in: u64, minimum_amount_out: u64) -> Result<()> {
        swap::exact_in(ctx, amount_in, minimum_amount_out)
    }

    /// Swaps for exactly `amount_out`. **Authority**: `payer`.
    pub fn swap_base_output(ctx: Context<Swap>, max_amount_in: u64, amount_out: u64) -> Result<()> {
        swap::exact_out(ctx, max_amount_in, amount_out)
    }
}
