//! Addresses derived from a mint, and the creation of accounts at such addresses.

use anchor_lang::{
    prelude::*,
    solana_program::{program::invoke_signed, system_instruction},
};
use anchor_spl::{associated_token, token};
use solana_sha256_hasher::hashv;

use crate::{constants::TOKEN_OWNER_SEED, error::BondingCurveError};

/// What the runtime appends to the seeds of every program-derived address.
const PDA_MARKER: &[u8] = b"ProgramDerivedAddress";

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
///
/// The bump is not known here, and a search with `find_program_address` costs 1,500 compute units for each step, since
/// it asks whether every candidate is off the ed25519 curve. Without that question a step costs a tenth, and the answer
/// is as sure: no token account can exist at the address of any other bump, because the associated-token program signs
/// for the canonical one alone, and nobody has the key to a hash that happens to lie on the ed25519 curve.
pub fn require_vault_of(curve: &Pubkey, mint: &Pubkey, vault: &Pubkey) -> Result<()> {
    let (owner, token_program, mint) = (curve.as_ref(), token::ID.as_ref(), mint.as_ref());
    let program = associated_token::ID.as_ref();
    let matches = |bump| hashv(&[owner, token_program, mint, &[bump], program, PDA_MARKER]).as_ref() == vault.as_ref();
    require!((0..=u8::MAX).rev().any(matches), BondingCurveError::BondingCurveDoesNotMatchMint);
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

#[cfg(test)]
mod tests {
    use anchor_spl::associated_token::get_associated_token_address;

    use super::*;

    #[test]
    fn given_many_curves_when_their_vault_is_asked_for_then_only_the_associated_account_passes() {
        for _ in 0..200 {
            let (curve, mint) = (Pubkey::new_unique(), Pubkey::new_unique());
            let vault = get_associated_token_address(&curve, &mint);
            assert!(require_vault_of(&curve, &mint, &vault).is_ok());
            assert!(require_vault_of(&mint, &curve, &vault).is_err());
            assert!(require_vault_of(&curve, &Pubkey::new_unique(), &vault).is_err());
            assert!(require_vault_of(&curve, &mint, &Pubkey::new_unique()).is_err());
        }
    }

    #[test]
    fn given_every_nonce_when_the_curve_is_asked_for_then_only_the_one_that_made_it_passes() {
        let mint = Pubkey::new_unique();
        let (curve, canonical) = Pubkey::find_program_address(&[TOKEN_OWNER_SEED, mint.as_ref()], &crate::ID);
        for nonce in 0..=u8::MAX {
            assert_eq!(require_curve_of(&mint, nonce, &curve).is_ok(), nonce == canonical);
        }
    }
}
