use anchor_lang::prelude::*;

use crate::{
    constants::{GRADUATION_VIRTUAL_TOKEN, STATUS_FINALIZED, STATUS_MIGRATED, STATUS_TRADING},
    curve::Reserves,
    error::BondingCurveError,
};

/// One token's curve. Its account is a PDA that also holds the SOL of the curve and owns the vault.
///
/// `initialized` runs 0 (none) → 1 (trading) → 2 (finalized: graduated, no trades) → 3 (migrated), never back.
#[account]
#[derive(Debug, PartialEq, Eq, InitSpace)]
pub struct TokenOwnerData {
    /// State of the curve: 1 trading, 2 finalized, 3 migrated.
    pub initialized: u8,
    /// Virtual SOL reserve in lamports. Moves with trades only, never with lamports sent to the account.
    pub virtual_sol: u64,
    /// Virtual token reserve in smallest units.
    pub virtual_token: u64,
    /// Share of the migrated liquidity that the operator contributes to the community storages, in basis points.
    pub after_migration_fee: u16,
    /// Share of the token side of a community settlement that is burned, in basis points.
    pub after_migration_burn_bp: u16,
}

impl TokenOwnerData {
    pub const TRADING: u8 = STATUS_TRADING;
    pub const FINALIZED: u8 = STATUS_FINALIZED;
    pub const MIGRATED: u8 = STATUS_MIGRATED;

    /// Bytes of the account, discriminator included.
    pub const SIZE: usize = Self::DISCRIMINATOR.len().saturating_add(Self::INIT_SPACE);

    pub fn reserves(&self) -> Reserves {
        Reserves { virtual_sol: self.virtual_sol, virtual_token: self.virtual_token }
    }

    pub fn set_reserves(&mut self, reserves: Reserves) {
        self.virtual_sol = reserves.virtual_sol;
        self.virtual_token = reserves.virtual_token;
    }

    pub fn require_trading(&self) -> Result<()> {
        require!(self.initialized == Self::TRADING, BondingCurveError::TradingClosed);
        Ok(())
    }

    /// What holds after every instruction: a known state, a positive SOL reserve, and a token reserve that is at the
    /// graduation reserve exactly when trading has ended.
    pub fn invariant(&self) -> Result<()> {
        require!(Self::holds(self.initialized, self.reserves()), BondingCurveError::LogicalError);
        Ok(())
    }

    /// Whether a curve may be in this state with these reserves.
    pub fn holds(initialized: u8, reserves: Reserves) -> bool {
        reserves.virtual_sol > 0
            && match initialized {
                Self::TRADING => reserves.virtual_token > GRADUATION_VIRTUAL_TOKEN,
                Self::FINALIZED | Self::MIGRATED => reserves.virtual_token == GRADUATION_VIRTUAL_TOKEN,
                _ => false,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRADING: TokenOwnerData = TokenOwnerData {
        initialized: TokenOwnerData::TRADING,
        virtual_sol: 0x0102_0304_0506_0708,
        virtual_token: 0x1112_1314_1516_1718,
        after_migration_fee: 0x2122,
        after_migration_burn_bp: 0x3132,
    };

    #[test]
    fn given_a_curve_when_it_is_written_then_its_bytes_are_these() -> Result<()> {
        let mut bytes = Vec::new();
        TRADING.try_serialize(&mut bytes)?;
        assert_eq!(bytes.len(), TokenOwnerData::SIZE);
        assert_eq!(bytes[..8], [83, 18, 112, 20, 26, 99, 35, 89]);
        assert_eq!(bytes[8], 1);
        assert_eq!(bytes[9..17], [8, 7, 6, 5, 4, 3, 2, 1]);
        assert_eq!(bytes[17..25], [0x18, 0x17, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11]);
        assert_eq!(bytes[25..27], [0x22, 0x21]);
        assert_eq!(bytes[27..29], [0x32, 0x31]);
        assert_eq!(TokenOwnerData::try_deserialize(&mut bytes.as_slice())?, TRADING);
        Ok(())
    }

    #[test]
    fn given_every_state_when_the_reserve_is_on_the_wrong_side_then_the_invariant_fails() {
        let curve = |initialized, virtual_token| TokenOwnerData { initialized, virtual_token, ..TRADING };
        assert!(curve(1, GRADUATION_VIRTUAL_TOKEN + 1).invariant().is_ok());
        assert!(curve(1, GRADUATION_VIRTUAL_TOKEN).invariant().is_err());
        for closed in [2, 3] {
            assert!(curve(closed, GRADUATION_VIRTUAL_TOKEN).invariant().is_ok());
            assert!(curve(closed, GRADUATION_VIRTUAL_TOKEN + 1).invariant().is_err());
            assert!(curve(closed, GRADUATION_VIRTUAL_TOKEN - 1).invariant().is_err());
        }
        assert!(curve(0, GRADUATION_VIRTUAL_TOKEN + 1).invariant().is_err());
        assert!(curve(4, GRADUATION_VIRTUAL_TOKEN).invariant().is_err());
        assert!(TokenOwnerData { virtual_sol: 0, ..TRADING }.invariant().is_err());
    }

    #[test]
    fn given_every_state_when_a_trade_asks_then_only_trading_lets_it_pass() {
        for initialized in 0..=u8::MAX {
            let allowed = TokenOwnerData { initialized, ..TRADING }.require_trading().is_ok();
            assert_eq!(allowed, initialized == TokenOwnerData::TRADING);
        }
    }
}
