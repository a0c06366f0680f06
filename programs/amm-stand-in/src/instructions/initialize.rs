use anchor_lang::prelude::*;
use anchor_lang::system_program::{self, create_account, CreateAccount};
use anchor_spl::associated_token::AssociatedToken;
use anchor_spl::token::{
    mint_to, sync_native, transfer_checked, Mint, MintTo, SyncNative, Token, TokenAccount, TransferChecked,
};

use crate::error::AmmError;
use crate::state::{AmmConfig, ObservationState, PoolState};
use crate::AUTHORITY_SEED;

const POOL_SEED: &[u8] = b"pool";
const LP_MINT_DECIMALS: u8 = 9;
/// Shares that stay locked.
const LOCKED_SHARES: u64 = 100;

#[derive(Accounts)]
pub struct Initialize<'info> {
    #[account(mut)]
    pub creator: Signer<'info>,
    pub amm_config: Box<Account<'info, AmmConfig>>,
    /// CHECK: a PDA
    #[account(seeds = [AUTHORITY_SEED], bump)]
    pub authority: UncheckedAccount<'info>,
    /// CHECK: created here: the canonical PDA, or any account that signs
    #[account(mut)]
    pub pool_state: UncheckedAccount<'info>,
    #[account(constraint = token_0_mint.key() < token_1_mint.key())]
    pub token_0_mint: Box<Account<'info, Mint>>,
    pub token_1_mint: Box<Account<'info, Mint>>,
    #[account(init, seeds = [b"pool_lp_mint", pool_state.key().as_ref()], bump, payer = creator,
        mint::decimals = LP_MINT_DECIMALS, mint::authority = authority)]
    pub lp_mint: Box<Account<'info, Mint>>,
    #[account(mut, token::mint = token_0_mint, token::authority = creator)]
    pub creator_token_0: Box<Account<'info, TokenAccount>>,
    #[account(mut, token::mint = token_1_mint, token::authority = creator)]
    pub creator_token_1: Box<Account<'info, TokenAccount>>,
    #[account(init, associated_token::mint = lp_mint, associated_token::authority = creator, payer = creator)]
    pub creator_lp_token: Box<Account<'info, TokenAccount>>,
    #[account(init, seeds = [b"pool_vault", pool_state.key().as_ref(), token_0_mint.key().as_ref()], bump,
        payer = creator, token::mint = token_0_mint, token::authority = authority)]
    pub token_0_vault: Box<Account<'info, TokenAccount>>,
    #[account(init, seeds = [b"pool_vault", pool_state.key().as_ref(), token_1_mint.key().as_ref()], bump,
        payer = creator, token::mint = token_1_mint, token::authority = authority)]
    pub token_1_vault: Box<Account<'info, TokenAccount>>,
    #[account(mut, address = pubkey!("DNXgeM9EiiaAbaWvwjHj9fQQLAX5ZsfHyvmYUNRAdNC8"))]
    pub create_pool_fee: Box<Account<'info, TokenAccount>>,
    #[account(init, seeds = [b"observation", pool_state.key().as_ref()], bump, payer = creator,
        space = ObservationState::SPACE)]
    pub observation_state: Box<Account<'info, ObservationState>>,
    pub token_program: Program<'info, Token>,
    pub token_0_program: Program<'info, Token>,
    pub token_1_program: Program<'info, Token>,
    pub associated_token_program: Program<'info, AssociatedToken>,
    pub system_program: Program<'info, System>,
    pub rent: Sysvar<'info, Rent>,
}

pub fn handler(ctx: Context<Initialize>, amounts: [u64; 2], open_time: u64) -> Result<()> {
    let bump = ctx.bumps.authority;
    let accounts = ctx.accounts;
    require!(!accounts.amm_config.disable_create_pool, AmmError::NotApproved);
    accounts.observation_state.pool_id = accounts.pool_state.key();
    accounts.create_pool()?;
    accounts.fund(amounts)?;
    // Lamports sent to a wrapped SOL vault before its creation count as liquidity.
    accounts.token_0_vault.reload()?;
    accounts.token_1_vault.reload()?;
    let (amount_0, amount_1) = (accounts.token_0_vault.amount, accounts.token_1_vault.amount);
    require!(amount_0 > 0 && amount_1 > 0, AmmError::EmptySupply);
    let product = u128::from(amount_0).checked_mul(amount_1.into()).ok_or(AmmError::InvalidInput)?;
    let shares = u64::try_from(product.isqrt()).map_err(|_| AmmError::InvalidInput)?;
    accounts.mint_shares(shares.checked_sub(LOCKED_SHARES).ok_or(AmmError::InitLpAmountTooLess)?, bump)?;
    accounts.pay_fee()?;
    accounts.write_pool(shares, open_time, bump)
}

impl Initialize<'_> {
    fn create_pool(&self) -> Result<()> {
        let pool = self.pool_state.to_account_info();
        require_keys_eq!(*pool.owner, system_program::ID, AmmError::NotApproved);
        let (config, mints) = (self.amm_config.key(), [self.token_0_mint.key(), self.token_1_mint.key()]);
        let seeds = [POOL_SEED, config.as_ref(), mints[0].as_ref(), mints[1].as_ref()];
        let (canonical, bump) = Pubkey::find_program_address(&seeds, &crate::ID);
        require!(pool.is_signer || pool.key() == canonical, ErrorCode::RequireEqViolated);
        let bump = [bump];
        let signer: &[&[&[u8]]] = &[&[seeds[0], seeds[1], seeds[2], seeds[3], &bump]];
        create(&self.creator, &self.system_program, pool, signer)
    }

    fn fund(&self, [amount_0, amount_1]: [u64; 2]) -> Result<()> {
        let sides = [
            (&self.creator_token_0, &self.token_0_vault, &self.token_0_mint, amount_0),
            (&self.creator_token_1, &self.token_1_vault, &self.token_1_mint, amount_1),
        ];
        for (from, vault, mint, amount) in sides {
            let transfer = TransferChecked {
                from: from.to_account_info(),
                mint: mint.to_account_info(),
                to: vault.to_account_info(),
                authority: self.creator.to_account_info(),
            };
            transfer_checked(CpiContext::new(self.token_program.key(), transfer), amount, mint.decimals)?;
        }
        Ok(())
    }

    fn mint_shares(&self, shares: u64, bump: u8) -> Result<()> {
        let minting = MintTo {
            mint: self.lp_mint.to_account_info(),
            to: self.creator_lp_token.to_account_info(),
            authority: self.authority.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[AUTHORITY_SEED, &[bump]]];
        mint_to(CpiContext::new_with_signer(self.token_program.key(), minting, seeds), shares)
    }

    fn pay_fee(&self) -> Result<()> {
        let fee = self.amm_config.create_pool_fee;
        if fee == 0 {
            return Ok(());
        }
        let transfer = system_program::Transfer {
            from: self.creator.to_account_info(),
            to: self.create_pool_fee.to_account_info(),
        };
        system_program::transfer(CpiContext::new(self.system_program.key(), transfer), fee)?;
        let account = self.create_pool_fee.to_account_info();
        sync_native(CpiContext::new(self.token_program.key(), SyncNative { account }))
    }

    fn write_pool(&self, shares: u64, open_time: u64, auth_bump: u8) -> Result<()> {
        let clock = Clock::get()?;
        let now = u64::try_from(clock.unix_timestamp).map_err(|_| AmmError::InvalidInput)?;
        let soonest = now.checked_add(1).ok_or(AmmError::InvalidInput)?;
        let pool = PoolState {
            amm_config: self.amm_config.key(),
            pool_creator: self.creator.key(),
            vaults: [self.token_0_vault.key(), self.token_1_vault.key()],
            lp_mint: self.lp_mint.key(),
            mints: [self.token_0_mint.key(), self.token_1_mint.key()],
            token_programs: [self.token_0_program.key(), self.token_1_program.key()],
            observation_key: self.observation_state.key(),
            auth_bump,
            status: 0,
            lp_mint_decimals: LP_MINT_DECIMALS,
            mint_decimals: [self.token_0_mint.decimals, self.token_1_mint.decimals],
            lp_supply: shares,
            protocol_fees: [0; 2],
            fund_fees: [0; 2],
            open_time: open_time.max(soonest),
            recent_epoch: clock.epoch,
            creator_fee_on: 0,
            enable_creator_fee: false,
            padding: [0; 6],
            creator_fees: [0; 2],
        };
        pool.try_serialize(&mut &mut self.pool_state.try_borrow_mut_data()?[..])
    }
}

/// Creates the pool account, also when its address already holds lamports.
fn create<'info>(
    payer: &Signer<'info>,
    system: &Program<'info, System>,
    pool: AccountInfo<'info>,
    signer: &[&[&[u8]]],
) -> Result<()> {
    let rent = Rent::get()?.minimum_balance(PoolState::SPACE);
    let space = u64::try_from(PoolState::SPACE).map_err(|_| AmmError::InvalidInput)?;
    let from = payer.to_account_info();
    if pool.lamports() == 0 {
        let accounts = CreateAccount { from, to: pool };
        return create_account(CpiContext::new_with_signer(system.key(), accounts, signer), rent, space, &crate::ID);
    }
    let missing = rent.saturating_sub(pool.lamports());
    if missing > 0 {
        let transfer = system_program::Transfer { from, to: pool.clone() };
        system_program::transfer(CpiContext::new(system.key(), transfer), missing)?;
    }
    let allocate = system_program::Allocate { account_to_allocate: pool.clone() };
    system_program::allocate(CpiContext::new_with_signer(system.key(), allocate, signer), space)?;
    let assign = system_program::Assign { account_to_assign: pool };
    system_program::assign(CpiContext::new_with_signer(system.key(), assign, signer), &crate::ID)
}
