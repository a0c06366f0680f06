use anchor_lang::prelude::*;
use anchor_spl::token::{mint_to, transfer_checked, Mint, MintTo, Token, TokenAccount, TransferChecked};

use crate::error::AmmError;
use crate::maths;
use crate::state::{PoolState, DEPOSITS_DISABLED};
use crate::AUTHORITY_SEED;

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub owner: Signer<'info>,
    /// CHECK: a PDA
    #[account(seeds = [AUTHORITY_SEED], bump)]
    pub authority: UncheckedAccount<'info>,
    #[account(mut)]
    pub pool_state: Box<Account<'info, PoolState>>,
    #[account(mut, token::authority = owner)]
    pub owner_lp_token: Box<Account<'info, TokenAccount>>,
    #[account(mut, token::mint = vault_0_mint, token::authority = owner)]
    pub token_0_account: Box<Account<'info, TokenAccount>>,
    #[account(mut, token::mint = vault_1_mint, token::authority = owner)]
    pub token_1_account: Box<Account<'info, TokenAccount>>,
    #[account(mut, address = pool_state.vaults[0])]
    pub token_0_vault: Box<Account<'info, TokenAccount>>,
    #[account(mut, address = pool_state.vaults[1])]
    pub token_1_vault: Box<Account<'info, TokenAccount>>,
    pub token_program: Program<'info, Token>,
    /// CHECK: unused. Token-2022 mints are not supported.
    pub token_program_2022: UncheckedAccount<'info>,
    #[account(address = token_0_vault.mint)]
    pub vault_0_mint: Box<Account<'info, Mint>>,
    #[account(address = token_1_vault.mint)]
    pub vault_1_mint: Box<Account<'info, Mint>>,
    #[account(mut, address = pool_state.lp_mint @ AmmError::IncorrectLpMint)]
    pub lp_mint: Box<Account<'info, Mint>>,
}

pub fn handler(ctx: Context<Deposit>, shares: u64, maximum: [u64; 2]) -> Result<()> {
    let bump = [ctx.bumps.authority];
    let accounts = ctx.accounts;
    let pool = &mut accounts.pool_state;
    require_gt!(shares, 0);
    require!(pool.status & DEPOSITS_DISABLED == 0, AmmError::NotApproved);
    let balances = [accounts.token_0_vault.amount, accounts.token_1_vault.amount];
    let reserves = pool.reserves(balances).ok_or(AmmError::InvalidInput)?;
    let amounts = maths::deposit(shares, pool.lp_supply, reserves).ok_or(AmmError::ZeroTradingTokens)?;
    let ([amount_0, amount_1], [maximum_0, maximum_1]) = (amounts, maximum);
    require!(amount_0 > 0 && amount_1 > 0, AmmError::ZeroTradingTokens);
    require!(amount_0 <= maximum_0 && amount_1 <= maximum_1, AmmError::ExceededSlippage);
    pool.lp_supply = pool.lp_supply.checked_add(shares).ok_or(AmmError::InvalidInput)?;
    pool.recent_epoch = Clock::get()?.epoch;

    let sides = [
        (&accounts.token_0_account, &accounts.token_0_vault, &accounts.vault_0_mint, amount_0),
        (&accounts.token_1_account, &accounts.token_1_vault, &accounts.vault_1_mint, amount_1),
    ];
    for (from, vault, mint, amount) in sides {
        let transfer = TransferChecked {
            from: from.to_account_info(),
            mint: mint.to_account_info(),
            to: vault.to_account_info(),
            authority: accounts.owner.to_account_info(),
        };
        transfer_checked(CpiContext::new(accounts.token_program.key(), transfer), amount, mint.decimals)?;
    }
    let minting = MintTo {
        mint: accounts.lp_mint.to_account_info(),
        to: accounts.owner_lp_token.to_account_info(),
        authority: accounts.authority.to_account_info(),
    };
    let seeds: &[&[&[u8]]] = &[&[AUTHORITY_SEED, &bump]];
    mint_to(CpiContext::new_with_signer(accounts.token_program.key(), minting, seeds), shares)
}
