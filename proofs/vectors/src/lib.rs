//! Random amounts of every magnitude. The same seed gives the same.

pub struct Random(u64);

impl Random {
    /// COUNT and SEED of the command line.
    pub fn from_arguments() -> Option<(u64, Self)> {
        let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u64>());
        match (arguments.next(), arguments.next(), arguments.next()) {
            (Some(Ok(count)), Some(Ok(seed)), None) => Some((count, Self(seed))),
            _ => None,
        }
    }

    /// SplitMix64.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.any() % limit
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    /// Every order of magnitude, the ends of u64, and the neighbours of powers of two.
    pub fn amount(&mut self) -> u64 {
        match self.below(10) {
            0 => self.below(100),
            1 => u64::MAX - self.below(100),
            2 => (1_u64 << self.below(64)).wrapping_add(self.below(5)).wrapping_sub(2),
            _ => {
                let bits = self.below(64);
                self.any() >> bits
            }
        }
    }

    /// A minimum: none, any, or within one of what is to be had.
    pub fn minimum(&mut self, to_be_had: Option<u64>) -> u64 {
        match self.below(4) {
            0 => 0,
            1 => self.amount(),
            _ => to_be_had.map_or(1, |amount| amount.saturating_add(self.below(3)).saturating_sub(1)),
        }
    }
}
