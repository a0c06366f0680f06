pub mod deposit;
pub mod initialize;
pub mod swap;

pub use deposit::*;
pub use initialize::*;
pub use swap::*;
