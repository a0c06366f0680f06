//! `create_token`: the accounts, what the creator decides, the steps, and the handler that takes them.

mod accounts;
mod issued;
mod metaplex;
mod steps;
mod terms;

use anchor_lang::prelude::*;

use crate::{
    constants::TOKEN_OWNER_SEED,
    pda,
    records::{self, CreateRecord},
    state::TokenOwnerData,
};
pub use accounts::*;
pub use terms::TokenTerms;

impl CreateToken<'_> {
    /// The order of the checks is that of `crate::checks`.
    pub(crate) fn run(&mut self, pda_token_nonce: u8, terms: TokenTerms, logging_account_bump: u8) -> Result<()> {
        self.require_other_payer()?;
        let mint = self.token_mint.key();
        let curve_seeds: &[&[u8]] = &[TOKEN_OWNER_SEED, mint.as_ref(), &[pda_token_nonce]];
        self.require_own_addresses(&mint, pda_token_nonce)?;
        terms.require_sensible()?;

        let curve = TokenOwnerData {
            initialized: TokenOwnerData::TRADING,
            virtual_sol: self.properties_account.initial_virtual_sol,
            virtual_token: self.properties_account.initial_virtual_token,
            after_migration_fee: terms.after_migration_fee,
            after_migration_burn_bp: terms.burn_bp,
        };
        curve.invariant()?;
        // First, so that a token which exists already is refused as a mint that is not blank.
        self.initialize_mint()?;
        let (payer, curve_account) = (&self.payer_account, &self.token_owner_pda);
        pda::create_account(payer, curve_account, TokenOwnerData::SIZE, &crate::ID, curve_seeds)?;
        curve.try_serialize(&mut &mut curve_account.try_borrow_mut_data()?[..])?;

        self.create_vault()?;
        self.create_storages(&mint)?;
        self.create_metadata(&terms, curve_seeds)?;
        self.issue(curve_seeds)?;
        self.require_issued()?;

        records::log_record(
            &CreateRecord {
                mint,
                creator: self.payer_account.key(),
                token_owner_pda: self.token_owner_pda.key(),
                name: terms.name,
                symbol: terms.symbol,
                uri: terms.uri,
                after_migration_fee: terms.after_migration_fee,
                burn_bp: terms.burn_bp,
                holders_bp: terms.holders_bp,
                lp_bp: terms.lp_bp,
                virtual_sol: curve.virtual_sol,
                virtual_token: curve.virtual_token,
                platform_fee_bps: self.properties_account.platform_fee_bps,
                timestamp: Clock::get()?.unix_timestamp,
            },
            &self.log_authority_account,
            logging_account_bump,
        )
    }
}
