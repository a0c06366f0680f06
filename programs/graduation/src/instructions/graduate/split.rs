//! Who gets how much of a migration. Pure arithmetic.

use curvekit_interface::constants::BASIS_POINTS;

use crate::{
    error::GraduationError,
    refusal::{out_of_range, require, Result},
};

/// What a migration took out of the curve.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    pub sol: u64,
    pub token: u64,
}

/// What a curve says about its own graduation.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub virtual_sol: u64,
    pub virtual_token: u64,
    /// The community's share in basis points.
    pub after_migration_fee: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    pub community_sol: u64,
    pub community_token: u64,
    pub costs: u64,
    pub pool_sol: u64,
    pub pool_token: u64,
    pub burnt: u64,
}

impl Split {
    /// The community gets its share of both sides, or of neither where a storage is closed: a share of one side alone
    /// would move the price. The pool gets all SOL that is left, and the tokens that go with it at the closing price `virtual_sol /
    /// virtual_token`. Where SOL is in excess (a gift, or properties with too many virtual tokens) it stays in the pool all
    /// the same, which then opens above the closing price: SOL that went elsewhere could be taken.
    pub fn of(migration: Migration, terms: Terms, storages_open: bool, costs: u64) -> Result<Self> {
        let share = |amount| {
            if storages_open {
                mul_div(amount, terms.after_migration_fee, u64::from(BASIS_POINTS))
            } else {
                Ok(0)
            }
        };
        let community_sol = share(migration.sol)?;
        let community_token = share(migration.token)?;
        let left = migration.token.checked_sub(community_token).ok_or_else(out_of_range)?;
        let above_community = migration.sol.checked_sub(community_sol);
        let pool_sol = above_community.and_then(|sol| sol.checked_sub(costs)).unwrap_or(0);
        let pool_token = at_most(left, pool_sol, terms.virtual_token, terms.virtual_sol)?;
        require(pool_sol > 0 && pool_token > 0, GraduationError::TooLittleForPool)?;
        let burnt = left.checked_sub(pool_token).ok_or_else(out_of_range)?;
        Ok(Self { community_sol, community_token, costs, pool_sol, pool_token, burnt })
    }
}

/// `floor(a · b / c)`.
fn mul_div(a: u64, b: u64, c: u64) -> Result<u64> {
    quotient(a, b, c).and_then(|result| u64::try_from(result).ok()).ok_or_else(out_of_range)
}

/// `floor(a · b / c)`, or `most` where that is less.
fn at_most(most: u64, a: u64, b: u64, c: u64) -> Result<u64> {
    let result = quotient(a, b, c).ok_or_else(out_of_range)?.min(most.into());
    u64::try_from(result).map_err(|_| out_of_range())
}

fn quotient(a: u64, b: u64, c: u64) -> Option<u128> {
    u128::from(a).checked_mul(b.into())?.checked_div(c.into())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a curve with the default properties raises, and what it has left.
    const DEFAULT: Migration = Migration { sol: 84_964_285_715, token: 207_000_000_000_000 };
    const CLOSING: Terms =
        Terms { virtual_sol: 114_964_285_715, virtual_token: 280_000_000_000_000, after_migration_fee: 0 };
    const COSTS: u64 = 190_101_280;

    #[test]
    fn given_the_default_properties_when_a_curve_graduates_then_the_amounts_are_these() {
        let split = Split::of(DEFAULT, CLOSING, true, COSTS).unwrap();
        assert_eq!((split.community_sol, split.community_token), (0, 0));
        assert_eq!(split.pool_sol, DEFAULT.sol - COSTS);
        assert_eq!(split.pool_token, 206_470_831_303_594);
        assert_eq!(split.burnt, DEFAULT.token - split.pool_token);

        let terms = Terms { after_migration_fee: 500, ..CLOSING };
        let shared = Split::of(DEFAULT, terms, true, COSTS).unwrap();
        assert_eq!((shared.community_sol, shared.community_token), (4_248_214_285, 10_350_000_000_000));
        assert_eq!(Split::of(DEFAULT, terms, false, COSTS).unwrap(), split);
    }

    #[test]
    fn given_less_than_the_costs_when_a_curve_graduates_then_it_is_refused() {
        let migration = Migration { sol: COSTS, ..DEFAULT };
        assert!(Split::of(migration, CLOSING, true, COSTS).is_err());
        let enough = Migration { sol: COSTS + 1, ..DEFAULT };
        assert!(Split::of(enough, CLOSING, true, COSTS).is_ok());
        assert!(Split::of(Migration { token: 0, ..DEFAULT }, CLOSING, true, COSTS).is_err());
        assert!(Split::of(DEFAULT, Terms { virtual_sol: 0, ..CLOSING }, true, COSTS).is_err());
    }

    proptest! {
        #[test]
        fn given_any_migration_when_it_is_split_then_nothing_is_lost_and_the_price_is_not_below_the_closing_one(
            sol: u64, token in 0..=1_000_000_000_000_000_u64, virtual_sol in 1..=u64::MAX,
            virtual_token in 1..=1_280_000_000_000_000_u64,
            after_migration_fee in prop::sample::select(vec![0_u64, 25, 50, 100, 200, 500]),
            storages_open: bool, costs in 0..=1_000_000_000_u64,
        ) {
            let terms = Terms { virtual_sol, virtual_token, after_migration_fee };
            let migration = Migration { sol, token };
            if let Ok(split) = Split::of(migration, terms, storages_open, costs) {
                let sums = |parts: [u64; 3]| parts.into_iter().map(u128::from).sum::<u128>();
                prop_assert_eq!(sums([split.pool_sol, split.community_sol, split.costs]), u128::from(sol));
                prop_assert_eq!(sums([split.pool_token, split.community_token, split.burnt]), u128::from(token));
                let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
                prop_assert!(product(split.pool_token, virtual_sol) <= product(split.pool_sol, virtual_token));
                if split.burnt > 0 {
                    // One unit more would be below the closing price.
                    prop_assert!(product(split.pool_token + 1, virtual_sol) > product(split.pool_sol, virtual_token));
                }
                prop_assert!(storages_open || (split.community_sol, split.community_token) == (0, 0));
            }
        }
    }
}
