//! Raydium's constant-product AMM ("CPMM", "standard AMM").

mod accounts;

use anchor_lang::prelude::Rent;
use curvekit_interface::{
    instructions::{RaydiumPoolAccounts, READ, SIGN_AND_WRITE, WRITE},
    token::{Mint, TokenAccount},
};
use pinocchio::{
    cpi::{Seed, Signer},
    AccountView, Address,
};

use super::{Amm, Opening};
use crate::{
    checks::{is_canonical, read_u64, require_address, token_amount},
    constants::POOL_SEED,
    cpi::call,
    error::GraduationError,
    refusal::{out_of_range, require, require_account, Result},
};
pub use accounts::*;

/// The most lamports that a migration pays Raydium for a new pool, which asks 0.15 SOL today. Raydium's admin can change
/// the price at any time: without a limit it could take the whole migration. Anyone may give what is above the limit:
/// lamports at the pool's creator before the call.
pub const MAX_CREATE_POOL_FEE: u64 = 300_000_000;

/// The AMM's instruction `initialize`: the first eight bytes of the SHA-256 of `global:initialize`.
const INITIALIZE: [u8; 8] = [175, 175, 109, 31, 13, 152, 155, 237];

/// Bytes of the accounts that `initialize` creates, besides the vaults and the LP mint.
const POOL_STATE: usize = 637;
const OBSERVATION_STATE: usize = 4_075;
/// What a rent adds to an account's bytes.
const OVERHEAD: usize = 128;
/// The bytes of all accounts that `initialize` opens and the pool keeps, with the overhead of each but one.
const OPENED: usize = POOL_STATE + OBSERVATION_STATE + Mint::SIZE + 2 * TokenAccount::SIZE + 4 * OVERHEAD;
/// Offset of `create_pool_fee` in the fee configuration.
const CREATE_POOL_FEE: usize = 36;

/// The accounts of a pool that does not exist yet.
pub struct Pool<'a> {
    accounts: RaydiumPoolAccounts<&'a AccountView>,
    mint: Address,
    bump: [u8; 1],
}

impl<'a> Amm<'a> for Pool<'a> {
    /// The AMM checks the other accounts against these.
    fn new(accounts: &'a [AccountView; POOL_ACCOUNTS], mint: &Address, bump: u8) -> Result<Self> {
        let accounts: RaydiumPoolAccounts<_> = accounts.each_ref().into();
        require_address(accounts.amm_program, "amm_program", &AMM_PROGRAM)?;
        require_address(accounts.amm_config, "amm_config", &AMM_CONFIG)?;
        // Raydium takes any address that signs. With the canonical bump alone, a token's market is found from its mint.
        let is_pool = is_canonical(accounts.pool, &[POOL_SEED, mint.as_array()], bump, &crate::ID);
        require_account(is_pool, "pool", GraduationError::WrongAccount)?;
        Ok(Self { accounts, mint: *mint, bump: [bump] })
    }

    fn address(&self) -> &'a Address {
        self.accounts.pool.address()
    }

    fn cost_of_opening(&self, given: u64, rent: &Rent) -> Result<u64> {
        let price = read_u64(self.accounts.amm_config, CREATE_POOL_FEE)?;
        let fee = price.min(MAX_CREATE_POOL_FEE);
        let is_paid = price.saturating_sub(fee) <= given;
        require_account(is_paid, "amm_config", GraduationError::PoolFeeTooHigh)?;
        // The rents of all accounts at once: a rent is proportional to an account's bytes and their overhead.
        fee.checked_add(rent.minimum_balance(OPENED)).ok_or_else(out_of_range)
    }

    // Not inlined: together with the caller's frame it would exceed the stack.
    #[inline(never)]
    fn open(&self, opening: &Opening) -> Result<()> {
        let sides = Sides::of(opening);
        let (creator, token) = (opening.creator, opening.token_program);
        let accounts = [
            (creator, SIGN_AND_WRITE),
            (self.accounts.amm_config, READ),
            (self.accounts.amm_authority, READ),
            (self.accounts.pool, SIGN_AND_WRITE),
            (sides.mints[0], READ),
            (sides.mints[1], READ),
            (self.accounts.lp_mint, WRITE),
            (sides.from[0], WRITE),
            (sides.from[1], WRITE),
            (self.accounts.lp_tokens, WRITE),
            (self.accounts.pool_vault_0, WRITE),
            (self.accounts.pool_vault_1, WRITE),
            (self.accounts.pool_fee_receiver, WRITE),
            (self.accounts.observation, WRITE),
            (token, READ),
            (token, READ),
            (token, READ),
            (self.accounts.ata_program, READ),
            (opening.system_program, READ),
            (self.accounts.rent_sysvar, READ),
        ];
        let seeds = [Seed::from(POOL_SEED), Seed::from(self.mint.as_array()), Seed::from(&self.bump)];
        let signers = [opening.creator_signer.clone(), Signer::from(&seeds)];
        call(&AMM_PROGRAM, &sides.initialize(), accounts, &signers);
        // Not `==`: lamports that somebody sent ahead to the vault of wrapped SOL are wrapped SOL too.
        let all_there = token_amount(self.accounts.pool_vault_0)? >= sides.amounts[0]
            && token_amount(self.accounts.pool_vault_1)? >= sides.amounts[1];
        require(all_there, GraduationError::PoolMismatch)
    }

    fn liquidity(&self) -> (&'a AccountView, &'a AccountView) {
        (self.accounts.lp_tokens, self.accounts.lp_mint)
    }
}

/// The two sides of the pool in the AMM's order, which is that of the mints' bytes.
struct Sides<'a> {
    mints: [&'a AccountView; 2],
    from: [&'a AccountView; 2],
    amounts: [u64; 2],
}

impl<'a> Sides<'a> {
    fn of(opening: &Opening<'a>) -> Self {
        let &Opening { mint, native_mint, tokens, wrapped_sol, token_amount, sol_amount, .. } = opening;
        let mut sides =
            Self { mints: [mint, native_mint], from: [tokens, wrapped_sol], amounts: [token_amount, sol_amount] };
        if mint.address().as_array() > native_mint.address().as_array() {
            sides.mints.reverse();
            sides.from.reverse();
            sides.amounts.reverse();
        }
        sides
    }

    /// The amounts, and an opening time of 0, from which the AMM makes the next second: nobody trades in this transaction.
    fn initialize(&self) -> [u8; 32] {
        let mut data = [0; 32];
        let (tag, arguments) = data.split_at_mut(INITIALIZE.len());
        tag.copy_from_slice(&INITIALIZE);
        for (argument, amount) in arguments.chunks_exact_mut(size_of::<u64>()).zip(self.amounts) {
            argument.copy_from_slice(&amount.to_le_bytes());
        }
        data
    }
}
