//! The steps of `create_token`: each makes one thing that every token has, by a call to the program that owns it.

use anchor_lang::{
    prelude::*,
    solana_program::{
        instruction::Instruction,
        program::{invoke, invoke_signed},
    },
};
use anchor_spl::{
    associated_token,
    token::{self, spl_token::instruction::AuthorityType, TokenAccount},
};

use super::{issued::is_issued, metaplex, CreateToken, TokenTerms};
use crate::{
    constants::{COMMUNITY_TOKEN_SEED, COMMUNITY_WSOL_SEED, TOKEN_DECIMALS, TOKEN_OWNER_SEED, TOKEN_SUPPLY},
    error::BondingCurveError,
    pda,
};

/// Instruction of the associated-token program: fails when the account exists.
const CREATE_ASSOCIATED_ACCOUNT: u8 = 0;

impl<'info> CreateToken<'info> {
    /// The curve signs calls of other programs here, and must not pay for what they do.
    pub(super) fn require_other_payer(&self) -> Result<()> {
        require_keys_neq!(*self.payer_account.key, *self.token_owner_pda.key, BondingCurveError::LogicalError);
        Ok(())
    }

    /// The curve account, its nonce and the vault must be the mint's, the nonce the canonical one.
    pub(super) fn require_own_addresses(&self, mint: &Pubkey, nonce: u8) -> Result<()> {
        let (curve, vault) = (self.token_owner_pda.key(), self.token_owner_token_account.key());
        let derived = Pubkey::derive_program_address(&[TOKEN_OWNER_SEED, mint.as_ref()], &crate::ID);
        let matches = derived == Some((curve, nonce)) && pda::is_vault_of(&curve, mint, &vault);
        require!(matches, BondingCurveError::BondingCurveDoesNotMatchMint);
        Ok(())
    }

    /// No freeze authority; the curve is the mint authority until the supply is issued.
    pub(super) fn initialize_mint(&self) -> Result<()> {
        let blank = self.token_mint.try_borrow_data()?.iter().all(|byte| *byte == 0);
        require!(blank, BondingCurveError::LogicalError);
        let accounts = token::InitializeMint2 { mint: self.token_mint.to_account_info() };
        token::initialize_mint2(CpiContext::new(token::ID, accounts), TOKEN_DECIMALS, self.token_owner_pda.key, None)
    }

    /// The call is built here: the associated-token program's own builder would search for the address, which is known.
    pub(super) fn create_vault(&self) -> Result<()> {
        let call = Instruction {
            program_id: associated_token::ID,
            accounts: vec![
                AccountMeta::new(self.payer_account.key(), true),
                AccountMeta::new(self.token_owner_token_account.key(), false),
                AccountMeta::new_readonly(self.token_owner_pda.key(), false),
                AccountMeta::new_readonly(self.token_mint.key(), false),
                AccountMeta::new_readonly(self.system_program.key(), false),
                AccountMeta::new_readonly(self.token_program.key(), false),
            ],
            data: vec![CREATE_ASSOCIATED_ACCOUNT],
        };
        let accounts = [
            self.payer_account.to_account_info(),
            self.token_owner_token_account.to_account_info(),
            self.token_owner_pda.to_account_info(),
            self.token_mint.to_account_info(),
            self.system_program.to_account_info(),
            self.token_program.to_account_info(),
        ];
        Ok(invoke(&call, &accounts)?)
    }

    /// The two community storages, owned by the DEX owner.
    pub(super) fn create_storages(&self, mint: &Pubkey) -> Result<()> {
        self.create_storage(
            &self.after_migration_community_contribution_wsol_storage,
            &self.native_mint,
            &[COMMUNITY_WSOL_SEED, mint.as_ref()],
        )?;
        self.create_storage(
            &self.after_migration_community_contribution_token_storage,
            &self.token_mint,
            &[COMMUNITY_TOKEN_SEED, mint.as_ref()],
        )
    }

    fn create_storage(
        &self,
        storage: &AccountInfo<'info>,
        mint: &AccountInfo<'info>,
        seeds: &[&[u8]; 2],
    ) -> Result<()> {
        let (address, bump) =
            Pubkey::derive_program_address(seeds, &crate::ID).ok_or(BondingCurveError::LogicalError)?;
        require_keys_eq!(*storage.key, address, BondingCurveError::LogicalError);
        let payer = self.payer_account.to_account_info();
        pda::create_account(&payer, storage, TokenAccount::LEN, &token::ID, &[seeds[0], seeds[1], &[bump]])?;
        token::initialize_account3(CpiContext::new(
            token::ID,
            token::InitializeAccount3 {
                account: storage.clone(),
                mint: mint.clone(),
                authority: self.dex_owner.to_account_info(),
            },
        ))
    }

    /// Metaplex metadata that nobody can change: not mutable, and its update authority is the curve.
    pub(super) fn create_metadata(&self, terms: &TokenTerms, curve_seeds: &[&[u8]]) -> Result<()> {
        let accounts = metaplex::Accounts {
            metadata: self.token_metadata.key,
            mint: self.token_mint.key,
            authority: self.token_owner_pda.key,
            payer: self.payer_account.key,
        };
        let call = metaplex::create_metadata(accounts, [&terms.name, &terms.symbol, &terms.uri])?;
        let accounts = [
            self.token_metadata.to_account_info(),
            self.token_mint.to_account_info(),
            self.token_owner_pda.to_account_info(),
            self.payer_account.to_account_info(),
            self.system_program.to_account_info(),
        ];
        Ok(invoke_signed(&call, &accounts, &[curve_seeds])?)
    }

    /// The whole supply into the vault, then no mint authority: nobody can ever make more.
    pub(super) fn issue_supply(&self, curve_seeds: &[&[u8]]) -> Result<()> {
        let mint = self.token_mint.to_account_info();
        let curve = self.token_owner_pda.to_account_info();
        let to = self.token_owner_token_account.to_account_info();
        let signer = &[curve_seeds];
        let issue = token::MintTo { mint: mint.clone(), to, authority: curve.clone() };
        token::mint_to(CpiContext::new_with_signer(token::ID, issue, signer), TOKEN_SUPPLY)?;
        let revoke = token::SetAuthority { current_authority: curve, account_or_mint: mint };
        token::set_authority(CpiContext::new_with_signer(token::ID, revoke, signer), AuthorityType::MintTokens, None)
    }

    /// Metaplex was called with the curve's signature, and the curve could issue: what there is now, must be the supply.
    pub(super) fn require_issued(&self) -> Result<()> {
        let (mint, vault) = (self.token_mint.try_borrow_data()?, self.token_owner_token_account.try_borrow_data()?);
        require!(is_issued(&mint, &vault), BondingCurveError::LogicalError);
        Ok(())
    }
}
