use std::slice::from_ref;

use anchor_spl::token;
use curvekit_interface::token as layouts;
use pinocchio::{
    cpi::{Seed, Signer},
    AccountView,
};
use pinocchio_system::instructions::{Allocate, Assign, CreateAccount, Transfer};

use crate::{
    checks::is_derived,
    error::GraduationError,
    refusal::{require_account, Result},
};

/// A token account at a PDA of this program, for the time of one instruction.
pub struct TokenAccount<'a> {
    pub view: &'a AccountView,
    seeds: [&'a [u8]; 2],
    bump: &'a u8,
}

impl<'a> TokenAccount<'a> {
    pub fn new(view: &'a AccountView, seed: &'static [u8], mint: &'a AccountView, bump: &'a u8) -> Self {
        Self { view, seeds: [seed, mint.address().as_array()], bump }
    }

    pub fn require_address(&self, name: &'static str) -> Result<()> {
        require_account(is_derived(self.view, &self.seeds, *self.bump, &crate::ID), name, GraduationError::WrongAccount)
    }

    /// Creates it with that many lamports. Lamports sent ahead count towards them and do not block it.
    pub fn create(&self, lamports: u64, payer: &AccountView, by_payer: &[Signer]) -> Result<()> {
        let (account, space) = (self.view, layouts::TokenAccount::SIZE as u64);
        let [seed, mint_seed] = self.seeds;
        let seeds = [Seed::from(seed), Seed::from(mint_seed), Seed::from(from_ref(self.bump))];
        let by_account = Signer::from(&seeds);
        if account.lamports() == 0 {
            let create = CreateAccount { from: payer, to: account, lamports, space, owner: &token::ID };
            return match by_payer {
                [by_payer] => create.invoke_signed(&[by_payer.clone(), by_account]),
                _ => create.invoke_signed(&[by_account]),
            };
        }
        let missing = lamports.saturating_sub(account.lamports());
        if missing > 0 {
            Transfer { from: payer, to: account, lamports: missing }.invoke_signed(by_payer)?;
        }
        Allocate { account, space }.invoke_signed(from_ref(&by_account))?;
        Assign { account, owner: &token::ID }.invoke_signed(&[by_account])
    }
}
