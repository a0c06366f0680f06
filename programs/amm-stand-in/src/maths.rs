//! A constant product with fees. All rounding favours the pool. `None` on overflow.

const WHOLE: u64 = 1_000_000;

/// Fee rates in millionths.
pub struct Rates {
    pub trade: u64,
    pub protocol: u64,
    pub fund: u64,
    pub creator: u64,
    /// `false`: the creator fee is on the output.
    pub creator_on_input: bool,
}

/// The amounts of a swap, and its fees that stay in the vaults until they are collected.
pub struct Trade {
    pub paid: u64,
    pub received: u64,
    pub protocol_fee: u64,
    pub fund_fee: u64,
    pub creator_fee: u64,
}

impl Rates {
    fn on_input(&self) -> Option<u64> {
        self.trade.checked_add(if self.creator_on_input { self.creator } else { 0 })
    }

    /// Splits the fee on the input between protocol, fund and creator.
    fn trade(&self, paid: u64, received: u64, input_fee: u64, output_fee: u64) -> Option<Trade> {
        let rate = self.on_input()?;
        let creator = if self.creator_on_input && rate > 0 { mul_div(input_fee, self.creator, rate)? } else { 0 };
        let trade_fee = input_fee.checked_sub(creator)?;
        Some(Trade {
            paid,
            received,
            protocol_fee: mul_div(trade_fee, self.protocol, WHOLE)?,
            fund_fee: mul_div(trade_fee, self.fund, WHOLE)?,
            creator_fee: if self.creator_on_input { creator } else { output_fee },
        })
    }

    pub fn exact_in(&self, [reserve_in, reserve_out]: [u64; 2], paid: u64) -> Option<Trade> {
        let input_fee = mul_div_up(paid, self.on_input()?, WHOLE)?;
        let net = paid.checked_sub(input_fee)?;
        let traded = floor(net.into(), reserve_out.into(), u128::from(reserve_in).checked_add(net.into())?)?;
        let output_fee = if self.creator_on_input { 0 } else { mul_div_up(traded, self.creator, WHOLE)? };
        self.trade(paid, traded.checked_sub(output_fee)?, input_fee, output_fee)
    }

    pub fn exact_out(&self, [reserve_in, reserve_out]: [u64; 2], received: u64) -> Option<Trade> {
        let traded = if self.creator_on_input { received } else { before_fee(received, self.creator)? };
        let net = mul_div_up(reserve_in, traded, reserve_out.checked_sub(traded)?)?;
        let paid = before_fee(net, self.on_input()?)?;
        self.trade(paid, received, paid.checked_sub(net)?, traded.checked_sub(received)?)
    }
}

/// Both amounts for `shares`, rounded up. An amount below one base unit is 0.
pub fn deposit(shares: u64, supply: u64, reserves: [u64; 2]) -> Option<[u64; 2]> {
    let side = |reserve: u64| match mul_div(shares, reserve, supply)? {
        0 => Some(0),
        _ => mul_div_up(shares, reserve, supply),
    };
    let [reserve_0, reserve_1] = reserves;
    Some([side(reserve_0)?, side(reserve_1)?])
}

/// The smallest amount that leaves `amount` after its fee.
fn before_fee(amount: u64, rate: u64) -> Option<u64> {
    mul_div_up(amount, WHOLE, WHOLE.checked_sub(rate)?)
}

fn mul_div(a: u64, b: u64, divisor: u64) -> Option<u64> {
    floor(a.into(), b.into(), divisor.into())
}

fn mul_div_up(a: u64, b: u64, divisor: u64) -> Option<u64> {
    u128::from(a)
        .checked_mul(b.into())?
        .checked_add(divisor.into())?
        .checked_sub(1)?
        .checked_div(divisor.into())?
        .try_into()
        .ok()
}

fn floor(a: u128, b: u128, divisor: u128) -> Option<u64> {
    a.checked_mul(b)?.checked_div(divisor)?.try_into().ok()
}
