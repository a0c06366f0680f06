//! The steps of `graduate`.

use anchor_lang::{
    error::{Error, ErrorCode},
    prelude::{Rent, SolanaSysvar},
};
use anchor_spl::token::{self, spl_token::native_mint};
use pinocchio::{
    cpi::{invoke_signed, Seed, Signer},
    instruction::{InstructionAccount, InstructionView},
    AccountView,
};
use pinocchio_system::instructions::Transfer as SendSol;
use pinocchio_token::instructions::{
    AuthorityType, Burn, CloseAccount, SetAuthority, SyncNative, Transfer as SendTokens,
};

use super::{
    arguments::Bumps,
    split::{Migration, Split, Storages, Terms},
    token_account::TokenAccount,
    OWN_ACCOUNTS,
};
use crate::{
    amm::{Opening, POOL_ACCOUNTS},
    checks::{
        is_canonical, is_derived, is_open_token_account, named, read, read_u64, require_address, token_amount,
        TOKEN_ACCOUNT,
    },
    constants::*,
    error::GraduationError,
    refusal::{out_of_range, refusal, require_account, Result},
};

/// Offsets in the bonding curve's `TokenOwnerData`.
const VIRTUAL_SOL: usize = 9;
const VIRTUAL_TOKEN: usize = 17;
const AFTER_MIGRATION_FEE: usize = 25;

/// Token accounts that are open at once within the instruction: for the tokens, the wrapped SOL, and the liquidity.
const LENT_ACCOUNTS: u64 = 3;

pub struct Graduation<'a> {
    payer: &'a AccountView,
    pub fee_receiver: &'a AccountView,
    creator: &'a AccountView,
    pub mint: &'a AccountView,
    native_mint: &'a AccountView,
    curve: &'a AccountView,
    vault: &'a AccountView,
    tokens: TokenAccount<'a>,
    wrapped_sol: TokenAccount<'a>,
    community_wsol: &'a AccountView,
    community_token: &'a AccountView,
    curve_program: &'a AccountView,
    program: &'a AccountView,
    token_program: &'a AccountView,
    system_program: &'a AccountView,
    pub pool_accounts: &'a [AccountView; POOL_ACCOUNTS],
    fee_receiver_seeds: [Seed<'a>; 2],
    creator_seeds: [Seed<'a>; 2],
    rent: u64,
}

impl<'a> Graduation<'a> {
    pub fn new(accounts: &'a [AccountView], bumps: &'a Bumps) -> Result<Self> {
        let [payer, fee_receiver, creator, mint, native_mint, curve, vault, tokens, wrapped_sol, community_wsol, community_token, curve_program, program, token_program, system_program] =
            named(
                accounts,
                &[
                    "payer_account",
                    "fee_receiver",
                    "pool_creator",
                    "token_mint",
                    "native_mint",
                    "token_owner_pda",
                    "token_owner_token_account",
                    "tokens",
                    "wrapped_sol",
                    "community_wsol_storage",
                    "community_token_storage",
                    "curve_program",
                    "program_account",
                    "token_program",
                    "system_program",
                ],
            )?;
        let pool_accounts = accounts.get(OWN_ACCOUNTS..).and_then(<[AccountView]>::first_chunk::<POOL_ACCOUNTS>);
        let too_few = || refusal(Error::from(ErrorCode::AccountNotEnoughKeys).with_account_name("pool"));
        Ok(Self {
            payer,
            fee_receiver,
            creator,
            mint,
            native_mint,
            curve,
            vault,
            tokens: TokenAccount::new(tokens, TOKENS_SEED, mint, &bumps.tokens),
            wrapped_sol: TokenAccount::new(wrapped_sol, WRAPPED_SOL_SEED, mint, &bumps.wrapped_sol),
            community_wsol,
            community_token,
            curve_program,
            program,
            token_program,
            system_program,
            pool_accounts: pool_accounts.ok_or_else(too_few)?,
            fee_receiver_seeds: [Seed::from(FEE_RECEIVER_SEED), Seed::from(&[FEE_RECEIVER_BUMP])],
            creator_seeds: [Seed::from(POOL_CREATOR_SEED), Seed::from(&[POOL_CREATOR_BUMP])],
            rent: Rent::get()?.minimum_balance(TOKEN_ACCOUNT),
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
    pub fn require_addresses(&self, bumps: &Bumps) -> Result<()> {
        require_address(self.fee_receiver, "fee_receiver", &FEE_RECEIVER)?;
        require_address(self.creator, "pool_creator", &POOL_CREATOR)?;
        require_address(self.native_mint, "native_mint", &native_mint::ID)?;
        require_address(self.curve_program, "curve_program", &CURVE_PROGRAM)?;
        require_address(self.program, "program_account", &crate::ID)?;
        require_address(self.token_program, "token_program", &token::ID)?;
        self.tokens.require_address("tokens")?;
        self.wrapped_sol.require_address("wrapped_sol")?;
        self.require_storage(self.community_wsol, "community_wsol_storage", COMMUNITY_WSOL_SEED, bumps.community_wsol)?;
        self.require_storage(
            self.community_token,
            "community_token_storage",
            COMMUNITY_TOKEN_SEED,
            bumps.community_token,
        )
    }

    /// An open storage has the canonical bump: the curve makes no others. Where nothing is open, another bump would tell
    /// the same of an address at which there has never been a storage, and the community would lose its share.
    fn require_storage(&self, storage: &AccountView, name: &'static str, seed: &[u8], bump: u8) -> Result<()> {
        let seeds = [seed, self.mint.address().as_array().as_slice()];
        let holds = if is_open_token_account(storage)? {
            is_derived(storage, &seeds, bump, &CURVE_PROGRAM)
        } else {
            is_canonical(storage, &seeds, bump, &CURVE_PROGRAM)
        };
        require_account(holds, name, GraduationError::WrongAccount)
    }

    /// The caller lends the rents of the accounts that are open only within the instruction: the migration is spoken for to
    /// the lamport, and the fee receiver may hold no more than its own rent.
    pub fn lend(&self) -> Result<u64> {
        let lamports = self.rent.checked_mul(LENT_ACCOUNTS).ok_or_else(out_of_range)?;
        SendSol { from: self.payer, to: self.creator, lamports }.invoke()?;
        Ok(lamports)
    }

    pub fn open_tokens(&self) -> Result<()> {
        self.tokens.open(self.mint, &FEE_RECEIVER, self.rent, self.creator, self.by_creator())
    }

    /// Migrates the curve: what is in `tokens` then, and what the fee receiver has more, is the migration's.
    #[inline(never)]
    pub fn migrate(&self, curve_nonce: u8) -> Result<Migration> {
        let before = self.fee_receiver.lamports();
        let mut data = [curve_nonce; MIGRATE.len().saturating_add(1)];
        data[..MIGRATE.len()].copy_from_slice(&MIGRATE);
        let instruction = InstructionView {
            program_id: &CURVE_PROGRAM,
            data: &data,
            accounts: &[
                InstructionAccount::readonly(self.mint.address()),
                InstructionAccount::readonly(self.token_program.address()),
                InstructionAccount::writable(self.curve.address()),
                InstructionAccount::writable_signer(self.fee_receiver.address()),
                InstructionAccount::writable(self.vault.address()),
                InstructionAccount::writable(self.tokens.view.address()),
            ],
        };
        let accounts = [self.mint, self.token_program, self.curve, self.fee_receiver, self.vault, self.tokens.view];
        invoke_signed(&instruction, &accounts, &[self.by_fee_receiver()])?;
        let sol = self.fee_receiver.lamports().checked_sub(before).ok_or_else(out_of_range)?;
        Ok(Migration { sol, token: token_amount(self.tokens.view)? })
    }

    /// The bonding-curve program has vouched for the curve.
    pub fn terms(&self) -> Result<Terms> {
        Ok(Terms {
            virtual_sol: read_u64(self.curve, VIRTUAL_SOL)?,
            virtual_token: read_u64(self.curve, VIRTUAL_TOKEN)?,
            after_migration_fee: u16::from_le_bytes(read(self.curve, AFTER_MIGRATION_FEE)?).into(),
        })
    }

    /// The DEX owner can close its storages. That forfeits the share, and must not hold up the graduation.
    pub fn open_storages(&self) -> Result<Storages> {
        Ok(Storages {
            wsol: is_open_token_account(self.community_wsol)?,
            token: is_open_token_account(self.community_token)?,
        })
    }

    pub fn pay_community(&self, split: &Split) -> Result<()> {
        if split.community_sol > 0 {
            let (from, to) = (self.fee_receiver, self.community_wsol);
            SendSol { from, to, lamports: split.community_sol }.invoke_signed(&[self.by_fee_receiver()])?;
            SyncNative::new(to, None).invoke()?;
        }
        if split.community_token > 0 {
            SendTokens::new(self.tokens.view, self.community_token, self.fee_receiver, split.community_token)
                .invoke_signed(&[self.by_fee_receiver()])?;
        }
        Ok(())
    }

    /// The tokens beyond the closing price.
    pub fn burn_excess(&self, split: &Split) -> Result<()> {
        if split.burnt > 0 {
            Burn::new(self.tokens.view, self.mint, self.fee_receiver, split.burnt)
                .invoke_signed(&[self.by_fee_receiver()])?;
        }
        Ok(())
    }

    /// The pool's money to the pool's creator: the AMM never gets the signature of the fee receiver, with which it could
    /// take the platform's fees or migrate other curves.
    pub fn hand_over(&self, split: &Split) -> Result<Opening<'_>> {
        let lamports = split.pool_sol.checked_add(split.costs).ok_or_else(out_of_range)?;
        SendSol { from: self.fee_receiver, to: self.creator, lamports }.invoke_signed(&[self.by_fee_receiver()])?;
        SetAuthority::new(self.tokens.view, self.fee_receiver, AuthorityType::AccountOwner, Some(&POOL_CREATOR))
            .invoke_signed(&[self.by_fee_receiver()])?;
        // Wrapped by opening the account with it.
        let wrapped = self.rent.checked_add(split.pool_sol).ok_or_else(out_of_range)?;
        self.wrapped_sol.open(self.native_mint, &POOL_CREATOR, wrapped, self.creator, self.by_creator())?;
        Ok(Opening {
            creator: self.creator,
            creator_signer: self.by_creator(),
            mint: self.mint,
            native_mint: self.native_mint,
            tokens: self.tokens.view,
            wrapped_sol: self.wrapped_sol.view,
            token_program: self.token_program,
            system_program: self.system_program,
            token_amount: split.pool_token,
            sol_amount: split.pool_sol,
        })
    }

    pub fn close_accounts(&self) -> Result<()> {
        for account in [self.tokens.view, self.wrapped_sol.view] {
            CloseAccount::new(account, self.creator, self.creator).invoke_signed(&[self.by_creator()])?;
        }
        Ok(())
    }

    /// The loan back to the caller. What strangers sent ahead is left, and goes to the fee receiver.
    pub fn repay(&self, loan: u64) -> Result<()> {
        let rest = self.creator.lamports().checked_sub(loan);
        let rest = rest.ok_or_else(|| refusal(GraduationError::PoolMismatch))?;
        SendSol { from: self.creator, to: self.payer, lamports: loan }.invoke_signed(&[self.by_creator()])?;
        if rest > 0 {
            let (from, to) = (self.creator, self.fee_receiver);
            SendSol { from, to, lamports: rest }.invoke_signed(&[self.by_creator()])?;
        }
        Ok(())
    }
}
