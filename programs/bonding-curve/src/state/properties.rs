use anchor_lang::prelude::*;

use crate::{
    constants::{GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS, PROPERTIES_BUMP, TOKEN_SUPPLY},
    curve::product,
    error::BondingCurveError,
};

/// The launchpad's settings: one account, changed by the admin only.
#[account]
#[derive(Debug, PartialEq, Eq, InitSpace)]
pub struct Properties {
    /// 1 once the admin has set the properties.
    pub initialized: u8,
    /// Canonical bump of this account's address.
    pub bump: u8,
    /// Virtual SOL reserve of new curves in lamports.
    pub initial_virtual_sol: u64,
    /// Virtual token reserve of new curves in smallest units.
    pub initial_virtual_token: u64,
    /// Platform fee of every trade in basis points, read live.
    pub platform_fee_bps: u16,
}

impl Properties {
    pub const INITIALIZED: u8 = 1;

    /// Bytes of the account, discriminator included.
    pub const SIZE: usize = Self::DISCRIMINATOR.len().saturating_add(Self::INIT_SPACE);

    /// What holds for any settings: a positive SOL reserve, a fee within its maximum, a token reserve from which the
    /// supply suffices to reach graduation without the vault ever owing more than it holds, and a SOL reserve at
    /// graduation that fits u64 (else no curve could graduate).
    pub fn invariant(&self) -> Result<()> {
        let most_virtual_token = TOKEN_SUPPLY.saturating_add(GRADUATION_VIRTUAL_TOKEN);
        let holds = self.initialized == Self::INITIALIZED
            && self.bump == PROPERTIES_BUMP
            && self.initial_virtual_sol > 0
            && self.initial_virtual_token > TOKEN_SUPPLY
            && self.initial_virtual_token < most_virtual_token
            && product(self.initial_virtual_sol, self.initial_virtual_token)
                <= product(GRADUATION_VIRTUAL_TOKEN, u64::MAX)
            && self.platform_fee_bps <= MAX_PLATFORM_FEE_BPS;
        require!(holds, BondingCurveError::LogicalError);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: Properties = Properties {
        initialized: 1,
        bump: PROPERTIES_BUMP,
        initial_virtual_sol: 30_000_000_000,
        initial_virtual_token: 1_073_000_000_000_000,
        platform_fee_bps: 100,
    };

    #[test]
    fn given_properties_when_they_are_written_then_their_bytes_are_these() -> Result<()> {
        let properties = Properties {
            initialized: 1,
            bump: 0xfe,
            initial_virtual_sol: 0x0102_0304_0506_0708,
            initial_virtual_token: 0x1112_1314_1516_1718,
            platform_fee_bps: 0x2122,
        };
        let mut bytes = Vec::new();
        properties.try_serialize(&mut bytes)?;
        assert_eq!(bytes.len(), Properties::SIZE);
        assert_eq!(bytes[..8], [159, 174, 50, 69, 56, 172, 223, 135]);
        assert_eq!(bytes[8..10], [1, 0xfe]);
        assert_eq!(bytes[10..18], [8, 7, 6, 5, 4, 3, 2, 1]);
        assert_eq!(bytes[18..26], [0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11]);
        assert_eq!(bytes[26..28], [0x22, 0x21]);
        assert_eq!(Properties::try_deserialize(&mut bytes.as_slice())?, properties);
        Ok(())
    }

    #[test]
    fn given_each_field_at_its_bounds_when_checked_then_only_the_inside_passes() {
        assert!(DEFAULT.invariant().is_ok());
        let token = |initial_virtual_token| Properties { initial_virtual_token, ..DEFAULT }.invariant();
        assert!(token(TOKEN_SUPPLY).is_err());
        assert!(token(TOKEN_SUPPLY + 1).is_ok());
        assert!(token(TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1).is_ok());
        assert!(token(TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN).is_err());
        let sol = |initial_virtual_sol| Properties { initial_virtual_sol, ..DEFAULT }.invariant();
        assert!(sol(0).is_err());
        assert!(sol(1).is_ok());
        // 280e12 · (2^64 − 1) / 1,073e12
        assert!(sol(4_813_689_040_669_780_477).is_ok());
        assert!(sol(4_813_689_040_669_780_478).is_err());
        assert!(sol(u64::MAX).is_err());
        let fee = |platform_fee_bps| Properties { platform_fee_bps, ..DEFAULT }.invariant();
        assert!(fee(0).is_ok());
        assert!(fee(MAX_PLATFORM_FEE_BPS).is_ok());
        assert!(fee(MAX_PLATFORM_FEE_BPS + 1).is_err());
        assert!(Properties { initialized: 0, ..DEFAULT }.invariant().is_err());
        assert!(Properties { bump: PROPERTIES_BUMP.wrapping_sub(1), ..DEFAULT }.invariant().is_err());
    }
}
