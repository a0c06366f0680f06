//! The arguments of `buy_token` and `sell_token`: the same bytes with other names.

use anchor_lang::error::ErrorCode;
use bytemuck::{Pod, Zeroable};

use crate::refusal::{refusal, Result};

/// Read in place. Further bytes are ignored, as by Anchor.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub struct TradeArguments {
    pub pda_token_nonce: u8,
    amount: [u8; 8],
    minimum: [u8; 8],
    pub logging_account_bump: u8,
}

impl TradeArguments {
    #[inline(always)]
    pub fn read(arguments: &[u8]) -> Result<&Self> {
        let bytes = arguments.get(..size_of::<Self>()).and_then(|bytes| bytemuck::try_from_bytes(bytes).ok());
        bytes.ok_or_else(|| refusal(ErrorCode::InstructionDidNotDeserialize))
    }

    #[inline(always)]
    pub fn amount(&self) -> u64 {
        u64::from_le_bytes(self.amount)
    }

    #[inline(always)]
    pub fn minimum(&self) -> u64 {
        u64::from_le_bytes(self.minimum)
    }
}

#[cfg(test)]
mod tests {
    use anchor_lang::InstructionData;
    use proptest::prelude::*;

    use super::*;
    use crate::instruction::{BuyToken, SellToken};

    proptest! {
        #[test]
        fn given_any_arguments_when_they_are_read_then_they_are_what_anchor_wrote(
            pda_token_nonce: u8, amount: u64, minimum: u64, logging_account_bump: u8, rest: Vec<u8>,
        ) {
            let buy = BuyToken {
                pda_token_nonce, sol_to_spend: amount, min_token_to_receive: minimum, logging_account_bump,
            };
            let sell = SellToken {
                pda_token_nonce, token_to_spend: amount, min_sol_to_receive: minimum, logging_account_bump,
            };
            for mut data in [buy.data(), sell.data()] {
                for length in 8..data.len() {
                    prop_assert!(TradeArguments::read(&data[8..length]).is_err());
                }
                data.extend_from_slice(&rest);
                let read = TradeArguments::read(&data[8..]).unwrap();
                prop_assert_eq!((read.pda_token_nonce, read.logging_account_bump), (pda_token_nonce, logging_account_bump));
                prop_assert_eq!((read.amount(), read.minimum()), (amount, minimum));
            }
        }
    }
}
