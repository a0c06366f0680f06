//! The steps of `graduate`.

use anchor_lang::{
    error::{Error, ErrorCode},
    prelude::Rent,
};
use anchor_spl::token::{self, spl_token::native_mint};
use curvekit_interface::{
    accounts::TokenOwnerDataBytes,
    constants::{COMMUNITY_TOKEN_SEED, COMMUNITY_WSOL_SEED},
    curve::Reserves,
    instructions::{discriminators::MIGRATE, GraduateAccounts, GraduateArguments, MigrateAccounts},
    token as layouts,
};
use pinocchio::{
    cpi::{Seed, Signer},
    AccountView,
};
use pinocchio_system::instructions::Transfer as SendSol;
use pinocchio_token::instructions::{
    Amount, AuthorityType, Burn, CloseAccount, InitializeAccount3, IntoBatch, SetAuthority, SyncNative, Transfer,
    UnwrapLamports, WithdrawExcessLamports,
};

use super::{
    split::{Migration, Split, Terms},
    token_account::TokenAccount,
};
use crate::{
    amm::{Amm, Opening, Pool, POOL_ACCOUNTS},
    checks::{is_canonical, is_derived, is_open_token_account, mint_supply, named, require_address, token_amount},
    constants::*,
    cpi::{call, call_token_program},
    error::GraduationError,
    refusal::{out_of_range, refusal, require, require_account, Result},
};

/// Token accounts that are open at once within the instruction: for the tokens, the wrapped SOL, and the liquidity.
const LENT_ACCOUNTS: u64 = 3;

pub struct Graduation<'a> {
    pub accounts: GraduateAccounts<&'a AccountView>,
    tokens: TokenAccount<'a>,
    wrapped_sol: TokenAccount<'a>,
    pub pool_accounts: &'a [AccountView; POOL_ACCOUNTS],
    fee_receiver_seeds: [Seed<'a>; 2],
    creator_seeds: [Seed<'a>; 2],
    rent: u64,
}

impl<'a> Graduation<'a> {
    pub fn new(accounts: &'a [AccountView], bumps: &'a GraduateArguments, rent: &Rent) -> Result<Self> {
        let own: GraduateAccounts<_> = named(accounts, &GraduateAccounts::NAMES)?.into();
        let pool_accounts =
            accounts.get(GraduateAccounts::COUNT..).and_then(<[AccountView]>::first_chunk::<POOL_ACCOUNTS>);
        let too_few = || refusal(Error::from(ErrorCode::AccountNotEnoughKeys).with_account_name("pool"));
        Ok(Self {
            accounts: own,
            tokens: TokenAccount::new(own.tokens, TOKENS_SEED, own.token_mint, &bumps.tokens_bump),
            wrapped_sol: TokenAccount::new(own.wrapped_sol, WRAPPED_SOL_SEED, own.token_mint, &bumps.wrapped_sol_bump),
            pool_accounts: pool_accounts.ok_or_else(too_few)?,
            fee_receiver_seeds: [Seed::from(FEE_RECEIVER_SEED), Seed::from(&[FEE_RECEIVER_BUMP])],
            creator_seeds: [Seed::from(POOL_CREATOR_SEED), Seed::from(&[POOL_CREATOR_BUMP])],
            rent: rent.minimum_balance(layouts::TokenAccount::SIZE),
        })
    }

    fn by_fee_receiver(&self) -> Signer<'_, '_> {
        Signer::from(&self.fee_receiver_seeds)
    }

    fn by_creator(&self) -> Signer<'_, '_> {
        Signer::from(&self.creator_seeds)
    }

    /// Every account that no called program checks, and every account that is opened here: the caller's own wallet, which
    /// has signed, could be made a token account and emptied.
    ///
    /// Returns whether both storages are open. The DEX owner can close them. That forfeits the share, and must not hold up the
    /// graduation.
    pub fn require_addresses(&self, bumps: &GraduateArguments) -> Result<bool> {
        require_address(self.accounts.fee_receiver, "fee_receiver", &FEE_RECEIVER)?;
        require_address(self.accounts.pool_creator, "pool_creator", &POOL_CREATOR)?;
        require_address(self.accounts.native_mint, "native_mint", &native_mint::ID)?;
        require_address(self.accounts.curve_program, "curve_program", &CURVE_PROGRAM)?;
        require_address(self.accounts.program_account, "program_account", &crate::ID)?;
        require_address(self.accounts.token_program, "token_program", &token::ID)?;
        self.tokens.require_address("tokens")?;
        self.wrapped_sol.require_address("wrapped_sol")?;
        let takes_sol = self.require_storage(
            self.accounts.community_wsol_storage,
            "community_wsol_storage",
            COMMUNITY_WSOL_SEED,
            bumps.community_wsol_bump,
        )?;
        let takes_tokens = self.require_storage(
            self.accounts.community_token_storage,
            "community_token_storage",
            COMMUNITY_TOKEN_SEED,
            bumps.community_token_bump,
        )?;
        Ok(takes_sol && takes_tokens)
    }

    /// An open storage has the canonical bump: the curve makes no others. Where nothing is open, another bump would tell
    /// the same of an address at which there has never been a storage, and the community would lose its share.
    fn require_storage(&self, storage: &AccountView, name: &'static str, seed: &[u8], bump: u8) -> Result<bool> {
        let seeds = [seed, self.accounts.token_mint.address().as_array().as_slice()];
        let is_open = is_open_token_account(storage)?;
        let holds = if is_open {
            is_derived(storage, &seeds, bump, &CURVE_PROGRAM)
        } else {
            is_canonical(storage, &seeds, bump, &CURVE_PROGRAM)
        };
        require_account(holds, name, GraduationError::WrongAccount)?;
        Ok(is_open)
    }

    /// The caller lends the rents of the accounts that are open only within the instruction: every lamport of the migration
    /// has a use, and the fee receiver may hold no more than its own rent. The first account takes them all, less lamports
    /// that strangers sent ahead. Returns the loan.
    pub fn open_tokens(&self) -> Result<u64> {
        let lent = self.rent.saturating_mul(LENT_ACCOUNTS);
        let loan = lent.saturating_sub(self.tokens.view.lamports());
        self.tokens.create(lent, self.accounts.payer_account, &[])?;
        InitializeAccount3::new(self.tokens.view, self.accounts.token_mint, &FEE_RECEIVER).invoke()?;
        Ok(loan)
    }

    /// Migrates the curve: what is in `tokens` then, and what the fee receiver has more, is the migration's.
    #[inline(never)]
    pub fn migrate(&self, curve_nonce: u8) -> Result<Migration> {
        let before = self.accounts.fee_receiver.lamports();
        let mut data = [curve_nonce; MIGRATE.len().saturating_add(1)];
        data[..MIGRATE.len()].copy_from_slice(&MIGRATE);
        let GraduateAccounts { token_mint, token_program, token_owner_pda, fee_receiver, .. } = self.accounts;
        let accounts = MigrateAccounts {
            token_mint,
            token_program,
            token_owner_pda,
            fee_account: fee_receiver,
            token_owner_token_account: self.accounts.token_owner_token_account,
            fee_token_account: self.tokens.view,
        };
        call(&CURVE_PROGRAM, &data, accounts.with_roles(), &[self.by_fee_receiver()]);
        let sol = self.accounts.fee_receiver.lamports().checked_sub(before).ok_or_else(out_of_range)?;
        Ok(Migration { sol, token: token_amount(self.tokens.view)? })
    }

    /// The bonding-curve program has checked the curve.
    pub fn terms(&self) -> Result<Terms> {
        let data = self.accounts.token_owner_pda.try_borrow()?;
        let curve = bytemuck::try_from_bytes::<TokenOwnerDataBytes>(&data)
            .map_err(|_| refusal(ErrorCode::AccountDidNotDeserialize))?;
        let Reserves { virtual_sol, virtual_token } = curve.reserves();
        let after_migration_fee = u16::from_le_bytes(curve.after_migration_fee).into();
        Ok(Terms { virtual_sol, virtual_token, after_migration_fee })
    }

    /// Pays the community, burns the tokens beyond the closing price, and hands the pool's money to its creator: the AMM never
    /// gets the signature of the fee receiver, with which it could take the platform's fees or migrate other curves.
    ///
    /// Returns what the pool is opened with, and the wrapped SOL that the community's storage gained. That is not what was sent
    /// where the rent has changed, which moves the storage's reserve, or where anyone sent lamports to the storage before.
    #[inline(never)]
    pub fn hand_over(&self, split: &Split) -> Result<(Opening<'_>, u64)> {
        let GraduateAccounts { fee_receiver, pool_creator, token_mint, native_mint, .. } = self.accounts;
        let GraduateAccounts { community_wsol_storage, community_token_storage, .. } = self.accounts;
        let (tokens, wrapped_sol) = (self.tokens.view, self.wrapped_sol.view);
        // All SOL is wrapped, with what is left of the loan, and what is to stay SOL unwrapped again: that needs no further calls.
        let all = [split.costs, split.pool_sol, split.community_sol];
        let all = all.into_iter().try_fold(0_u64, u64::checked_add).ok_or_else(out_of_range)?;
        let unwrapped = split.costs.checked_add(self.rent).ok_or_else(out_of_range)?;
        self.wrapped_sol.create(all, fee_receiver, &[self.by_fee_receiver()])?;
        let wrapped = || if split.community_sol > 0 { token_amount(community_wsol_storage) } else { Ok(0) };
        let before = wrapped()?;
        call_token_program(&[self.by_fee_receiver(), self.by_creator()], |batch| {
            WithdrawExcessLamports::new(tokens, wrapped_sol, fee_receiver).into_batch(batch)?;
            InitializeAccount3::new(wrapped_sol, native_mint, &POOL_CREATOR).into_batch(batch)?;
            UnwrapLamports::new(wrapped_sol, pool_creator, pool_creator, Amount::Some(unwrapped)).into_batch(batch)?;
            if split.community_sol > 0 {
                let amount = Amount::Some(split.community_sol);
                UnwrapLamports::new(wrapped_sol, community_wsol_storage, pool_creator, amount).into_batch(batch)?;
                SyncNative::new(community_wsol_storage, None).into_batch(batch)?;
            }
            if split.community_token > 0 {
                Transfer::new(tokens, community_token_storage, fee_receiver, split.community_token)
                    .into_batch(batch)?;
            }
            if split.burnt > 0 {
                Burn::new(tokens, token_mint, fee_receiver, split.burnt).into_batch(batch)?;
            }
            SetAuthority::new(tokens, fee_receiver, AuthorityType::AccountOwner, Some(&POOL_CREATOR)).into_batch(batch)
        })?;
        let gained = wrapped()?.checked_sub(before).ok_or_else(out_of_range)?;
        let opening = Opening {
            creator: pool_creator,
            creator_signer: self.by_creator(),
            mint: token_mint,
            native_mint,
            tokens,
            wrapped_sol,
            token_program: self.accounts.token_program,
            system_program: self.accounts.system_program,
            token_amount: split.pool_token,
            sol_amount: split.pool_sol,
        };
        Ok((opening, gained))
    }

    /// Burns the liquidity, closes all accounts, and pays the loan back to the caller. Lamports that strangers sent ahead go to
    /// the fee receiver. Returns the units burnt.
    #[inline(never)]
    pub fn settle(&self, pool: &Pool, loan: u64) -> Result<u64> {
        let GraduateAccounts { payer_account, fee_receiver, pool_creator, .. } = self.accounts;
        let (lp_tokens, lp_mint) = pool.liquidity();
        let liquidity = token_amount(lp_tokens)?;
        let lent = [lp_tokens, self.tokens.view, self.wrapped_sol.view];
        // Usually each account holds its rent, and all of it is the caller's. An AMM that made the creator its own is refused
        // below, by the System program.
        let is_loan = loan == self.rent.saturating_mul(LENT_ACCOUNTS)
            && pool_creator.lamports() == 0
            && pool_creator.owned_by(&pinocchio_system::ID)
            && pool_creator.is_data_empty()
            && lent.iter().all(|account| account.lamports() == self.rent);
        let to = if is_loan { payer_account } else { pool_creator };
        call_token_program(&[self.by_creator()], |batch| {
            Burn::new(lp_tokens, lp_mint, pool_creator, liquidity).into_batch(batch)?;
            lent.into_iter().try_for_each(|account| CloseAccount::new(account, to, pool_creator).into_batch(batch))
        })?;
        require(liquidity > 0 && mint_supply(lp_mint)? == 0, GraduationError::PoolMismatch)?;
        if is_loan {
            return Ok(liquidity);
        }
        let rest = pool_creator.lamports().checked_sub(loan);
        let rest = rest.ok_or_else(|| refusal(GraduationError::PoolMismatch))?;
        for (to, lamports) in [(payer_account, loan), (fee_receiver, rest)] {
            if lamports > 0 {
                SendSol { from: pool_creator, to, lamports }.invoke_signed(&[self.by_creator()])?;
            }
        }
        Ok(liquidity)
    }
}
