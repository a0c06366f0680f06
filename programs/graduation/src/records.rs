//! The log record of a graduation. Its fields are in the interface crate, and here is Anchor's event, for the IDL.

use anchor_lang::prelude::*;
use bytemuck::{Pod, Zeroable};
use curvekit_interface::{
    instructions::{discriminators::VALIDATE_LOG_RECORD, SIGN},
    records::{self, GraduateRecordBytes},
};
use pinocchio::{
    cpi::{Seed, Signer as Seeds},
    AccountView,
};

use crate::{
    constants::{FEE_RECEIVER_BUMP, FEE_RECEIVER_SEED},
    cpi,
};

macro_rules! anchor_event {
    (
        $(#[$doc:meta])*
        $name:ident / $bytes:ident = $discriminator:tt { $($(#[$field_doc:meta])* $field:ident: $type:ident,)* }
    ) => {
        $(#[$doc])*
        #[event]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }
    };
}

curvekit_interface::graduate_record!(anchor_event);

/// The data of the call that logs a record.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Call {
    instruction: [u8; 8],
    record: GraduateRecordBytes,
}

/// Logs the record as the data of a call to this program's own `validate_log_record`, signed by the fee receiver. Such
/// a record is never truncated, and only this program can produce one.
pub(crate) fn log(record: &records::GraduateRecord, fee_receiver: &AccountView) {
    let call = Call { instruction: VALIDATE_LOG_RECORD, record: record.bytes() };
    let seeds = [Seed::from(FEE_RECEIVER_SEED), Seed::from(&[FEE_RECEIVER_BUMP])];
    cpi::call(&crate::ID, bytemuck::bytes_of(&call), [(fee_receiver, SIGN)], &[Seeds::from(&seeds)]);
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
            let (mint, pool) = (mint.into(), pool.into());
            let record = records::GraduateRecord {
                mint, pool, pool_sol, pool_token, community_sol, community_token, burnt, costs, lp_burnt, timestamp,
            };
            let mut expected = ValidateLogRecord {}.data();
            expected.extend(GraduateRecord {
                mint, pool, pool_sol, pool_token, community_sol, community_token, burnt, costs, lp_burnt, timestamp,
            }.data());
            let call = Call { instruction: VALIDATE_LOG_RECORD, record: record.bytes() };
            prop_assert_eq!(bytemuck::bytes_of(&call), expected);
        }
    }
}
