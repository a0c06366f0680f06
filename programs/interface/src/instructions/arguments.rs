use bytemuck::{Pod, Zeroable};

/// The arguments of `buy_token` and `sell_token`: the same bytes with other names.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct TradeArguments {
    /// Canonical bump of the curve account.
    pub pda_token_nonce: u8,
    /// What is spent: lamports of a buy, token units of a sell.
    pub amount: [u8; 8],
    /// What is received at least.
    pub minimum: [u8; 8],
    /// Canonical bump of the log authority.
    pub logging_account_bump: u8,
}

impl TradeArguments {
    /// Their bytes, which follow the instruction's tag.
    pub fn as_bytes(&self) -> &[u8] {
        bytemuck::bytes_of(self)
    }

    /// What is spent.
    #[inline(always)]
    pub fn amount(&self) -> u64 {
        u64::from_le_bytes(self.amount)
    }

    /// What is received at least.
    #[inline(always)]
    pub fn minimum(&self) -> u64 {
        u64::from_le_bytes(self.minimum)
    }
}

/// The arguments of `graduate`: the bumps of the addresses that depend on the mint.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Pod, Zeroable)]
pub struct GraduateArguments {
    /// Of the curve account.
    pub pda_token_nonce: u8,
    /// Of the community's WSOL storage.
    pub community_wsol_bump: u8,
    /// Of the community's storage of the token.
    pub community_token_bump: u8,
    /// Of the account that takes the migration's tokens.
    pub tokens_bump: u8,
    /// Of the account that takes the pool's SOL.
    pub wrapped_sol_bump: u8,
    /// Of the pool.
    pub pool_bump: u8,
}

impl GraduateArguments {
    /// Their bytes, which follow the instruction's tag.
    pub fn as_bytes(&self) -> &[u8] {
        bytemuck::bytes_of(self)
    }
}
