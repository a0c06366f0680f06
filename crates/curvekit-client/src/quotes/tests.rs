use super::*;
use crate::errors::CurveError;

const SOL: u64 = 1_000_000_000;
const CURVE: CurveState = CurveState {
    reserves: Reserves { virtual_sol: 30 * SOL, virtual_token: 1_073_000_000_000_000 },
    platform_fee_bps: 100,
    status: 1,
    circulating: None,
};

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
