use proptest::prelude::*;

use super::*;
use crate::errors::CurveError;

const SOL: u64 = 1_000_000_000;
const CURVE: CurveState = CurveState {
    reserves: Reserves { virtual_sol: 30 * SOL, virtual_token: 1_073_000_000_000_000 },
    platform_fee_bps: 100,
    status: 1,
    circulating: None,
};

fn curves() -> impl Strategy<Value = CurveState> {
    let tokens = GRADUATION_VIRTUAL_TOKEN + 1_000_000_000..1_073_000_000_000_000u64;
    (SOL..1_000 * SOL, tokens, 0..=MAX_PLATFORM_FEE_BPS).prop_map(|(virtual_sol, virtual_token, platform_fee_bps)| {
        CurveState { reserves: Reserves { virtual_sol, virtual_token }, platform_fee_bps, ..CURVE }
    })
}

proptest! {
    #[test]
    fn given_any_buy_when_it_is_quoted_then_the_program_accepts_its_minimum(
        curve in curves(), sol in 1_000_000..500 * SOL, slippage in 0u16..=10_000,
    ) {
        let quote = quote_buy(&curve, sol, slippage).unwrap();
        let trade =
            buy(curve.reserves, curve.platform_fee_bps, GRADUATION_VIRTUAL_TOKEN, sol, quote.min_token_to_receive).unwrap();
        prop_assert_eq!((trade.token_out, trade.sol_in()), (quote.token_out, quote.sol_spent));
        prop_assert!(quote.sol_spent <= sol && (quote.clipped || quote.sol_spent == sol));
    }

    #[test]
    fn given_any_tokens_when_they_are_bought_exactly_then_a_lamport_less_is_not_enough(
        curve in curves(), share in 1u64..=1_000_000,
    ) {
        let available = curve.reserves.virtual_token - GRADUATION_VIRTUAL_TOKEN;
        let wanted = (u128::from(available) * u128::from(share) / 1_000_000) as u64;
        let quote = quote_buy_exact_out(&curve, wanted, 0).unwrap();
        prop_assert!(quote.token_out >= wanted);
        prop_assert_eq!(quote.min_token_to_receive, wanted);
        let less = quote_buy(&curve, quote.sol_to_spend - 1, 0);
        prop_assert!(less.map_or(true, |less| less.token_out < wanted));
    }

    #[test]
    fn given_any_lamports_when_they_are_sold_for_exactly_then_a_unit_less_is_not_enough(
        curve in curves(), share in 1u64..400_000,
    ) {
        let wanted = (u128::from(curve.reserves.virtual_sol) * u128::from(share) / 1_000_000) as u64;
        let quote = quote_sell_exact_out(&curve, wanted, 0).unwrap();
        prop_assert!(quote.sol_out >= wanted);
        let less = quote_sell(&curve, quote.token_to_spend - 1, 0);
        prop_assert!(less.map_or(true, |less| less.sol_out < wanted));
    }
}

#[test]
fn given_a_curve_that_does_not_trade_when_it_is_quoted_then_trading_is_closed() {
    for status in [0, 2, 3, 4] {
        let closed = CurveState { status, ..CURVE };
        let expected = QuoteError::TradingClosed { status };
        assert_eq!(quote_buy(&closed, SOL, 0), Err(expected.clone()));
        assert_eq!(quote_sell(&closed, SOL, 0), Err(expected.clone()));
        assert_eq!(quote_buy_exact_out(&closed, SOL, 0), Err(expected.clone()));
        assert_eq!(quote_sell_exact_out(&closed, SOL, 0), Err(expected.clone()));
        assert_eq!(expected.program_error(), Some(CurveError::TradingClosed));
    }
}

#[test]
fn given_arguments_out_of_range_when_they_are_quoted_then_the_error_names_value_and_limit() {
    let problem = |error: QuoteError| error.to_string();
    let high = CurveState { platform_fee_bps: 1_001, ..CURVE };
    assert_eq!(
        problem(quote_buy(&high, SOL, 0).unwrap_err()),
        "platform_fee_bps is 1001 basis points; it must be at most 1000"
    );
    assert_eq!(
        problem(quote_buy_exact_out(&CURVE, 793_000_000_000_001, 0).unwrap_err()),
        "token_to_receive is 793000000000001; the curve sells only 793000000000000 more, ask for at most that"
    );
    assert_eq!(
        problem(quote_sell(&CURVE.with_circulating(9), 10, 0).unwrap_err()),
        "token_to_spend is 10; only 9 units are in circulation, sell at most these"
    );
    assert!(quote_sell(&CURVE.with_circulating(SOL), SOL, 0).is_ok());
    let error = quote_sell_exact_out(&CURVE, 30 * SOL, 0).unwrap_err();
    assert_eq!(
        problem(error),
        "sol_to_receive is 30000000000; no amount that fits 64 bits yields as much on this curve"
    );
    assert_eq!(quote_buy(&CURVE, 0, 0).unwrap_err().program_error(), Some(CurveError::LogicalError));
    assert_eq!(problem(quote_buy_exact_out(&CURVE, 0, 0).unwrap_err()), "token_to_receive is 0; it must be at least 1");
    assert_eq!(quote_buy(&CURVE, SOL, 10_001).unwrap_err().program_error(), None);
}

#[test]
fn given_more_sol_than_the_curve_takes_when_it_is_quoted_then_the_buy_is_clipped_and_its_minimum_binds_the_price() {
    let quote = quote_buy(&CURVE, 1_000 * SOL, 0).unwrap();
    assert!(quote.clipped && quote.graduates);
    assert_eq!((quote.token_out, quote.sol_spent), (793_000_000_000_000, 85_822_510_824));
    let with = |minimum| buy(CURVE.reserves, 100, GRADUATION_VIRTUAL_TOKEN, 1_000 * SOL, minimum);
    assert!(with(quote.min_token_to_receive).is_ok());
    assert_eq!(with(quote.min_token_to_receive + 1), Err(TradeError::Slippage));
}
