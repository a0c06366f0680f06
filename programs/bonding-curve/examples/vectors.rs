//! Trades and what the curve makes of them, for another implementation to be checked against.
//!
//! `cargo run --profile test --example vectors -- COUNT SEED` writes COUNT vectors of 85 bytes to standard output; the
//! same SEED gives the same bytes. All integers are little endian:
//!
//! | bytes | field |
//! |---|---|
//! | 1 | 0 buy, 1 sell |
//! | 8, 8 | virtual SOL and token reserve before |
//! | 2 | fee in basis points |
//! | 8 | graduation reserve (of no effect on a sell) |
//! | 8, 8 | amount in, minimum out |
//! | 1 | 0 done, 1 refused for slippage, 2 refused as illogical: the rest is zeros then |
//! | 8, 8, 8 | tokens out, net and fee of a buy; gross, fee and SOL out of a sell |
//! | 8, 8 | virtual SOL and token reserve after |
//! | 1 | 1 when the buy graduates the curve |

use std::{
    env,
    io::{self, BufWriter, Write},
};

use bonding_curve::{
    constants::{GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS, TOKEN_SUPPLY},
    curve::{buy, sell, Buy, Reserves, Sell, TradeError},
};

const USAGE: &str = "usage: vectors COUNT SEED (two unsigned integers)";

const DEFAULT: Reserves = Reserves { virtual_sol: 30_000_000_000, virtual_token: 1_073_000_000_000_000 };

fn main() -> io::Result<()> {
    let mut arguments = env::args().skip(1).map(|argument| argument.parse::<u64>());
    let (Some(Ok(count)), Some(Ok(seed)), None) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, USAGE));
    };
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut random = Random(seed);
    let mut now = DEFAULT;
    for _ in 0..count {
        let trade = Trade::any(&mut random, now);
        let outcome = trade.outcome();
        trade.write(&outcome, &mut out)?;
        // On from where the last trade led, so that whole lives of curves are among the vectors.
        now = match outcome {
            Ok(done) if done.reserves().virtual_token > GRADUATION_VIRTUAL_TOKEN => done.reserves(),
            Ok(_) => DEFAULT,
            Err(_) => now,
        };
    }
    out.flush()
}

/// One trade before it happens.
struct Trade {
    is_buy: bool,
    reserves: Reserves,
    fee_bps: u16,
    graduation_reserve: u64,
    amount: u64,
    minimum: u64,
}

enum Done {
    Buy(Buy),
    Sell(Sell),
}

impl Done {
    fn reserves(&self) -> Reserves {
        match self {
            Self::Buy(buy) => buy.reserves,
            Self::Sell(sell) => sell.reserves,
        }
    }
}

impl Trade {
    fn any(random: &mut Random, now: Reserves) -> Self {
        let mut trade = Self {
            is_buy: random.below(2) == 0,
            reserves: random.reserves(now),
            fee_bps: random.fee_bps(),
            graduation_reserve: match random.below(20) {
                0 => random.amount(),
                _ => GRADUATION_VIRTUAL_TOKEN,
            },
            amount: random.amount(),
            minimum: 0,
        };
        if trade.is_buy && random.below(4) == 0 {
            trade.amount = random.near(trade.cost_of_everything());
        }
        trade.minimum = match random.below(4) {
            0 => 0,
            1 => random.amount(),
            _ => random.near(trade.greatest_minimum()),
        };
        trade
    }

    fn outcome(&self) -> Result<Done, TradeError> {
        let Self { reserves, fee_bps, graduation_reserve, amount, minimum, .. } = *self;
        if self.is_buy {
            buy(reserves, fee_bps, graduation_reserve, amount, minimum).map(Done::Buy)
        } else {
            sell(reserves, fee_bps, amount, minimum).map(Done::Sell)
        }
    }

    /// The lamports at which a buy begins to be clipped, or zero where none can be.
    fn cost_of_everything(&self) -> u64 {
        let everything = Self { amount: u64::MAX, minimum: 0, ..*self };
        match everything.outcome() {
            Ok(Done::Buy(buy)) if buy.graduates => buy.sol_in(),
            _ => 0,
        }
    }

    /// The minimum above which the trade is refused for slippage, or zero for one that is refused anyway.
    fn greatest_minimum(&self) -> u64 {
        match (Self { minimum: 0, ..*self }).outcome() {
            Ok(Done::Buy(buy)) => u128::from(buy.token_out)
                .saturating_mul(self.amount.into())
                .checked_div(buy.sol_in().into())
                .map_or(0, |minimum| u64::try_from(minimum).unwrap_or(u64::MAX)),
            Ok(Done::Sell(sell)) => sell.sol_out,
            Err(_) => 0,
        }
    }

    fn write(&self, outcome: &Result<Done, TradeError>, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&[u8::from(!self.is_buy)])?;
        write_reserves(self.reserves, out)?;
        out.write_all(&self.fee_bps.to_le_bytes())?;
        for field in [self.graduation_reserve, self.amount, self.minimum] {
            out.write_all(&field.to_le_bytes())?;
        }
        let (code, amounts, after, graduates) = match outcome {
            Ok(Done::Buy(buy)) => (0, [buy.token_out, buy.net, buy.fee], buy.reserves, buy.graduates),
            Ok(Done::Sell(sell)) => (0, [sell.gross, sell.fee, sell.sol_out], sell.reserves, false),
            Err(TradeError::Slippage) => (1, [0; 3], NOTHING, false),
            Err(TradeError::Logical) => (2, [0; 3], NOTHING, false),
        };
        out.write_all(&[code])?;
        for amount in amounts {
            out.write_all(&amount.to_le_bytes())?;
        }
        write_reserves(after, out)?;
        out.write_all(&[u8::from(graduates)])
    }
}

const NOTHING: Reserves = Reserves { virtual_sol: 0, virtual_token: 0 };

fn write_reserves(reserves: Reserves, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&reserves.virtual_sol.to_le_bytes())?;
    out.write_all(&reserves.virtual_token.to_le_bytes())
}

/// SplitMix64: small, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to `limit` − 1; 0 for no limit.
    fn below(&mut self, limit: u64) -> u64 {
        self.next().checked_rem(limit).unwrap_or(0)
    }

    /// Every order of magnitude, the extremes included.
    fn amount(&mut self) -> u64 {
        match self.below(10) {
            0 => self.below(100),
            1 => u64::MAX.saturating_sub(self.below(100)),
            _ => {
                let bits = u32::try_from(self.below(64)).unwrap_or(0);
                self.next().wrapping_shr(bits)
            }
        }
    }

    /// At most two away.
    fn near(&mut self, value: u64) -> u64 {
        value.saturating_add(self.below(3)).saturating_sub(self.below(3))
    }

    fn fee_bps(&mut self) -> u16 {
        let bps = match self.below(10) {
            0 => 0,
            1 => u64::from(MAX_PLATFORM_FEE_BPS),
            2 => self.next() & 0xffff,
            3 => self.near(10_000),
            _ => self.below(u64::from(MAX_PLATFORM_FEE_BPS)),
        };
        u16::try_from(bps).unwrap_or(0)
    }

    fn reserves(&mut self, now: Reserves) -> Reserves {
        let token_range = TOKEN_SUPPLY.saturating_add(GRADUATION_VIRTUAL_TOKEN);
        match self.below(8) {
            0 => Reserves { virtual_sol: self.amount(), virtual_token: self.amount() },
            1 => Reserves { virtual_sol: self.amount(), virtual_token: self.below(token_range) },
            // A few tokens from graduation.
            2 => {
                let left = self.amount().wrapping_shr(30);
                Reserves { virtual_sol: self.amount(), virtual_token: GRADUATION_VIRTUAL_TOKEN.saturating_add(left) }
            }
            3 => DEFAULT,
            _ => now,
        }
    }
}
