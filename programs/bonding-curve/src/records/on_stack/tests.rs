use anchor_lang::{Event, InstructionData};
use proptest::prelude::*;

use super::*;
use crate::{instruction::ValidateLogRecord, records};

proptest! {
    #[test]
    fn given_any_trade_when_it_is_logged_then_the_bytes_are_anchors(
        mint: [u8; 32], trader: [u8; 32], is_buy: bool, sol_amount: u64, token_amount: u64, fee: u64,
        reserves in any::<(u64, u64)>(), finalized: bool, timestamp: i64,
    ) {
        let (mint, trader) = (Address::from(mint), Address::from(trader));
        let (virtual_sol, virtual_token) = reserves;
        let call = TradeCall::new(TradeRecord {
            mint, trader, is_buy, sol_amount, token_amount, fee, virtual_sol, virtual_token, finalized, timestamp,
        });

        let mut expected = ValidateLogRecord { logging_account_bump: LOGGING_AUTHORITY_BUMP }.data();
        expected.extend(records::TradeRecord {
            mint, trader, is_buy, sol_amount, token_amount, fee, virtual_sol, virtual_token, finalized, timestamp,
        }.data());
        prop_assert_eq!(bytemuck::bytes_of(&call), expected);
    }

    #[test]
    fn given_any_migration_when_it_is_logged_then_the_bytes_are_anchors(
        mint: [u8; 32], fee_account: [u8; 32], sol_amount: u64, token_amount: u64, timestamp: i64,
    ) {
        let (mint, fee_account) = (Address::from(mint), Address::from(fee_account));
        let record = MigrateRecord { mint, fee_account, sol_amount, token_amount, timestamp }.bytes();
        let expected = records::MigrateRecord { mint, fee_account, sol_amount, token_amount, timestamp }.data();
        prop_assert_eq!(bytemuck::bytes_of(&record), expected);
    }
}
