//! Property tests of the curve's invariants, numbered as in the module's documentation. `PROPTEST_CASES` sets the
//! number of cases of each.

use proptest::prelude::*;

use super::*;
use crate::constants::{GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS, TOKEN_SUPPLY};

const DEFAULT: Reserves = Reserves { virtual_sol: 30_000_000_000, virtual_token: 1_073_000_000_000_000 };

/// Amounts of every order of magnitude, the extremes included.
fn amount() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => (0u32..64, any::<u64>()).prop_map(|(bits, random)| random >> bits),
        1 => 0u64..100,
        1 => (0u64..100).prop_map(|below| u64::MAX - below),
    ]
}

fn fee_bps() -> impl Strategy<Value = u16> {
    prop_oneof![0..=MAX_PLATFORM_FEE_BPS, Just(0), Just(MAX_PLATFORM_FEE_BPS)]
}

/// Reserves that settings can start from and trades can lead to.
fn reserves() -> impl Strategy<Value = Reserves> {
    let tokens = GRADUATION_VIRTUAL_TOKEN + 1..TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN;
    prop_oneof![
        3 => (1u64..100_000_000_000_000, tokens.clone())
            .prop_map(|(virtual_sol, virtual_token)| Reserves { virtual_sol, virtual_token }),
        1 => (amount().prop_map(|sol| sol.max(1)), tokens)
            .prop_map(|(virtual_sol, virtual_token)| Reserves { virtual_sol, virtual_token }),
        1 => Just(DEFAULT),
        1 => (1u64..1_000_000_000_000, 1u64..1_000_000).prop_map(|(virtual_sol, above)| Reserves {
            virtual_sol,
            virtual_token: GRADUATION_VIRTUAL_TOKEN + above,
        }),
    ]
}

fn buy_any(reserves: Reserves, fee_bps: u16, sol: u64) -> Result<Buy, TradeError> {
    buy(reserves, fee_bps, GRADUATION_VIRTUAL_TOKEN, sol, 0)
}

fn k(reserves: Reserves) -> u128 {
    product(reserves.virtual_sol, reserves.virtual_token)
}

proptest! {
    #[test]
    fn invariant_1_the_product_of_the_reserves_never_decreases(
        start in reserves(), bps in fee_bps(), sol in amount(), tokens in amount()
    ) {
        if let Ok(bought) = buy_any(start, bps, sol) {
            prop_assert!(k(bought.reserves) >= k(start));
        }
        if let Ok(sold) = sell(start, bps, tokens, 0) {
            prop_assert!(k(sold.reserves) >= k(start));
        }
    }

    #[test]
    fn invariant_2_buying_and_selling_back_never_profits_in_any_split(
        start in reserves(), bps in fee_bps(), sol in amount(), buys in 1u64..5, cuts in prop::collection::vec(any::<u16>(), 0..5)
    ) {
        let (mut now, mut paid, mut held) = (start, 0u128, 0u64);
        for _ in 0..buys {
            let Ok(bought) = buy_any(now, bps, sol / buys) else { break };
            now = bought.reserves;
            paid += u128::from(bought.sol_in());
            held += bought.token_out;
            if bought.graduates { break }
        }
        let (bought_in_all, mut received) = (held, 0u128);
        let parts = cuts.into_iter().map(|cut| product(bought_in_all, cut.into()) >> 16);
        for part in parts.chain([u128::from(bought_in_all)]) {
            let part = u64::try_from(part).unwrap_or(held).min(held);
            if let Ok(sold) = sell(now, bps, part, 0) {
                now = sold.reserves;
                received += u128::from(sold.sol_out);
                held -= part;
            }
        }
        prop_assert!(received <= paid, "received {received} for {paid}");
    }

    #[test]
    fn invariant_3_what_sells_pay_out_is_covered_by_what_buys_paid_in(
        bps in fee_bps(), trades in prop::collection::vec((any::<bool>(), amount()), 1..30)
    ) {
        let (mut now, mut lamports, mut held) = (DEFAULT, 0u64, 0u64);
        for (is_buy, size) in trades {
            if is_buy {
                let Ok(bought) = buy_any(now, bps, size % 50_000_000_000) else { continue };
                now = bought.reserves;
                lamports += bought.net;
                held += bought.token_out;
                if bought.graduates { break }
            } else {
                let tokens = size % (held + 1);
                let Ok(sold) = sell(now, bps, tokens, 0) else { continue };
                now = sold.reserves;
                prop_assert!(lamports >= sold.gross);
                lamports -= sold.gross;
                held -= tokens;
            }
            prop_assert_eq!(lamports, now.virtual_sol - DEFAULT.virtual_sol);
        }
    }

    #[test]
    fn invariant_4_the_vault_holds_what_the_curve_still_owes(
        virtual_token in TOKEN_SUPPLY + 1..TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN,
        virtual_sol in 1u64..1_000_000_000_000, bps in fee_bps(), buys in prop::collection::vec(amount(), 1..20)
    ) {
        let (mut now, mut vault) = (Reserves { virtual_sol, virtual_token }, TOKEN_SUPPLY);
        for sol in buys {
            let Ok(bought) = buy_any(now, bps, sol) else { continue };
            now = bought.reserves;
            prop_assert!(vault >= bought.token_out);
            vault -= bought.token_out;
            prop_assert!(vault >= now.virtual_token - GRADUATION_VIRTUAL_TOKEN);
            if bought.graduates { break }
        }
    }

    #[test]
    fn invariant_5_fee_and_net_are_the_gross_and_the_fee_rounds_up(
        start in reserves(), bps in fee_bps(), sol in amount(), tokens in amount()
    ) {
        // It exceeds `gross · bps / 10,000` by less than one lamport.
        let rounds_up = |fee: u64, gross: u64| {
            let (paid, due) = (product(fee, 10_000), product(gross, bps.into()));
            paid >= due && paid < due + 10_000
        };
        if let Ok(bought) = buy_any(start, bps, sol) {
            let gross = bought.net + bought.fee;
            prop_assert!(gross <= sol);
            if gross == sol {
                prop_assert_eq!(u128::from(bought.fee), product(sol, bps.into()).div_ceil(10_000));
            } else {
                prop_assert_eq!(u128::from(bought.fee), product(bought.net, bps.into()).div_ceil(10_000 - u128::from(bps)));
            }
            prop_assert!(rounds_up(bought.fee, gross));
        }
        if let Ok(sold) = sell(start, bps, tokens, 0) {
            prop_assert_eq!(sold.gross, sold.fee + sold.sol_out);
            prop_assert_eq!(u128::from(sold.fee), product(sold.gross, bps.into()).div_ceil(10_000));
            prop_assert!(rounds_up(sold.fee, sold.gross));
        }
    }

    #[test]
    fn invariant_6_a_trade_yields_its_minimum_or_fails(
        start in reserves(), bps in fee_bps(), size in amount(), minimum in amount()
    ) {
        let unlimited = buy_any(start, bps, size);
        match buy(start, bps, GRADUATION_VIRTUAL_TOKEN, size, minimum) {
            Ok(bought) => {
                prop_assert_eq!(Ok(bought), unlimited);
                prop_assert!(product(bought.token_out, size) >= product(minimum, bought.sol_in()));
                if bought.sol_in() == size { prop_assert!(bought.token_out >= minimum) }
            }
            Err(TradeError::Slippage) => prop_assert!(minimum > 0),
            Err(TradeError::Logical) => prop_assert_eq!(unlimited, Err(TradeError::Logical)),
        }
        let unlimited = sell(start, bps, size, 0);
        match sell(start, bps, size, minimum) {
            Ok(sold) => {
                prop_assert_eq!(Ok(sold), unlimited);
                prop_assert!(sold.sol_out >= minimum);
            }
            Err(TradeError::Slippage) => prop_assert!(unlimited.map_or(0, |sold| sold.sol_out) < minimum),
            Err(TradeError::Logical) => prop_assert_eq!(unlimited, Err(TradeError::Logical)),
        }
    }

    #[test]
    fn invariant_7_a_curve_graduates_exactly_at_the_reserve(start in reserves(), bps in fee_bps(), sol in amount()) {
        if let Ok(bought) = buy_any(start, bps, sol) {
            prop_assert!(bought.reserves.virtual_token >= GRADUATION_VIRTUAL_TOKEN);
            prop_assert_eq!(bought.graduates, bought.reserves.virtual_token == GRADUATION_VIRTUAL_TOKEN);
            if bought.sol_in() < sol { prop_assert!(bought.graduates) }
        }
    }

    #[test]
    fn a_clipped_buy_costs_no_more_than_it_would_without_the_clip(start in reserves(), bps in fee_bps(), sol in amount()) {
        // The same tokens bought by the buyer who stops exactly there.
        if let Ok(clipped) = buy_any(start, bps, sol) {
            if clipped.graduates && clipped.sol_in() < sol {
                let exact = buy_any(start, bps, clipped.sol_in());
                prop_assert!(exact.is_ok_and(|exact| exact.token_out == clipped.token_out));
            }
        }
    }

    #[test]
    fn the_maths_is_the_rational_formula_rounded_towards_the_pool(
        start in reserves(), bps in fee_bps(), sol in amount(), tokens in amount()
    ) {
        if let Ok(bought) = buy_any(start, bps, sol) {
            // out ≤ vT · net / (vS + net) < out + 1, unless clipped.
            let divisor = u128::from(start.virtual_sol) + u128::from(bought.net);
            let exact = product(start.virtual_token, bought.net);
            prop_assert!(u128::from(bought.token_out) * divisor <= exact);
            if !bought.graduates { prop_assert!((u128::from(bought.token_out) + 1) * divisor > exact) }
        }
        if let Ok(sold) = sell(start, bps, tokens, 0) {
            let divisor = u128::from(start.virtual_token) + u128::from(tokens);
            let exact = product(start.virtual_sol, tokens);
            prop_assert!(u128::from(sold.gross) * divisor <= exact);
            prop_assert!((u128::from(sold.gross) + 1) * divisor > exact);
        }
    }
}

#[test]
fn given_zero_amounts_when_traded_then_they_make_no_sense() {
    assert_eq!(buy(DEFAULT, 100, GRADUATION_VIRTUAL_TOKEN, 0, 0), Err(TradeError::Logical));
    assert_eq!(buy(DEFAULT, 100, GRADUATION_VIRTUAL_TOKEN, 0, 1), Err(TradeError::Logical));
    assert_eq!(sell(DEFAULT, 100, 0, 0), Err(TradeError::Logical));
}

#[test]
fn given_amounts_too_small_to_yield_anything_when_traded_then_the_minimum_decides_the_error() {
    // One lamport is all fee; one unit is worth less than a lamport.
    assert_eq!(buy(DEFAULT, 100, GRADUATION_VIRTUAL_TOKEN, 1, 0), Err(TradeError::Logical));
    assert_eq!(buy(DEFAULT, 100, GRADUATION_VIRTUAL_TOKEN, 1, 1), Err(TradeError::Slippage));
    assert_eq!(sell(DEFAULT, 100, 1, 0), Err(TradeError::Logical));
    assert_eq!(sell(DEFAULT, 100, 1, 1), Err(TradeError::Slippage));
}

#[test]
fn given_the_default_curve_when_one_sol_is_spent_then_these_are_the_tokens() {
    // net = 0.99 SOL; floor(1.073e15 · 0.99e9 / 30.99e9)
    let bought = buy(DEFAULT, 100, GRADUATION_VIRTUAL_TOKEN, 1_000_000_000, 34_277_831_558_567);
    let reserves = Reserves { virtual_sol: 30_990_000_000, virtual_token: 1_038_722_168_441_433 };
    let expected = Buy { token_out: 34_277_831_558_567, net: 990_000_000, fee: 10_000_000, reserves, graduates: false };
    assert_eq!(bought, Ok(expected));
}

#[test]
fn given_the_default_curve_when_it_is_bought_out_then_the_excess_stays_with_the_buyer() {
    // ceil(30e9 · 793 / 280) lamports net, and ceil(net / 99) of fee.
    let all = Buy {
        token_out: 793_000_000_000_000,
        net: 84_964_285_715,
        fee: 858_225_109,
        reserves: Reserves { virtual_sol: 114_964_285_715, virtual_token: GRADUATION_VIRTUAL_TOKEN },
        graduates: true,
    };
    assert_eq!(buy_any(DEFAULT, 100, u64::MAX), Ok(all));
    assert_eq!(buy_any(DEFAULT, 100, all.sol_in()), Ok(all));
}

#[test]
fn given_reserves_already_at_graduation_when_bought_then_nothing_is_left() {
    let graduated = Reserves { virtual_sol: 1, virtual_token: GRADUATION_VIRTUAL_TOKEN };
    assert_eq!(buy_any(graduated, 100, 1_000), Err(TradeError::Logical));
    let below = Reserves { virtual_sol: 1, virtual_token: GRADUATION_VIRTUAL_TOKEN - 1 };
    assert_eq!(buy_any(below, 100, 1_000), Err(TradeError::Logical));
}

#[test]
fn given_a_reserve_that_cannot_grow_when_bought_or_sold_then_it_fails_instead_of_wrapping() {
    let full = Reserves { virtual_sol: u64::MAX, virtual_token: DEFAULT.virtual_token };
    assert_eq!(buy_any(full, 0, 1_000_000_000_000), Err(TradeError::Logical));
    assert_eq!(sell(DEFAULT, 0, u64::MAX, 0), Err(TradeError::Logical));
}
