//! The two accounts as Anchor reads and writes them. Their fields are in the interface crate.

#[cfg(test)]
mod tests;

use anchor_lang::prelude::*;
use curvekit_interface::{
    accounts,
    constants::{STATUS_FINALIZED, STATUS_MIGRATED, STATUS_TRADING},
    settings,
};

use crate::{constants::PROPERTIES_BUMP, curve::Reserves, error::BondingCurveError};

macro_rules! anchor_account {
    (
        $(#[$doc:meta])*
        $name:ident / $bytes:ident = $discriminator:tt { $($(#[$field_doc:meta])* $field:ident: $type:ident,)* }
    ) => {
        $(#[$doc])*
        #[account]
        #[derive(Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl $name {
            /// Bytes of the account, discriminator included.
            pub const SIZE: usize = accounts::$name::SIZE;
        }
    };
}

curvekit_interface::token_owner_data!(anchor_account);
curvekit_interface::properties!(anchor_account);

impl TokenOwnerData {
    pub const TRADING: u8 = STATUS_TRADING;
    pub const FINALIZED: u8 = STATUS_FINALIZED;
    pub const MIGRATED: u8 = STATUS_MIGRATED;

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

    /// What holds after every instruction.
    pub fn invariant(&self) -> Result<()> {
        let holds = accounts::TokenOwnerData::holds(self.initialized, self.reserves());
        require!(holds, BondingCurveError::LogicalError);
        Ok(())
    }
}

impl Properties {
    pub const INITIALIZED: u8 = accounts::Properties::INITIALIZED;

    /// What holds for any settings.
    pub fn invariant(&self) -> Result<()> {
        let &Self { initialized, bump, initial_virtual_sol, initial_virtual_token, platform_fee_bps } = self;
        let holds = initialized == Self::INITIALIZED
            && bump == PROPERTIES_BUMP
            && settings::accepts(initial_virtual_sol, initial_virtual_token, platform_fee_bps);
        require!(holds, BondingCurveError::LogicalError);
        Ok(())
    }
}
