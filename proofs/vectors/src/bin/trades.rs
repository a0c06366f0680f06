//! `trades COUNT SEED`: random calls of the program's own `curve.rs`, and of the client's `inverse.rs`, one a line with what
//! came of it.
#[path = "../../../../programs/interface/src/curve.rs"]
#[allow(dead_code)]
#[rustfmt::skip]
mod curve;
#[path = "../../../../crates/curvekit-client/src/inverse.rs"]
#[rustfmt::skip]
mod inverse;

/// What both import. If the program had another value, the model would have that, and every line would differ.
mod constants {
    pub const BASIS_POINTS: u16 = 10_000;
}

use std::io::{BufWriter, Error, ErrorKind, Result, Write, stdout};

use curve::{Buy, Reserves, Sell, TradeError, buy, sell};
use inverse::{highest_minimum, least_sol, least_tokens};
use vectors::Random;

const GRADUATION_RESERVE: u64 = 280_000_000_000_000;

fn main() -> Result<()> {
    let usage = || Error::new(ErrorKind::InvalidInput, "usage: trades COUNT SEED");
    let (count, mut random) = Random::from_arguments().ok_or_else(usage)?;
    let mut out = BufWriter::with_capacity(1 << 20, stdout().lock());
    for _ in 0..count {
        let state = State::any(&mut random);
        match random.below(5) {
            0 | 1 => state.buy(&mut random, &mut out)?,
            2 | 3 => state.sell(&mut random, &mut out)?,
            _ => state.invert(&mut random, &mut out)?,
        }
    }
    out.flush()
}

struct State {
    reserves: Reserves,
    fee_bps: u16,
    graduation_reserve: u64,
    is_legal: bool,
}

impl State {
    /// Nine in ten are states that a curve can reach.
    fn any(random: &mut Random) -> Self {
        let is_legal = random.below(10) != 0;
        if !is_legal {
            let fees = [random.any() as u16, 9_990 + random.below(20) as u16, random.below(1_001) as u16];
            return Self {
                reserves: Reserves { virtual_sol: random.amount(), virtual_token: random.amount() },
                fee_bps: random.pick(&fees),
                graduation_reserve: random.amount(),
                is_legal,
            };
        }
        let virtual_token = match random.below(4) {
            0 => 1_073_000_000_000_000,
            1 => GRADUATION_RESERVE + random.below(1_000),
            _ => GRADUATION_RESERVE + random.below(1_000_000_000_000_000),
        };
        let virtual_sol = match random.below(3) {
            0 => 30_000_000_000 + random.below(90_000_000_000),
            _ => random.amount().max(1),
        };
        let fee_bps = match random.below(2) {
            0 => random.pick(&[100, 0, 1_000]),
            _ => random.below(1_001) as u16,
        };
        Self {
            reserves: Reserves { virtual_sol, virtual_token },
            fee_bps,
            graduation_reserve: GRADUATION_RESERVE,
            is_legal,
        }
    }

    fn buy(&self, random: &mut Random, out: &mut impl Write) -> Result<()> {
        let &Self { reserves, fee_bps, graduation_reserve, is_legal } = self;
        let mut amount = random.amount();
        if is_legal && random.below(3) == 0 {
            // Within three lamports of what the last tokens cost.
            let last = buy(reserves, fee_bps, graduation_reserve, u64::MAX, 0);
            amount = last.map_or(amount, |all| all.sol_in().saturating_add(random.below(7)).saturating_sub(3));
        }
        let free = buy(reserves, fee_bps, graduation_reserve, amount, 0);
        let most = free.ok().and_then(|done| highest_minimum(done.token_out, amount, done.sol_in()));
        let minimum = random.minimum(most);
        let Reserves { virtual_sol, virtual_token } = reserves;
        write!(out, "buy {virtual_sol} {virtual_token} {fee_bps} {graduation_reserve} {amount} {minimum} ")?;
        match buy(reserves, fee_bps, graduation_reserve, amount, minimum) {
            Ok(Buy { token_out, net, fee, reserves, graduates }) => {
                write!(out, "ok {token_out} {net} {fee} ")?;
                writeln!(out, "{} {} {}", reserves.virtual_sol, reserves.virtual_token, u8::from(graduates))
            }
            Err(error) => refused(error, out),
        }
    }

    fn sell(&self, random: &mut Random, out: &mut impl Write) -> Result<()> {
        let &Self { reserves, fee_bps, .. } = self;
        let amount = random.amount();
        let free = sell(reserves, fee_bps, amount, 0);
        let minimum = random.minimum(free.ok().map(|done| done.sol_out));
        let Reserves { virtual_sol, virtual_token } = reserves;
        write!(out, "sell {virtual_sol} {virtual_token} {fee_bps} {amount} {minimum} ")?;
        match sell(reserves, fee_bps, amount, minimum) {
            Ok(Sell { gross, fee, sol_out, reserves }) => {
                writeln!(out, "ok {gross} {fee} {sol_out} {} {}", reserves.virtual_sol, reserves.virtual_token)
            }
            Err(error) => refused(error, out),
        }
    }

    fn invert(&self, random: &mut Random, out: &mut impl Write) -> Result<()> {
        let &Self { reserves, fee_bps, .. } = self;
        let Reserves { virtual_sol, virtual_token } = reserves;
        // Half of them below the reserve, where there are answers.
        let amount = |random: &mut Random, reserve: u64| match random.below(2) {
            0 => random.below(reserve.max(1)),
            _ => random.amount(),
        };
        let least = match random.below(3) {
            0 => {
                let tokens = amount(random, virtual_token);
                write!(out, "sol {virtual_sol} {virtual_token} {fee_bps} {tokens} ")?;
                least_sol(reserves, fee_bps, tokens)
            }
            1 => {
                let sol = amount(random, virtual_sol);
                write!(out, "tokens {virtual_sol} {virtual_token} {fee_bps} {sol} ")?;
                least_tokens(reserves, fee_bps, sol)
            }
            _ => {
                let (token_out, sol) = (random.amount(), random.amount());
                let spent = amount(random, sol);
                write!(out, "highest {token_out} {sol} {spent} ")?;
                highest_minimum(token_out, sol, spent)
            }
        };
        match least {
            Some(amount) => writeln!(out, "{amount}"),
            None => writeln!(out, "none"),
        }
    }
}

fn refused(error: TradeError, out: &mut impl Write) -> Result<()> {
    out.write_all(match error {
        TradeError::Slippage => b"slippage\n",
        TradeError::Logical => b"logical\n",
    })
}
