//! Builders of instructions. They derive all other addresses and bumps, and refuse arguments that the program would
//! refuse. They need no private keys.

mod around;
mod create_token;
mod graduate;
mod migrate;
pub(crate) mod trades;

pub use around::{create_mint_account, create_token_account_if_missing, MINT_ACCOUNT_SIZE};
pub use create_token::{create_token, CreateToken};
pub use graduate::{graduate, GRADUATE_COMPUTE_UNITS};
pub use migrate::{migrate, Migrate};
pub use trades::{buy_token, sell_token, BuyToken, SellToken};

use solana_instruction::AccountMeta;
use solana_pubkey::Pubkey;

pub use curvekit_interface::instructions::discriminators;
use curvekit_interface::instructions::Role;

/// The accounts of an instruction, by the interface's list of them.
fn metas<const N: usize>(accounts: [(Pubkey, Role); N]) -> Vec<AccountMeta> {
    let meta = |(pubkey, Role { signer, writable })| AccountMeta { pubkey, is_signer: signer, is_writable: writable };
    accounts.map(meta).to_vec()
}
