//! Builders of instructions. They derive all other addresses and bumps, and refuse arguments that the program would
//! refuse. They need no private keys.

mod around;
mod create_token;
mod graduate;
mod migrate;
mod trades;

pub use around::{create_mint_account, create_token_account_if_missing, MINT_ACCOUNT_RENT, MINT_ACCOUNT_SIZE};
pub use create_token::{create_token, CreateToken};
pub use graduate::{graduate, GRADUATE_COMPUTE_UNITS};
pub use migrate::{migrate, Migrate};
#[cfg(feature = "jupiter")]
pub(crate) use trades::{buy_accounts, sell_accounts};
pub use trades::{buy_token, sell_token, BuyToken, SellToken};

use solana_instruction::AccountMeta;
use solana_pubkey::Pubkey;

/// The first 8 bytes of the data of each instruction.
pub mod discriminators {
    /// `create_token`
    pub const CREATE_TOKEN: [u8; 8] = [84, 52, 204, 228, 24, 140, 234, 75];
    /// `buy_token`
    pub const BUY_TOKEN: [u8; 8] = [138, 127, 14, 91, 38, 87, 115, 105];
    /// `sell_token`
    pub const SELL_TOKEN: [u8; 8] = [109, 61, 40, 187, 230, 176, 135, 174];
    /// `migrate`
    pub const MIGRATE: [u8; 8] = [155, 234, 231, 146, 236, 158, 162, 30];
    /// `graduate`, of the graduation program
    pub const GRADUATE: [u8; 8] = [45, 235, 225, 181, 17, 218, 64, 130];
    /// `validate_log_record`, of both programs
    pub const VALIDATE_LOG_RECORD: [u8; 8] = [172, 61, 131, 190, 98, 217, 155, 176];
}

fn writable(address: Pubkey) -> AccountMeta {
    AccountMeta::new(address, false)
}

fn readonly(address: Pubkey) -> AccountMeta {
    AccountMeta::new_readonly(address, false)
}

fn signer(address: Pubkey) -> AccountMeta {
    AccountMeta::new(address, true)
}
