//! Addresses derived from a mint, and the creation of accounts at such addresses.

use anchor_lang::{
    prelude::*,
    solana_program::{instruction::Instruction, program::invoke_signed, system_instruction},
    system_program,
};
use anchor_spl::{associated_token, token};
use bytemuck::{Pod, Zeroable};
use pinocchio::address::address_eq;
use solana_sha256_hasher::hash;

use crate::{constants::TOKEN_OWNER_SEED, error::BondingCurveError, rent};

/// The number of the System program's instruction.
const CREATE_ACCOUNT: [u8; 4] = [0; 4];
const CREATE_ACCOUNT_BYTES: usize = 4 + 8 + 8 + 32;

/// What the runtime appends to the seeds of every program-derived address.
const PDA_MARKER: &[u8; 21] = b"ProgramDerivedAddress";

const CURVE_SEED: [u8; TOKEN_OWNER_SEED.len()] = match TOKEN_OWNER_SEED.first_chunk() {
    Some(seed) => *seed,
    None => panic!("it is that long"),
};

/// Whether `curve`, an account that this program owns, is the curve account of `mint`, derived with `nonce`.
///
/// One hash suffices, without the costly question whether the address is off the ed25519 curve: the account exists and
/// is this program's, so `create_token` made it, with the canonical nonce, and a hash over any other is another address.
pub fn is_curve_of(mint: &Pubkey, nonce: u8, curve: &Pubkey) -> bool {
    hashes_to(curve, &CurvePreimage { seed: CURVE_SEED, mint: *mint, nonce, program: crate::ID, marker: *PDA_MARKER })
}

/// Whether `vault` is the associated token account of `curve`.
///
/// The bump is not known here, and a search with `find_program_address` costs 1,500 compute units for each step, since
/// it asks whether every candidate is off the ed25519 curve. Without that question a step costs a tenth, and the answer
/// is as sure: no token account can exist at the address of any other bump, because the associated-token program signs
/// for the canonical one alone, and nobody has the key to a hash that happens to lie on the ed25519 curve.
pub fn is_vault_of(curve: &Pubkey, mint: &Pubkey, vault: &Pubkey) -> bool {
    let mut preimage = VaultPreimage {
        owner: *curve,
        token_program: token::ID,
        mint: *mint,
        bump: 0,
        program: associated_token::ID,
        marker: *PDA_MARKER,
    };
    (0..=u8::MAX).rev().any(|bump| {
        preimage.bump = bump;
        hashes_to(vault, &preimage)
    })
}

#[inline(always)]
fn hashes_to<T: Pod>(address: &Pubkey, preimage: &T) -> bool {
    address_eq(&Pubkey::from(hash(bytemuck::bytes_of(preimage)).to_bytes()), address)
}

/// What is hashed into the address of a curve. In one piece, as every slice of a hash costs extra.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct CurvePreimage {
    seed: [u8; CURVE_SEED.len()],
    mint: Pubkey,
    nonce: u8,
    program: Pubkey,
    marker: [u8; PDA_MARKER.len()],
}

/// What is hashed into the address of a vault.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct VaultPreimage {
    owner: Pubkey,
    token_program: Pubkey,
    mint: Pubkey,
    bump: u8,
    program: Pubkey,
    marker: [u8; PDA_MARKER.len()],
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
    let rent = rent::exemption(space)?;
    let space = u64::try_from(space).map_err(|_| BondingCurveError::LogicalError)?;
    let funded = account.lamports();
    if funded == 0 {
        let create = create_account_call(payer.key, account.key, rent, space, owner);
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

/// `system_instruction::create_account` without bincode, which costs compute units.
fn create_account_call(payer: &Pubkey, account: &Pubkey, lamports: u64, space: u64, owner: &Pubkey) -> Instruction {
    let mut data = Vec::with_capacity(CREATE_ACCOUNT_BYTES);
    data.extend_from_slice(&CREATE_ACCOUNT);
    data.extend_from_slice(&lamports.to_le_bytes());
    data.extend_from_slice(&space.to_le_bytes());
    data.extend_from_slice(owner.as_ref());
    let accounts = vec![AccountMeta::new(*payer, true), AccountMeta::new(*account, true)];
    Instruction { program_id: system_program::ID, accounts, data }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_any_account_when_it_is_created_then_the_call_is_the_system_programs() {
        let [payer, account, owner] = [(); 3].map(|()| Pubkey::new_unique());
        for (lamports, space) in [(0, 0), (1, 165), (u64::MAX, u64::MAX)] {
            let expected = system_instruction::create_account(&payer, &account, lamports, space, &owner);
            assert_eq!(create_account_call(&payer, &account, lamports, space, &owner), expected);
        }
    }

    #[test]
    fn given_many_curves_when_their_vault_is_asked_for_then_only_the_associated_account_passes() {
        let passes = |curve: &Pubkey, mint: &Pubkey, vault: &Pubkey| {
            let passes = is_vault_of(curve, mint, vault);
            assert_eq!(passes, associated_token::get_associated_token_address(curve, mint) == *vault);
            passes
        };
        for _ in 0..200 {
            let (curve, mint) = (Pubkey::new_unique(), Pubkey::new_unique());
            let vault = associated_token::get_associated_token_address(&curve, &mint);
            assert!(passes(&curve, &mint, &vault));
            assert!(!passes(&mint, &curve, &vault));
            assert!(!passes(&curve, &Pubkey::new_unique(), &vault));
            assert!(!passes(&curve, &mint, &Pubkey::new_unique()));
        }
    }

    #[test]
    fn given_every_nonce_when_the_curve_is_asked_for_then_only_the_one_that_made_it_passes() {
        let mint = Pubkey::new_unique();
        let (curve, canonical) = Pubkey::find_program_address(&[TOKEN_OWNER_SEED, mint.as_ref()], &crate::ID);
        for nonce in 0..=u8::MAX {
            assert_eq!(is_curve_of(&mint, nonce, &curve), nonce == canonical);
            let derived = Pubkey::create_program_address(&[TOKEN_OWNER_SEED, mint.as_ref(), &[nonce]], &crate::ID);
            assert_eq!(derived == Ok(curve), nonce == canonical);
        }
    }
}
