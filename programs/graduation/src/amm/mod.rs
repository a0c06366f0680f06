//! What a graduation asks of an AMM. Another AMM is another folder with a `Pool` and its `PoolAccounts`, and another name in
//! the two lines below.

mod raydium_cpmm;

use anchor_lang::prelude::Rent;
use pinocchio::{cpi::Signer, AccountView, Address};

use crate::refusal::Result;
pub use raydium_cpmm::*;

/// What a pool is opened with: amounts, which set its price, and who has them.
pub struct Opening<'a> {
    /// Pays the costs and owns the two token accounts. Its signature is worth nothing else.
    pub creator: &'a AccountView,
    pub creator_signer: Signer<'a, 'a>,
    pub mint: &'a AccountView,
    pub native_mint: &'a AccountView,
    pub tokens: &'a AccountView,
    pub wrapped_sol: &'a AccountView,
    pub token_program: &'a AccountView,
    pub system_program: &'a AccountView,
    pub token_amount: u64,
    pub sol_amount: u64,
}

/// A pool that does not exist yet.
pub trait Amm<'a>: Sized {
    /// The pool of a mint, by its accounts. Refuses every account that the AMM itself would take and that is another
    /// market's: other fees, or an address that somebody else could have taken.
    fn new(accounts: &'a [AccountView; POOL_ACCOUNTS], mint: &Address, pool_bump: u8) -> Result<Self>;

    fn address(&self) -> &'a Address;

    /// Lamports that the migration pays for opening the pool, besides what goes into it. Refuses a price above the most
    /// that a migration pays, unless the pool's creator already holds the rest.
    fn cost_of_opening(&self, given: u64, rent: &Rent) -> Result<u64>;

    /// Opens the pool, and requires that it holds the amounts. Gifts that it also holds must not stop it.
    fn open(&self, opening: &Opening) -> Result<()>;

    /// The account that holds all liquidity of the open pool, and the liquidity's mint.
    fn liquidity(&self) -> (&'a AccountView, &'a AccountView);
}
