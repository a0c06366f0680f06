//! Accounts of the SPL Token program, as far as a curve is concerned.

use bytemuck::{Pod, Zeroable};
use solana_address::Address;

/// A token account as it lies in memory.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct TokenAccount {
    /// The token.
    pub mint: Address,
    /// The wallet or PDA whose tokens these are.
    pub owner: Address,
    /// The tokens in base units.
    pub amount: [u8; 8],
    delegate: [u8; 36],
    /// 0 blank, 1 initialized, 2 frozen.
    pub state: u8,
    is_native: [u8; 12],
    delegated_amount: [u8; 8],
    close_authority: [u8; 36],
}

impl TokenAccount {
    /// Size in bytes.
    pub const SIZE: usize = size_of::<Self>();
    /// `state` of a blank account.
    pub const UNINITIALIZED: u8 = 0;
    /// `state` of an account that can receive and send.
    pub const INITIALIZED: u8 = 1;

    /// The tokens in base units.
    #[inline(always)]
    pub fn amount(&self) -> u64 {
        u64::from_le_bytes(self.amount)
    }
}

/// A mint as it lies in memory.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct Mint {
    has_mint_authority: [u8; 4],
    mint_authority: Address,
    /// What was issued and not burnt, in base units.
    pub supply: [u8; 8],
    /// A token has this many decimal places.
    pub decimals: u8,
    /// 1 once there is a mint.
    pub is_initialized: u8,
    has_freeze_authority: [u8; 4],
    freeze_authority: Address,
}

impl Mint {
    /// Size in bytes.
    pub const SIZE: usize = size_of::<Self>();

    /// What was issued and not burnt, in base units.
    pub fn supply(&self) -> u64 {
        u64::from_le_bytes(self.supply)
    }

    /// Whether nobody can issue more, or freeze what was issued.
    pub fn has_no_authority(&self) -> bool {
        self.has_mint_authority == [0; 4] && self.has_freeze_authority == [0; 4]
    }
}

/// Amount of an SPL token account in base units. `None` when the data is not a token account of `mint`.
pub fn token_amount(data: &[u8], mint: &Address) -> Option<u64> {
    let account = bytemuck::try_from_bytes::<TokenAccount>(data).ok()?;
    (account.mint == *mint).then(|| account.amount())
}

#[cfg(test)]
mod tests {
    use std::vec;

    use super::*;

    #[test]
    fn given_a_token_account_when_its_amount_is_read_then_only_that_of_the_mint_counts() {
        let mint = Address::new_from_array([7; 32]);
        let mut data = vec![0; 165];
        data[..32].copy_from_slice(mint.as_array());
        data[64..72].copy_from_slice(&5u64.to_le_bytes());
        assert_eq!(token_amount(&data, &mint), Some(5));
        assert_eq!(token_amount(&data, &Address::default()), None);
        assert_eq!(token_amount(&data[..164], &mint), None);
        assert_eq!(token_amount(&[], &mint), None);
    }
}
