use anchor_lang::{solana_program::program_pack::Pack, AccountDeserialize, AccountSerialize, Discriminator};
use anchor_spl::token::spl_token::state::{Account, AccountState, Mint};
use proptest::prelude::*;

use super::*;
use crate::{
    curve::Reserves,
    state::{Properties, TokenOwnerData},
};
use curvekit_interface::{
    accounts::PropertiesBytes,
    token::{Mint as MintBytes, TokenAccount},
};
use pinocchio::Address;

fn written(account: &impl AccountSerialize) -> Vec<u8> {
    let mut bytes = Vec::new();
    account.try_serialize(&mut bytes).unwrap();
    bytes
}

proptest! {
    #[test]
    fn given_any_curve_when_it_is_viewed_then_each_field_is_what_anchor_wrote(
        initialized: u8, virtual_sol: u64, virtual_token: u64, after_migration_fee: u16, after_migration_burn_bp: u16,
    ) {
        let data = TokenOwnerData {
            initialized, virtual_sol, virtual_token, after_migration_fee, after_migration_burn_bp,
        };
        let bytes = written(&data);
        let curve = bytemuck::from_bytes::<TokenOwnerDataBytes>(&bytes);
        prop_assert_eq!(curve.discriminator, TokenOwnerData::DISCRIMINATOR);
        prop_assert_eq!(curve.initialized, initialized);
        prop_assert_eq!(curve.virtual_sol, virtual_sol.to_le_bytes());
        prop_assert_eq!(curve.virtual_token, virtual_token.to_le_bytes());
        prop_assert_eq!(curve.after_migration_fee, after_migration_fee.to_le_bytes());
        prop_assert_eq!(curve.after_migration_burn_bp, after_migration_burn_bp.to_le_bytes());
        prop_assert_eq!(curve.reserves(), data.reserves());
        prop_assert_eq!(require_invariant(curve).is_ok(), data.invariant().is_ok());
    }

    #[test]
    fn given_any_curve_when_its_view_is_changed_then_anchor_reads_the_change_and_nothing_else(
        initialized: u8, virtual_sol: u64, virtual_token: u64, after_migration_fee: u16, after_migration_burn_bp: u16,
        after in any::<(u8, u64, u64)>(),
    ) {
        let mut data = TokenOwnerData {
            initialized, virtual_sol, virtual_token, after_migration_fee, after_migration_burn_bp,
        };
        let mut bytes = written(&data);
        data.initialized = after.0;
        data.set_reserves(Reserves { virtual_sol: after.1, virtual_token: after.2 });

        let curve = bytemuck::from_bytes_mut::<TokenOwnerDataBytes>(&mut bytes);
        curve.initialized = after.0;
        curve.set_reserves(data.reserves());
        prop_assert_eq!(TokenOwnerData::try_deserialize(&mut bytes.as_slice()).unwrap(), data);
    }

    #[test]
    fn given_any_properties_when_they_are_viewed_then_each_field_is_what_anchor_wrote(
        initialized: u8, bump: u8, initial_virtual_sol: u64, initial_virtual_token: u64, platform_fee_bps: u16,
    ) {
        let properties = Properties { initialized, bump, initial_virtual_sol, initial_virtual_token, platform_fee_bps };
        let bytes = written(&properties);
        let view = bytemuck::from_bytes::<PropertiesBytes>(&bytes);
        prop_assert_eq!(view.discriminator, Properties::DISCRIMINATOR);
        prop_assert_eq!((view.initialized, view.bump), (initialized, bump));
        prop_assert_eq!(view.initial_virtual_sol, initial_virtual_sol.to_le_bytes());
        prop_assert_eq!(view.initial_virtual_token, initial_virtual_token.to_le_bytes());
        prop_assert_eq!(view.platform_fee_bps(), platform_fee_bps);
    }

    #[test]
    fn given_any_token_account_when_it_is_viewed_then_it_says_what_the_token_program_wrote(
        mint: [u8; 32], owner: [u8; 32], amount: u64, delegate: Option<[u8; 32]>, frozen: bool,
        is_native: Option<u64>, delegated_amount: u64, close_authority: Option<[u8; 32]>,
    ) {
        let account = Account {
            mint: mint.into(),
            owner: owner.into(),
            amount,
            delegate: delegate.map(Address::from).into(),
            state: match frozen {
                true => AccountState::Frozen,
                false => AccountState::Initialized,
            },
            is_native: is_native.into(),
            delegated_amount,
            close_authority: close_authority.map(Address::from).into(),
        };
        let mut bytes = [0; Account::LEN];
        account.pack_into_slice(&mut bytes);
        let view = bytemuck::from_bytes::<TokenAccount>(&bytes);
        prop_assert_eq!((view.mint, view.owner, view.amount()), (mint.into(), owner.into(), amount));
        prop_assert_eq!(view.state, if frozen { 2 } else { 1 });
    }

    #[test]
    fn given_any_mint_when_it_is_viewed_then_it_says_what_the_token_program_wrote(
        mint_authority: Option<[u8; 32]>, supply: u64, decimals: u8, freeze_authority: Option<[u8; 32]>,
    ) {
        let mint = Mint {
            mint_authority: mint_authority.map(Address::from).into(),
            supply,
            decimals,
            is_initialized: true,
            freeze_authority: freeze_authority.map(Address::from).into(),
        };
        let mut bytes = [0; Mint::LEN];
        mint.pack_into_slice(&mut bytes);
        let view = bytemuck::from_bytes::<MintBytes>(&bytes);
        prop_assert_eq!((view.supply(), view.decimals, view.is_initialized), (supply, decimals, 1));
        prop_assert_eq!(view.has_no_authority(), mint_authority.is_none() && freeze_authority.is_none());
    }
}

#[test]
fn given_a_blank_token_account_when_it_is_viewed_then_it_is_uninitialized() {
    let bytes = [0; Account::LEN];
    assert_eq!(bytemuck::from_bytes::<TokenAccount>(&bytes).state, TokenAccount::UNINITIALIZED);
}
