//! Decodes account data. The caller must check that the account belongs to the bonding-curve program: anyone can write
//! the same bytes into an account of another program.

use core::{error::Error, fmt};

use bytemuck::{Pod, Zeroable};

use crate::{
    constants::{GRADUATION_VIRTUAL_TOKEN, STATUS_FINALIZED, STATUS_MIGRATED, STATUS_TRADING},
    curve::Reserves,
    Fixed, Read,
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

/// Passes the fields of a `TokenOwnerData` to a macro.
#[macro_export]
macro_rules! token_owner_data {
    ($declare:ident) => {
        $declare! {
            /// One token's curve. Its account is a PDA that also holds the SOL of the curve and owns the vault.
            ///
            /// `initialized` runs 0 (none) → 1 (trading) → 2 (finalized: graduated, no trades) → 3 (migrated), never back.
            TokenOwnerData / TokenOwnerDataBytes = [83, 18, 112, 20, 26, 99, 35, 89] {
                /// State of the curve: 1 trading, 2 finalized, 3 migrated.
                initialized: u8,
                /// Virtual SOL reserve in lamports. Moves with trades only, never with lamports sent to the account.
                virtual_sol: u64,
                /// Virtual token reserve in smallest units.
                virtual_token: u64,
                /// Share of the migrated liquidity that the operator contributes to the community storages, in basis points.
                after_migration_fee: u16,
                /// Share of the token side of a community settlement that is burned, in basis points.
                after_migration_burn_bp: u16,
            }
        }
    };
}

/// Passes the fields of the `Properties` to a macro.
#[macro_export]
macro_rules! properties {
    ($declare:ident) => {
        $declare! {
            /// The launchpad's settings: one account, changed by the admin only.
            Properties / PropertiesBytes = [159, 174, 50, 69, 56, 172, 223, 135] {
                /// 1 once the admin has set the properties.
                initialized: u8,
                /// Canonical bump of this account's address.
                bump: u8,
                /// Virtual SOL reserve of new curves in lamports.
                initial_virtual_sol: u64,
                /// Virtual token reserve of new curves in smallest units.
                initial_virtual_token: u64,
                /// Platform fee of every trade in basis points, read live.
                platform_fee_bps: u16,
            }
        }
    };
}

token_owner_data!(fixed);
properties!(fixed);

impl TokenOwnerData {
    /// Decodes the data of a curve account.
    ///
    /// # Errors
    /// [`DecodeError`] for data of another length or with another discriminator.
    pub fn decode(data: &[u8]) -> Result<Self, DecodeError> {
        decode("TokenOwnerData", Self::SIZE, data)
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

    /// What holds after every instruction: a known state, a positive SOL reserve, and a token reserve that is at the
    /// graduation reserve exactly when trading has ended.
    #[inline(always)]
    pub fn holds(initialized: u8, reserves: Reserves) -> bool {
        reserves.virtual_sol > 0
            && match initialized {
                STATUS_TRADING => reserves.virtual_token > GRADUATION_VIRTUAL_TOKEN,
                STATUS_FINALIZED | STATUS_MIGRATED => reserves.virtual_token == GRADUATION_VIRTUAL_TOKEN,
                _ => false,
            }
    }
}

impl TokenOwnerDataBytes {
    /// The two virtual reserves.
    #[inline(always)]
    pub fn reserves(&self) -> Reserves {
        Reserves {
            virtual_sol: u64::from_le_bytes(self.virtual_sol),
            virtual_token: u64::from_le_bytes(self.virtual_token),
        }
    }

    /// Changes the two virtual reserves.
    #[inline(always)]
    pub fn set_reserves(&mut self, reserves: Reserves) {
        self.virtual_sol = reserves.virtual_sol.to_le_bytes();
        self.virtual_token = reserves.virtual_token.to_le_bytes();
    }
}

impl PropertiesBytes {
    /// Platform fee of every trade in basis points.
    #[inline(always)]
    pub fn platform_fee_bps(&self) -> u16 {
        u16::from_le_bytes(self.platform_fee_bps)
    }
}

impl Properties {
    /// `initialized` of settings that the admin has set.
    pub const INITIALIZED: u8 = 1;

    /// Decodes the data of the settings account.
    ///
    /// # Errors
    /// [`DecodeError`] for data of another length or with another discriminator.
    pub fn decode(data: &[u8]) -> Result<Self, DecodeError> {
        decode("Properties", Self::SIZE, data)
    }
}

fn decode<T: Read>(account: &'static str, expected_length: usize, mut data: &[u8]) -> Result<T, DecodeError> {
    let error = DecodeError { account, length: data.len(), expected_length };
    if data.len() != expected_length {
        return Err(error);
    }
    T::read(&mut data).ok_or(error)
}

#[cfg(test)]
mod tests {
    use std::{format, string::ToString};

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
}
