//! Addresses derived from a mint, and the creation of accounts at such addresses.

use anchor_lang::{
    prelude::*,
    solana_program::{program::invoke_signed, system_instruction},
};
use anchor_spl::associated_token::get_associated_token_address_with_program_id;

use crate::{constants::TOKEN_OWNER_SEED, error::BondingCurveError};

/// Requires `curve` to be the curve account of `mint`, derived with `nonce`: `BondingCurveDoesNotMatchMint`.
///
/// Enough for an existing curve account: `create_token` made it with the canonical nonce, so a derivation with any
/// other ends at an address where there is no curve.
pub fn require_curve_of(mint: &Pubkey, nonce: u8, curve: &Pubkey) -> Result<()> {
    let derived = Pubkey::create_program_address(&[TOKEN_OWNER_SEED, mint.as_ref(), &[nonce]], &crate::ID);
    require!(derived.is_ok_and(|address| address == *curve), BondingCurveError::BondingCurveDoesNotMatchMint);
    Ok(())
}

/// Requires `vault` to be the associated token account of `curve`: `BondingCurveDoesNotMatchMint`.
pub fn require_vault_of(curve: &Pubkey, mint: &Pubkey, token_program: &Pubkey, vault: &Pubkey) -> Result<()> {
    let derived = get_associated_token_address_with_program_id(curve, mint, token_program);
    require!(derived == *vault, BondingCurveError::BondingCurveDoesNotMatchMint);
    Ok(())
}

/// Creates a rent-exempt account of `space` bytes, owned by `owner`, at the address that `seeds` derive.
///
/// Anyone may have sent lamports to the address ahead: they count towards the rent and do not block the creation.
/// `payer` pays the rest; nothing is asked of it when nothing is missing.
pub fn create_account<'info>(
    payer: &AccountInfo<'info>,
    account: &AccountInfo<'info>,
    space: usize,
    owner: &Pubkey,
    seeds: &[&[u8]],
) -> Result<()> {
    let rent = Rent::get()?.minimum_balance(space);
    let space = u64::try_from(space).map_err(|_| BondingCurveError::LogicalError)?;
    let funded = account.lamports();
    if funded == 0 {
        let create = system_instruction::create_account(payer.key, account.key, rent, space, owner);
        return Ok(invoke_signed(&create, &[payer.clone(), account.clone()], &[seeds])?);
    }
    if let Some(missing) = rent.checked_sub(funded).filter(|missing| *missing > 0) {
        let transfer = system_instruction::transfer(payer.key, account.key, missing);
        invoke_signed(&transfer, &[payer.clone(), account.clone()], &[])?;
    }
    let account_infos = std::slice::from_ref(account);
    invoke_signed(&system_instruction::allocate(account.key, space), account_infos, &[seeds])?;
    invoke_signed(&system_instruction::assign(account.key, owner), account_infos, &[seeds])?;
    Ok(())
}
