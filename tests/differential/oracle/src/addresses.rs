//! Derives addresses with the runtime's and the associated-token program's own functions.

use anchor_lang::prelude::*;
use anchor_spl::associated_token::get_associated_token_address;
use bonding_curve::constants::TOKEN_OWNER_SEED;

pub fn is_curve_of(mint: &Pubkey, nonce: u8, curve: &Pubkey) -> bool {
    Pubkey::create_program_address(&[TOKEN_OWNER_SEED, mint.as_ref(), &[nonce]], &bonding_curve::ID) == Ok(*curve)
}

pub fn is_vault_of(curve: &Pubkey, mint: &Pubkey, vault: &Pubkey) -> bool {
    get_associated_token_address(curve, mint) == *vault
}
