//! Decodes account data. The caller must check that the account belongs to the bonding-curve program: anyone can write
//! the same bytes into an account of another program.

use std::{error::Error, fmt};

use crate::{
    bytes::Reader,
    constants::{STATUS_FINALIZED, STATUS_MIGRATED, STATUS_TRADING},
    curve::Reserves,
};

/// The data is not an account of the expected type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeError {
    /// Name of the expected account type.
    pub account: &'static str,
    /// Length of the data in bytes.
    pub length: usize,
    /// Length of the expected account type in bytes.
    pub expected_length: usize,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { account, length, expected_length } = self;
        if length == expected_length {
            return write!(f, "the data is not a {account}: its discriminator differs; check the address");
        }
        write!(f, "the data has {length} bytes; a {account} has {expected_length}; check the address")
    }
}

impl Error for DecodeError {}

/// A token's bonding curve account. It also holds the curve's SOL and owns the vault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenOwnerData {
    /// Status of the curve: 1 trading, 2 finalized, 3 migrated.
    pub initialized: u8,
    /// Virtual SOL reserve in lamports.
    pub virtual_sol: u64,
    /// Virtual token reserve in base units.
    pub virtual_token: u64,
    /// Share of the migrated liquidity for the community storages, in basis points.
    pub after_migration_fee: u16,
    /// Burned share of the token side of a community settlement, in basis points.
    pub after_migration_burn_bp: u16,
}

impl TokenOwnerData {
    /// Discriminator: the first 8 bytes of the data.
    pub const DISCRIMINATOR: [u8; 8] = [83, 18, 112, 20, 26, 99, 35, 89];
    /// Size of the account in bytes, including the discriminator.
    pub const SIZE: usize = 29;

    /// Decodes the data of a curve account.
    ///
    /// # Errors
    /// [`DecodeError`] for data of another length or with another discriminator.
    pub fn decode(data: &[u8]) -> Result<Self, DecodeError> {
        decode("TokenOwnerData", &Self::DISCRIMINATOR, Self::SIZE, data, |fields| {
            Some(Self {
                initialized: fields.u8()?,
                virtual_sol: fields.u64()?,
                virtual_token: fields.u64()?,
                after_migration_fee: fields.u16()?,
                after_migration_burn_bp: fields.u16()?,
            })
        })
    }

    /// The two virtual reserves.
    pub fn reserves(&self) -> Reserves {
        Reserves { virtual_sol: self.virtual_sol, virtual_token: self.virtual_token }
    }

    /// Whether the curve accepts trades.
    pub fn is_trading(&self) -> bool {
        self.initialized == STATUS_TRADING
    }

    /// Whether the curve has sold out and is not migrated yet.
    pub fn is_finalized(&self) -> bool {
        self.initialized == STATUS_FINALIZED
    }

    /// Whether the curve is migrated.
    pub fn is_migrated(&self) -> bool {
        self.initialized == STATUS_MIGRATED
    }
}

/// The launchpad's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Properties {
    /// 1 once the admin has set the properties.
    pub initialized: u8,
    /// Canonical bump of the account's address.
    pub bump: u8,
    /// Virtual SOL reserve of new curves in lamports.
    pub initial_virtual_sol: u64,
    /// Virtual token reserve of new curves in base units.
    pub initial_virtual_token: u64,
    /// Platform fee in basis points. Every trade reads the current value.
    pub platform_fee_bps: u16,
}

impl Properties {
    /// Discriminator: the first 8 bytes of the data.
    pub const DISCRIMINATOR: [u8; 8] = [159, 174, 50, 69, 56, 172, 223, 135];
    /// Size of the account in bytes, including the discriminator.
    pub const SIZE: usize = 28;

    /// Decodes the data of the settings account.
    ///
    /// # Errors
    /// [`DecodeError`] for data of another length or with another discriminator.
    pub fn decode(data: &[u8]) -> Result<Self, DecodeError> {
        decode("Properties", &Self::DISCRIMINATOR, Self::SIZE, data, |fields| {
            Some(Self {
                initialized: fields.u8()?,
                bump: fields.u8()?,
                initial_virtual_sol: fields.u64()?,
                initial_virtual_token: fields.u64()?,
                platform_fee_bps: fields.u16()?,
            })
        })
    }
}

fn decode<T>(
    account: &'static str,
    discriminator: &[u8; 8],
    expected_length: usize,
    data: &[u8],
    read: impl FnOnce(&mut Reader) -> Option<T>,
) -> Result<T, DecodeError> {
    let error = DecodeError { account, length: data.len(), expected_length };
    if data.len() != expected_length {
        return Err(error);
    }
    Reader::after(discriminator, data).as_mut().and_then(read).ok_or(error)
}

/// Amount of an SPL token account in base units. `None` when the data is not a token account of `mint`.
pub fn token_amount(data: &[u8], mint: &solana_pubkey::Pubkey) -> Option<u64> {
    let amount = data.get(64..72)?.first_chunk::<8>()?;
    (data.len() == 165 && data.get(..32)? == mint.as_array()).then_some(u64::from_le_bytes(*amount))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn given_the_bytes_that_the_program_writes_when_they_are_decoded_then_every_field_is_in_its_place() {
        let mut curve = TokenOwnerData::DISCRIMINATOR.to_vec();
        curve.extend([
            1, 8, 7, 6, 5, 4, 3, 2, 1, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, 0x22, 0x21, 0x32, 0x31,
        ]);
        let expected = TokenOwnerData {
            initialized: 1,
            virtual_sol: 0x0102_0304_0506_0708,
            virtual_token: 0x1112_1314_1516_1718,
            after_migration_fee: 0x2122,
            after_migration_burn_bp: 0x3132,
        };
        assert_eq!(TokenOwnerData::decode(&curve), Ok(expected));

        let mut properties = Properties::DISCRIMINATOR.to_vec();
        properties.extend([1, 255, 8, 7, 6, 5, 4, 3, 2, 1, 0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, 100, 0]);
        let expected = Properties {
            initialized: 1,
            bump: 255,
            initial_virtual_sol: 0x0102_0304_0506_0708,
            initial_virtual_token: 0x1112_1314_1516_1718,
            platform_fee_bps: 100,
        };
        assert_eq!(Properties::decode(&properties), Ok(expected));
    }

    #[test]
    fn given_data_of_another_kind_or_length_when_it_is_decoded_then_the_error_says_which() {
        let mut curve = TokenOwnerData::DISCRIMINATOR.to_vec();
        curve.resize(TokenOwnerData::SIZE, 0);
        assert!(TokenOwnerData::decode(&curve).is_ok());
        for length in (0..TokenOwnerData::SIZE).chain([TokenOwnerData::SIZE + 1]) {
            let mut data = curve.clone();
            data.resize(length, 0);
            let error = TokenOwnerData::decode(&data).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("the data has {length} bytes; a TokenOwnerData has 29; check the address")
            );
        }
        curve[0] ^= 1;
        let error = TokenOwnerData::decode(&curve).unwrap_err();
        assert_eq!(error.to_string(), "the data is not a TokenOwnerData: its discriminator differs; check the address");
        assert!(Properties::decode(&curve[..Properties::SIZE]).is_err());
    }

    #[test]
    fn given_a_token_account_when_its_amount_is_read_then_only_that_of_the_mint_counts() {
        let mint = solana_pubkey::Pubkey::new_from_array([7; 32]);
        let mut data = vec![0; 165];
        data[..32].copy_from_slice(mint.as_array());
        data[64..72].copy_from_slice(&5u64.to_le_bytes());
        assert_eq!(token_amount(&data, &mint), Some(5));
        assert_eq!(token_amount(&data, &solana_pubkey::Pubkey::default()), None);
        assert_eq!(token_amount(&data[..164], &mint), None);
        assert_eq!(token_amount(&[], &mint), None);
    }
}
