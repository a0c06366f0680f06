//! Curvekit's curves for Jupiter's aggregator: [`CurveAmm`] implements [`interface::Amm`]. A market is a curve account. Its
//! two mints are the token and wrapped SOL. A list of markets is a list of [`CurveMarket`]; [`CurveAmm::from_markets`]
//! makes the markets of it. The README says what a router must know: exact-out, wrapped SOL, the graduation.

#[allow(clippy::duplicate_mod)] // two interfaces, whose types differ
#[path = "jupiter/adapter.rs"]
mod adapter;

pub use adapter::{CurveAmm, CurveMarket};
pub use jupiter_amm_interface as interface;
