use anchor_lang::prelude::*;
use anchor_spl::token::{transfer_checked, Mint, Token, TokenAccount, TransferChecked};

use crate::error::AmmError;
use crate::maths::Trade;
use crate::state::{AmmConfig, PoolState, SWAPS_DISABLED};
use crate::AUTHORITY_SEED;

#[derive(Accounts)]
pub struct Swap<'info> {
    pub payer: Signer<'info>,
    /// CHECK: a PDA
    #[account(seeds = [AUTHORITY_SEED], bump)]
    pub authority: UncheckedAccount<'info>,
    #[account(address = pool_state.amm_config)]
    pub amm_config: Box<Account<'info, AmmConfig>>,
    #[account(mut)]
    pub pool_state: Box<Account<'info, PoolState>>,
    #[account(mut)]
    pub input_token_account: Box<Account<'info, TokenAccount>>,
    #[account(mut)]
    pub output_token_account: Box<Account<'info, TokenAccount>>,
    #[account(mut, constraint = pool_state.vaults.contains(&input_vault.key()))]
    pub input_vault: Box<Account<'info, TokenAccount>>,
    #[account(mut, constraint = pool_state.vaults.contains(&output_vault.key()))]
    pub output_vault: Box<Account<'info, TokenAccount>>,
    pub input_token_program: Program<'info, Token>,
    pub output_token_program: Program<'info, Token>,
    #[account(address = input_vault.mint)]
    pub input_token_mint: Box<Account<'info, Mint>>,
    #[account(address = output_vault.mint)]
    pub output_token_mint: Box<Account<'info, Mint>>,
    /// CHECK: prices are not recorded
    #[account(mut, address = pool_state.observation_key)]
    pub observation_state: UncheckedAccount<'info>,
}

pub fn exact_in(ctx: Context<Swap>, amount_in: u64, minimum_amount_out: u64) -> Result<()> {
    require_gt!(amount_in, 0);
    let (zero_for_one, reserves) = open_pool(&ctx)?;
    let rates = ctx.accounts.pool_state.rates(&ctx.accounts.amm_config, zero_for_one);
    let trade = rates.exact_in(reserves, amount_in).ok_or(AmmError::ZeroTradingTokens)?;
    require_gt!(trade.received, 0);
    require_gte!(trade.received, minimum_amount_out, AmmError::ExceededSlippage);
    settle(ctx, zero_for_one, &trade)
}

pub fn exact_out(ctx: Context<Swap>, max_amount_in: u64, amount_out: u64) -> Result<()> {
    require_gt!(amount_out, 0);
    let (zero_for_one, reserves) = open_pool(&ctx)?;
    let rates = ctx.accounts.pool_state.rates(&ctx.accounts.amm_config, zero_for_one);
    let trade = rates.exact_out(reserves, amount_out).ok_or(AmmError::ZeroTradingTokens)?;
    require_gt!(trade.paid, 0);
    require_gte!(max_amount_in, trade.paid, AmmError::ExceededSlippage);
    settle(ctx, zero_for_one, &trade)
}

/// Returns whether token 0 is the input, and the reserves of input and output.
fn open_pool(ctx: &Context<Swap>) -> Result<(bool, [u64; 2])> {
    let Swap { pool_state, input_vault, output_vault, .. } = &*ctx.accounts;
    let now = u64::try_from(Clock::get()?.unix_timestamp).map_err(|_| AmmError::NotApproved)?;
    require!(pool_state.status & SWAPS_DISABLED == 0 && now >= pool_state.open_time, AmmError::NotApproved);
    let keys = [input_vault.key(), output_vault.key()];
    let [vault_0, vault_1] = pool_state.vaults;
    let balances = [input_vault.amount, output_vault.amount];
    let reversed = |[a, b]: [u64; 2]| [b, a];
    if keys == [vault_0, vault_1] {
        Ok((true, pool_state.reserves(balances).ok_or(AmmError::InvalidInput)?))
    } else if keys == [vault_1, vault_0] {
        let reserves = pool_state.reserves(reversed(balances)).ok_or(AmmError::InvalidInput)?;
        Ok((false, reversed(reserves)))
    } else {
        err!(AmmError::InvalidVault)
    }
}

fn settle(ctx: Context<Swap>, zero_for_one: bool, trade: &Trade) -> Result<()> {
    let bump = [ctx.bumps.authority];
    let accounts = ctx.accounts;
    let (input, output) = if zero_for_one { (0, 1) } else { (1, 0) };
    let pool = &mut accounts.pool_state;
    let creator_side = match pool.creator_fee_on {
        0 => input,
        1 => 0,
        _ => 1,
    };
    owe(&mut pool.protocol_fees, input, trade.protocol_fee)?;
    owe(&mut pool.fund_fees, input, trade.fund_fee)?;
    owe(&mut pool.creator_fees, creator_side, trade.creator_fee)?;
    pool.recent_epoch = Clock::get()?.epoch;
    let decimals = |side: usize| pool.mint_decimals.get(side).copied().ok_or(AmmError::InvalidInput);

    let paid = TransferChecked {
        from: accounts.input_token_account.to_account_info(),
        mint: accounts.input_token_mint.to_account_info(),
        to: accounts.input_vault.to_account_info(),
        authority: accounts.payer.to_account_info(),
    };
    transfer_checked(CpiContext::new(accounts.input_token_program.key(), paid), trade.paid, decimals(input)?)?;
    let received = TransferChecked {
        from: accounts.output_vault.to_account_info(),
        mint: accounts.output_token_mint.to_account_info(),
        to: accounts.output_token_account.to_account_info(),
        authority: accounts.authority.to_account_info(),
    };
    let seeds: &[&[&[u8]]] = &[&[AUTHORITY_SEED, &bump]];
    let by_authority = CpiContext::new_with_signer(accounts.output_token_program.key(), received, seeds);
    transfer_checked(by_authority, trade.received, decimals(output)?)
}

fn owe(fees: &mut [u64; 2], side: usize, fee: u64) -> Result<()> {
    let owed = fees.get_mut(side).ok_or(AmmError::InvalidInput)?;
    *owed = owed.checked_add(fee).ok_or(AmmError::InvalidInput)?;
    Ok(())
}
