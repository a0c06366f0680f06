use anchor_lang::error::ErrorCode;
use curvekit_interface::instructions::TradeArguments;

use crate::refusal::{refusal, Result};

/// The arguments of a trade, read in place. Further bytes are ignored, as by Anchor.
#[inline(always)]
pub fn trade_arguments(arguments: &[u8]) -> Result<&TradeArguments> {
    let bytes = arguments.get(..size_of::<TradeArguments>()).and_then(|bytes| bytemuck::try_from_bytes(bytes).ok());
    bytes.ok_or_else(|| refusal(ErrorCode::InstructionDidNotDeserialize))
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
                    prop_assert!(trade_arguments(&data[8..length]).is_err());
                }
                data.extend_from_slice(&rest);
                let read = trade_arguments(&data[8..]).unwrap();
                prop_assert_eq!((read.pda_token_nonce, read.logging_account_bump), (pda_token_nonce, logging_account_bump));
                prop_assert_eq!((read.amount(), read.minimum()), (amount, minimum));
            }
        }
    }
}
