//! What the translator does not know is an error, never a guess.
use std::fmt;

use quote::ToTokens;

/// What was refused, and the source it stands in.
#[derive(Debug)]
pub struct Refusal(pub String);

pub type Result<T> = std::result::Result<T, Refusal>;

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for Refusal {}

pub fn refusal(what: &str, at: &(impl ToTokens + ?Sized)) -> Refusal {
    Refusal(format!("{what}: {}", at.to_token_stream()))
}

pub fn refuse<T>(what: &str, at: &(impl ToTokens + ?Sized)) -> Result<T> {
    Err(refusal(what, at))
}
