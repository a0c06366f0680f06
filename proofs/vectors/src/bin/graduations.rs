//! `graduations COUNT SEED`: random calls of the graduation program's own `split.rs`, one a line with what came of it.
#[path = "../../../../programs/graduation/src/instructions/graduate/split.rs"]
#[allow(dead_code)]
#[rustfmt::skip]
mod split;

/// What `split.rs` imports, without the log line of a refusal.
extern crate self as curvekit_interface;
pub mod constants {
    pub const BASIS_POINTS: u16 = 10_000;
}
mod error {
    pub enum GraduationError {
        TooLittleForPool,
        AmountOutOfRange,
    }
}
mod refusal {
    use crate::error::GraduationError;

    pub type Result<T> = std::result::Result<T, GraduationError>;

    pub fn require(holds: bool, error: GraduationError) -> Result<()> {
        if holds { Ok(()) } else { Err(error) }
    }

    pub fn out_of_range() -> GraduationError {
        GraduationError::AmountOutOfRange
    }
}

use std::io::{BufWriter, Error, ErrorKind, Result, Write, stdout};

use error::GraduationError;
use split::{Migration, Split, Terms};
use vectors::Random;

fn main() -> Result<()> {
    let usage = || Error::new(ErrorKind::InvalidInput, "usage: graduations COUNT SEED");
    let (count, mut random) = Random::from_arguments().ok_or_else(usage)?;
    let mut out = BufWriter::with_capacity(1 << 20, stdout().lock());
    for _ in 0..count {
        let (migration, terms) = curve(&mut random);
        let storages_open = random.below(4) > 0;
        let costs = if random.below(8) == 0 { random.amount() } else { 190_101_280 };
        let open = u8::from(storages_open);
        write!(out, "split {} {} {} ", migration.sol, migration.token, terms.virtual_sol)?;
        write!(out, "{} {} {open} {costs} ", terms.virtual_token, terms.after_migration_fee)?;
        match Split::of(migration, terms, storages_open, costs) {
            Ok(Split { community_sol, community_token, costs, pool_sol, pool_token, burnt }) => {
                writeln!(out, "ok {community_sol} {community_token} {costs} {pool_sol} {pool_token} {burnt}")?;
            }
            Err(GraduationError::TooLittleForPool) => out.write_all(b"too-little\n")?,
            Err(GraduationError::AmountOutOfRange) => out.write_all(b"out-of-range\n")?,
        }
    }
    out.flush()
}

/// Half are like real ones: at the graduation reserve, with lamports of every magnitude.
fn curve(random: &mut Random) -> (Migration, Terms) {
    if random.below(2) == 0 {
        let virtual_sol = 30_000_000_001 + random.below(1_000_000_000_000);
        let gift = if random.below(2) == 0 { 0 } else { random.below(1_000_000_000_000) };
        let migration =
            Migration { sol: virtual_sol - 30_000_000_000 + gift, token: random.below(280_000_000_000_001) };
        let after_migration_fee = random.pick(&[0, 25, 50, 100, 200, 500]);
        return (migration, Terms { virtual_sol, virtual_token: 280_000_000_000_000, after_migration_fee });
    }
    let migration = Migration { sol: random.amount(), token: random.amount() };
    let after_migration_fee = random.below(10_001);
    (migration, Terms { virtual_sol: random.amount(), virtual_token: random.amount(), after_migration_fee })
}
