//! `graduate`: the accounts, the steps, and the handler that takes them.

mod accounts;
mod arguments;
mod split;
mod steps;
mod token_account;

use anchor_lang::prelude::{Clock, SolanaSysvar};
use pinocchio::AccountView;

use crate::{
    amm::{Amm, Pool, POOL_ACCOUNTS},
    error::GraduationError,
    records::GraduateRecord,
    refusal::{require, Result},
};
pub use accounts::*;
use arguments::Bumps;
use split::Split;
use steps::Graduation;

const OWN_ACCOUNTS: usize = 15;
/// Accounts of `graduate`.
pub const GRADUATE_ACCOUNTS: usize = OWN_ACCOUNTS.saturating_add(POOL_ACCOUNTS);

pub(crate) fn graduate(accounts: &[AccountView], arguments: &[u8]) -> Result<()> {
    let bumps = Bumps::read(arguments)?;
    let graduation = Graduation::new(accounts, &bumps)?;
    let pool = Pool::new(graduation.pool_accounts, graduation.mint.address(), bumps.pool)?;
    graduation.require_addresses(&bumps)?;
    let before = graduation.fee_receiver.lamports();
    let costs = pool.cost_of_opening()?;

    let loan = graduation.lend()?;
    graduation.open_tokens()?;
    let migration = graduation.migrate(bumps.curve)?;
    let split = Split::of(migration, graduation.terms()?, graduation.open_storages()?, costs)?;
    graduation.pay_community(&split)?;
    graduation.burn_excess(&split)?;
    let opening = graduation.hand_over(&split)?;
    pool.open(&opening)?;
    let lp_burnt = pool.burn_liquidity(&opening)?;
    graduation.close_accounts()?;
    graduation.repay(loan)?;

    // A migration does not cost the platform anything. Lamports that strangers sent ahead make it more.
    require(graduation.fee_receiver.lamports() >= before, GraduationError::FeesTouched)?;
    let record = GraduateRecord {
        mint: *graduation.mint.address(),
        pool: *pool.address(),
        pool_sol: split.pool_sol,
        pool_token: split.pool_token,
        community_sol: split.community_sol,
        community_token: split.community_token,
        burnt: split.burnt,
        costs: split.costs,
        lp_burnt,
        timestamp: Clock::get()?.unix_timestamp,
    };
    record.log(graduation.fee_receiver)
}
