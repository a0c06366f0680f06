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
    token::{self, TokenAccount},
};

use super::{issued::is_issued, metaplex, CreateToken, TokenTerms};
use crate::{
    constants::{COMMUNITY_TOKEN_SEED, COMMUNITY_WSOL_SEED, TOKEN_DECIMALS, TOKEN_OWNER_SEED, TOKEN_SUPPLY},
    error::BondingCurveError,
    pda,
};

/// Instruction of the associated-token program: fails when the account exists.
const CREATE_ASSOCIATED_ACCOUNT: u8 = 0;

/// Instruction of the token program: makes a mint.
const INITIALIZE_MINT_2: u8 = 20;
const NO_FREEZE_AUTHORITY: u8 = 0;
const INITIALIZE_MINT_BYTES: usize = 1 + 1 + 32 + 1;
/// Instruction of the token program: executes others, each after the numbers of its accounts and of its bytes.
const BATCH: u8 = 255;
/// The beginning of `InitializeAccount3` in a batch, before the owner.
const INITIALIZE_ACCOUNT_3: [u8; 3] = [2, 33, 18];
/// The beginning of `MintTo` in a batch, before the amount.
const MINT_TO: [u8; 3] = [3, 9, 7];
/// `SetAuthority` in a batch: of the mint's tokens, to nobody.
const END_MINT_AUTHORITY: [u8; 5] = [2, 3, 6, 0, 0];
const BATCH_BYTES: usize = 1 + 2 * (3 + 32) + (3 + 8) + 5;
/// A mint before it is initialised.
const BLANK: [u8; 82] = [0; 82];

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
        let data = self.token_mint.try_borrow_data()?;
        // In one comparison. The token program refuses a mint of another size.
        let blank =
            BLANK.get(..data.len()).map_or_else(|| data.iter().all(|byte| *byte == 0), |zeros| *zeros == **data);
        drop(data);
        require!(blank, BondingCurveError::LogicalError);
        let mut data = Vec::with_capacity(INITIALIZE_MINT_BYTES);
        data.extend_from_slice(&[INITIALIZE_MINT_2, TOKEN_DECIMALS]);
        data.extend_from_slice(self.token_owner_pda.key.as_ref());
        data.push(NO_FREEZE_AUTHORITY);
        let accounts = vec![AccountMeta::new(self.token_mint.key(), false)];
        Ok(invoke(&Instruction { program_id: token::ID, accounts, data }, &[self.token_mint.to_account_info()])?)
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

    /// The accounts of the two community storages. `issue` makes token accounts of them.
    pub(super) fn create_storages(&self, mint: &Pubkey) -> Result<()> {
        let wsol = &self.after_migration_community_contribution_wsol_storage;
        let token = &self.after_migration_community_contribution_token_storage;
        self.create_storage(wsol, &[COMMUNITY_WSOL_SEED, mint.as_ref()])?;
        self.create_storage(token, &[COMMUNITY_TOKEN_SEED, mint.as_ref()])
    }

    fn create_storage(&self, storage: &AccountInfo<'info>, seeds: &[&[u8]; 2]) -> Result<()> {
        let (address, bump) =
            Pubkey::derive_program_address(seeds, &crate::ID).ok_or(BondingCurveError::LogicalError)?;
        require_keys_eq!(*storage.key, address, BondingCurveError::LogicalError);
        let payer = &self.payer_account;
        pda::create_account(payer, storage, TokenAccount::LEN, &token::ID, &[seeds[0], seeds[1], &[bump]])
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

    /// Makes the two community storages token accounts of the DEX owner, puts the whole supply into the vault, and ends the mint
    /// authority: nobody can ever make more. In one call: each of its own costs a thousand compute units more.
    pub(super) fn issue(&self, curve_seeds: &[&[u8]]) -> Result<()> {
        let (mint, curve, vault) = (&self.token_mint, &self.token_owner_pda, &self.token_owner_token_account);
        let wsol_storage = &self.after_migration_community_contribution_wsol_storage;
        let token_storage = &self.after_migration_community_contribution_token_storage;
        let mut data = Vec::with_capacity(BATCH_BYTES);
        data.push(BATCH);
        for _ in [wsol_storage, token_storage] {
            data.extend_from_slice(&INITIALIZE_ACCOUNT_3);
            data.extend_from_slice(self.dex_owner.key.as_ref());
        }
        data.extend_from_slice(&MINT_TO);
        data.extend_from_slice(&TOKEN_SUPPLY.to_le_bytes());
        data.extend_from_slice(&END_MINT_AUTHORITY);
        let by_curve = AccountMeta::new_readonly(curve.key(), true);
        let accounts = vec![
            AccountMeta::new(wsol_storage.key(), false),
            AccountMeta::new_readonly(self.native_mint.key(), false),
            AccountMeta::new(token_storage.key(), false),
            AccountMeta::new(mint.key(), false),
            AccountMeta::new(mint.key(), false),
            AccountMeta::new(vault.key(), false),
            by_curve.clone(),
            AccountMeta::new(mint.key(), false),
            by_curve,
        ];
        let account_infos = [wsol_storage, &self.native_mint, token_storage, mint, vault, curve]
            .map(|account| account.to_account_info());
        Ok(invoke_signed(&Instruction { program_id: token::ID, accounts, data }, &account_infos, &[curve_seeds])?)
    }

    /// Metaplex was called with the curve's signature, and the curve could issue: what there is now, must be the supply.
    pub(super) fn require_issued(&self) -> Result<()> {
        let (mint, vault) = (self.token_mint.try_borrow_data()?, self.token_owner_token_account.try_borrow_data()?);
        require!(is_issued(&mint, &vault), BondingCurveError::LogicalError);
        Ok(())
    }
}
