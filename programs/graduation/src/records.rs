//! The log record of a graduation. Layout: 8-byte event discriminator, then borsh, little endian.

use anchor_lang::{prelude::*, Discriminator};
use bytemuck::{Pod, Zeroable};
use pinocchio::{
    cpi::{invoke_signed, Seed, Signer as Seeds},
    instruction::{InstructionAccount, InstructionView},
    AccountView, Address,
};

use crate::{
    constants::{FEE_RECEIVER_BUMP, FEE_RECEIVER_SEED, VALIDATE_LOG_RECORD},
    refusal,
};

/// A curve went to its pool. All lamports that left the curve are `pool_sol + community_sol + costs`, all tokens
/// `pool_token + community_token + burnt`.
#[event]
pub struct GraduateRecord {
    pub mint: Pubkey,
    pub pool: Pubkey,
    /// Lamports that the pool was opened with. What somebody sent ahead to its vault is in it besides.
    pub pool_sol: u64,
    /// Token units that the pool was opened with.
    pub pool_token: u64,
    /// Lamports in the community's WSOL storage.
    pub community_sol: u64,
    /// Token units in the community's own storage.
    pub community_token: u64,
    /// Token units burnt.
    pub burnt: u64,
    /// Lamports that opening the pool costs: the AMM's fee and the rents of its accounts.
    pub costs: u64,
    /// LP units burnt: all that there were.
    pub lp_burnt: u64,
    /// Unix seconds of the cluster's clock.
    pub timestamp: i64,
}

/// The data of the call that logs a `GraduateRecord`, laid out in memory.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Call {
    instruction: [u8; 8],
    event: [u8; 8],
    mint: Address,
    pool: Address,
    amounts: [[u8; 8]; 7],
    timestamp: [u8; 8],
}

impl GraduateRecord {
    fn call(&self) -> Call {
        let Self {
            mint,
            pool,
            pool_sol,
            pool_token,
            community_sol,
            community_token,
            burnt,
            costs,
            lp_burnt,
            timestamp,
        } = self;
        Call {
            instruction: VALIDATE_LOG_RECORD,
            event: discriminator::<Self>(),
            mint: *mint,
            pool: *pool,
            amounts: [pool_sol, pool_token, community_sol, community_token, burnt, costs, lp_burnt]
                .map(|amount| amount.to_le_bytes()),
            timestamp: timestamp.to_le_bytes(),
        }
    }

    /// Logs the record as the data of a call to this program's own `validate_log_record`, signed by the fee receiver. Such
    /// a record is never truncated, and only this program can produce one.
    pub(crate) fn log(&self, fee_receiver: &AccountView) -> refusal::Result<()> {
        let call = self.call();
        let instruction = InstructionView {
            program_id: &crate::ID,
            accounts: &[InstructionAccount::readonly_signer(fee_receiver.address())],
            data: bytemuck::bytes_of(&call),
        };
        let seeds = [Seed::from(FEE_RECEIVER_SEED), Seed::from(&[FEE_RECEIVER_BUMP])];
        invoke_signed(&instruction, &[fee_receiver], &[Seeds::from(&seeds)])
    }
}

const fn discriminator<T: Discriminator>() -> [u8; 8] {
    match T::DISCRIMINATOR.first_chunk() {
        Some(discriminator) => *discriminator,
        None => panic!("a record begins with eight bytes"),
    }
}

#[cfg(test)]
mod tests {
    use anchor_lang::{Event, InstructionData};
    use proptest::prelude::*;

    use super::*;
    use crate::instruction::ValidateLogRecord;

    proptest! {
        #[test]
        fn given_any_graduation_when_it_is_logged_then_the_bytes_are_anchors(
            mint: [u8; 32], pool: [u8; 32], amounts: [u64; 7], timestamp: i64,
        ) {
            let [pool_sol, pool_token, community_sol, community_token, burnt, costs, lp_burnt] = amounts;
            let record = GraduateRecord {
                mint: mint.into(), pool: pool.into(),
                pool_sol, pool_token, community_sol, community_token, burnt, costs, lp_burnt, timestamp,
            };
            let mut expected = ValidateLogRecord {}.data();
            expected.extend(record.data());
            let call = record.call();
            prop_assert_eq!(bytemuck::bytes_of(&call), expected);
        }
    }
}
