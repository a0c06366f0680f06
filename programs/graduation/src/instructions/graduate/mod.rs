//! `graduate`: the accounts, the steps, and the handler that takes them.

mod accounts;
mod split;
mod steps;
mod token_account;

use anchor_lang::{
    error::ErrorCode,
    prelude::{Clock, Rent, SolanaSysvar},
};
use curvekit_interface::{
    instructions::{GraduateAccounts, GraduateArguments},
    records::GraduateRecord,
};
use pinocchio::AccountView;

use crate::{
    amm::{Amm, Pool, POOL_ACCOUNTS},
    error::GraduationError,
    records,
    refusal::{refusal, require, Result},
};
pub use accounts::*;
use split::Split;
use steps::Graduation;

/// Accounts of `graduate`.
pub const GRADUATE_ACCOUNTS: usize = GraduateAccounts::COUNT.saturating_add(POOL_ACCOUNTS);

pub(crate) fn graduate(accounts: &[AccountView], arguments: &[u8]) -> Result<()> {
    // Further bytes are ignored, as by Anchor.
    let bumps = arguments.get(..size_of::<GraduateArguments>()).and_then(|bytes| bytemuck::try_from_bytes(bytes).ok());
    let bumps: &GraduateArguments = bumps.ok_or_else(|| refusal(ErrorCode::InstructionDidNotDeserialize))?;
    let rent = Rent::get()?;
    let graduation = Graduation::new(accounts, bumps, &rent)?;
    let GraduateAccounts { fee_receiver, token_mint, .. } = graduation.accounts;
    let pool = Pool::new(graduation.pool_accounts, token_mint.address(), bumps.pool_bump)?;
    let storages_open = graduation.require_addresses(bumps)?;
    let before = fee_receiver.lamports();
    let costs = pool.cost_of_opening(graduation.accounts.pool_creator.lamports(), &rent)?;

    let loan = graduation.open_tokens()?;
    let migration = graduation.migrate(bumps.pda_token_nonce)?;
    let split = Split::of(migration, graduation.terms()?, storages_open, costs)?;
    let (opening, community_sol) = graduation.hand_over(&split)?;
    pool.open(&opening)?;
    let lp_burnt = graduation.settle(&pool, loan)?;

    // A migration does not cost the platform anything. Lamports that strangers sent ahead make it more.
    require(fee_receiver.lamports() >= before, GraduationError::FeesTouched)?;
    let record = GraduateRecord {
        mint: *token_mint.address(),
        pool: *pool.address(),
        pool_sol: split.pool_sol,
        pool_token: split.pool_token,
        community_sol,
        community_token: split.community_token,
        burnt: split.burnt,
        costs: split.costs,
        lp_burnt,
        timestamp: Clock::get()?.unix_timestamp,
    };
    records::log(&record, fee_receiver);
    Ok(())
}
