use anchor_lang::error::ErrorCode;

use crate::refusal::{refusal, Result};

/// The bumps of the addresses that depend on the mint.
pub struct Bumps {
    pub curve: u8,
    pub community_wsol: u8,
    pub community_token: u8,
    pub tokens: u8,
    pub wrapped_sol: u8,
    pub pool: u8,
}

impl Bumps {
    /// Further bytes are ignored, as by Anchor.
    pub fn read(arguments: &[u8]) -> Result<Self> {
        let bumps = arguments.first_chunk::<6>();
        let &[curve, community_wsol, community_token, tokens, wrapped_sol, pool] =
            bumps.ok_or_else(|| refusal(ErrorCode::InstructionDidNotDeserialize))?;
        Ok(Self { curve, community_wsol, community_token, tokens, wrapped_sol, pool })
    }
}
