//! Accounts and instruction data as they lie in memory: fields of bytes only, so that there is no padding and no
//! alignment to care for. The tests compare each with what Anchor writes or reads.

use anchor_lang::error::ErrorCode;
use bytemuck::{Pod, Zeroable};
use pinocchio::Address;

use super::{refusal, Result};
use crate::curve::Reserves;

/// The arguments of `buy_token` and of `sell_token`. Anchor ignores bytes behind them, and so do these.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct TradeArguments {
    pub pda_token_nonce: u8,
    amount: [u8; 8],
    minimum: [u8; 8],
    pub logging_account_bump: u8,
}

impl TradeArguments {
    #[inline(always)]
    pub fn read(arguments: &[u8]) -> Result<&Self> {
        let bytes = arguments.get(..size_of::<Self>()).and_then(|bytes| bytemuck::try_from_bytes(bytes).ok());
        bytes.ok_or_else(|| refusal(ErrorCode::InstructionDidNotDeserialize))
    }

    #[inline(always)]
    pub fn amount(&self) -> u64 {
        u64::from_le_bytes(self.amount)
    }

    #[inline(always)]
    pub fn minimum(&self) -> u64 {
        u64::from_le_bytes(self.minimum)
    }
}

/// The account of a `TokenOwnerData`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct Curve {
    discriminator: [u8; 8],
    pub initialized: u8,
    virtual_sol: [u8; 8],
    virtual_token: [u8; 8],
    after_migration_fee: [u8; 2],
    after_migration_burn_bp: [u8; 2],
}

impl Curve {
    #[inline(always)]
    pub fn reserves(&self) -> Reserves {
        Reserves {
            virtual_sol: u64::from_le_bytes(self.virtual_sol),
            virtual_token: u64::from_le_bytes(self.virtual_token),
        }
    }

    #[inline(always)]
    pub fn set_reserves(&mut self, reserves: Reserves) {
        self.virtual_sol = reserves.virtual_sol.to_le_bytes();
        self.virtual_token = reserves.virtual_token.to_le_bytes();
    }
}

/// The account of the `Properties`.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct Settings {
    discriminator: [u8; 8],
    initialized: u8,
    bump: u8,
    initial_virtual_sol: [u8; 8],
    initial_virtual_token: [u8; 8],
    platform_fee_bps: [u8; 2],
}

impl Settings {
    #[inline(always)]
    pub fn platform_fee_bps(&self) -> u16 {
        u16::from_le_bytes(self.platform_fee_bps)
    }
}

/// The account of an SPL token account.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct TokenAccount {
    pub mint: Address,
    pub owner: Address,
    amount: [u8; 8],
    delegate: [u8; 36],
    pub state: u8,
    is_native: [u8; 12],
    delegated_amount: [u8; 8],
    close_authority: [u8; 36],
}

impl TokenAccount {
    pub const UNINITIALIZED: u8 = 0;

    #[inline(always)]
    pub fn amount(&self) -> u64 {
        u64::from_le_bytes(self.amount)
    }
}

#[cfg(test)]
mod tests {
    use anchor_lang::{AccountSerialize, InstructionData};
    use anchor_spl::token::spl_token;
    use proptest::prelude::*;
    use spl_token::solana_program::{program_option::COption, program_pack::Pack};

    use super::*;
    use crate::{
        instruction::{BuyToken, SellToken},
        state::{Properties, TokenOwnerData},
    };

    fn written(account: &impl AccountSerialize) -> Vec<u8> {
        let mut bytes = Vec::new();
        account.try_serialize(&mut bytes).unwrap();
        bytes
    }

    proptest! {
        #[test]
        fn given_any_curve_when_it_is_viewed_then_it_says_what_anchor_wrote(
            initialized: u8, virtual_sol: u64, virtual_token: u64, after_migration_fee: u16, after_migration_burn_bp: u16,
            after in any::<(u8, u64, u64)>(),
        ) {
            let mut data = TokenOwnerData {
                initialized, virtual_sol, virtual_token, after_migration_fee, after_migration_burn_bp,
            };
            let mut bytes = written(&data);
            let curve = bytemuck::from_bytes_mut::<Curve>(&mut bytes);
            prop_assert_eq!(curve.initialized, initialized);
            prop_assert_eq!(curve.reserves(), data.reserves());

            data.initialized = after.0;
            data.set_reserves(Reserves { virtual_sol: after.1, virtual_token: after.2 });
            curve.initialized = after.0;
            curve.set_reserves(data.reserves());
            prop_assert_eq!(bytes, written(&data));
        }

        #[test]
        fn given_any_properties_when_they_are_viewed_then_they_say_what_anchor_wrote(
            initialized: u8, bump: u8, initial_virtual_sol: u64, initial_virtual_token: u64, platform_fee_bps: u16,
        ) {
            let properties = Properties { initialized, bump, initial_virtual_sol, initial_virtual_token, platform_fee_bps };
            let bytes = written(&properties);
            prop_assert_eq!(bytemuck::from_bytes::<Settings>(&bytes).platform_fee_bps(), platform_fee_bps);
        }

        #[test]
        fn given_any_arguments_when_they_are_read_then_they_are_what_anchor_wrote(
            pda_token_nonce: u8, amount: u64, minimum: u64, logging_account_bump: u8, rest: Vec<u8>,
        ) {
            let buy = BuyToken {
                pda_token_nonce, sol_to_spend: amount, min_token_to_receive: minimum, logging_account_bump,
            };
            let sell = SellToken {
                pda_token_nonce, token_to_spend: amount, min_sol_to_receive: minimum, logging_account_bump,
            };
            for mut data in [buy.data(), sell.data()] {
                for length in 8..data.len() {
                    prop_assert!(TradeArguments::read(&data[8..length]).is_err());
                }
                data.extend_from_slice(&rest);
                let read = TradeArguments::read(&data[8..]).unwrap();
                prop_assert_eq!((read.pda_token_nonce, read.logging_account_bump), (pda_token_nonce, logging_account_bump));
                prop_assert_eq!((read.amount(), read.minimum()), (amount, minimum));
            }
        }

        #[test]
        fn given_any_token_account_when_it_is_viewed_then_it_says_what_the_token_program_wrote(
            mint: [u8; 32], owner: [u8; 32], amount: u64, delegate: Option<[u8; 32]>, frozen: bool,
            is_native: Option<u64>, delegated_amount: u64, close_authority: Option<[u8; 32]>,
        ) {
            let key = |key: Option<[u8; 32]>| key.map_or(COption::None, |key| COption::Some(Address::from(key)));
            let account = spl_token::state::Account {
                mint: mint.into(),
                owner: owner.into(),
                amount,
                delegate: key(delegate),
                state: match frozen {
                    true => spl_token::state::AccountState::Frozen,
                    false => spl_token::state::AccountState::Initialized,
                },
                is_native: is_native.map_or(COption::None, COption::Some),
                delegated_amount,
                close_authority: key(close_authority),
            };
            let mut bytes = [0; spl_token::state::Account::LEN];
            account.pack_into_slice(&mut bytes);
            let view = bytemuck::from_bytes::<TokenAccount>(&bytes);
            prop_assert_eq!((view.mint, view.owner, view.amount()), (mint.into(), owner.into(), amount));
            prop_assert_eq!(view.state, if frozen { 2 } else { 1 });
        }
    }

    #[test]
    fn given_a_blank_token_account_when_it_is_viewed_then_it_is_uninitialized() {
        let bytes = [0; spl_token::state::Account::LEN];
        assert_eq!(bytemuck::from_bytes::<TokenAccount>(&bytes).state, TokenAccount::UNINITIALIZED);
    }
}
