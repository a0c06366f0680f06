use anchor_lang::prelude::*;

use crate::maths::Rates;

/// Bits of `PoolState::status` that stop an instruction.
pub const DEPOSITS_DISABLED: u8 = 1;
pub const SWAPS_DISABLED: u8 = 4;

/// A fee tier. The account is longer: the rest is zero.
#[account]
pub struct AmmConfig {
    pub bump: u8,
    pub disable_create_pool: bool,
    pub index: u16,
    /// Millionths of the input.
    pub trade_fee_rate: u64,
    /// Millionths of the trade fee.
    pub protocol_fee_rate: u64,
    /// Millionths of the trade fee.
    pub fund_fee_rate: u64,
    /// Lamports to open a pool.
    pub create_pool_fee: u64,
    pub protocol_owner: Pubkey,
    pub fund_owner: Pubkey,
    /// Millionths, for pools with `enable_creator_fee`.
    pub creator_fee_rate: u64,
}

/// A pool. The account is longer: the rest is zero. Pairs are in the order of the mints.
#[account]
pub struct PoolState {
    pub amm_config: Pubkey,
    pub pool_creator: Pubkey,
    pub vaults: [Pubkey; 2],
    pub lp_mint: Pubkey,
    pub mints: [Pubkey; 2],
    pub token_programs: [Pubkey; 2],
    pub observation_key: Pubkey,
    pub auth_bump: u8,
    pub status: u8,
    pub lp_mint_decimals: u8,
    pub mint_decimals: [u8; 2],
    /// All shares ever minted, locked shares included. Burning does not reduce it.
    pub lp_supply: u64,
    /// Uncollected fees. They are in the vaults but not part of the reserves.
    pub protocol_fees: [u64; 2],
    pub fund_fees: [u64; 2],
    /// Unix seconds. Swaps before this time are refused.
    pub open_time: u64,
    pub recent_epoch: u64,
    /// 0: on the input of every trade. 1 or 2: always on token 0 or token 1.
    pub creator_fee_on: u8,
    pub enable_creator_fee: bool,
    pub padding: [u8; 6],
    pub creator_fees: [u64; 2],
}

impl PoolState {
    pub const SPACE: usize = 637;

    /// The vault balances without uncollected fees.
    pub fn reserves(&self, balances: [u64; 2]) -> Option<[u64; 2]> {
        let reserve = |balance: u64, fees: [u64; 3]| fees.into_iter().try_fold(balance, u64::checked_sub);
        let [protocol_0, protocol_1] = self.protocol_fees;
        let [fund_0, fund_1] = self.fund_fees;
        let [creator_0, creator_1] = self.creator_fees;
        let [balance_0, balance_1] = balances;
        Some([
            reserve(balance_0, [protocol_0, fund_0, creator_0])?,
            reserve(balance_1, [protocol_1, fund_1, creator_1])?,
        ])
    }

    pub fn rates(&self, config: &AmmConfig, zero_for_one: bool) -> Rates {
        Rates {
            trade: config.trade_fee_rate,
            protocol: config.protocol_fee_rate,
            fund: config.fund_fee_rate,
            creator: if self.enable_creator_fee { config.creator_fee_rate } else { 0 },
            creator_on_input: match self.creator_fee_on {
                0 => true,
                1 => zero_for_one,
                _ => !zero_for_one,
            },
        }
    }
}

/// Price observations. The account is longer. This program records no prices.
#[account]
pub struct ObservationState {
    pub initialized: bool,
    pub observation_index: u16,
    pub pool_id: Pubkey,
}

impl ObservationState {
    pub const SPACE: usize = 4_075;
}
