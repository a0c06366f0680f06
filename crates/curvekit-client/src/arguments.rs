//! The error of an argument that the program would refuse.

use std::{error::Error, fmt};

/// An argument is out of range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentError {
    /// Name of the argument.
    pub argument: &'static str,
    /// The value, the limit, and what to pass instead.
    pub problem: String,
}

impl ArgumentError {
    pub(crate) fn new(argument: &'static str, problem: String) -> Self {
        Self { argument, problem }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.argument, self.problem)
    }
}

impl Error for ArgumentError {}

/// Refuses zero.
pub(crate) fn require_positive(argument: &'static str, amount: u64) -> Result<(), ArgumentError> {
    if amount > 0 {
        return Ok(());
    }
    Err(ArgumentError::new(argument, "is 0; it must be at least 1".to_owned()))
}

/// Refuses basis points above `limit`.
pub(crate) fn require_bps(argument: &'static str, bps: u16, limit: u16) -> Result<(), ArgumentError> {
    if bps <= limit {
        return Ok(());
    }
    Err(ArgumentError::new(argument, format!("is {bps} basis points; it must be at most {limit}")))
}
