//! A swap without wrapped SOL: the instruction of this program, for a wallet that signs it itself.

use anyhow::Result;
use solana_instruction::Instruction;

use super::{CurveAmm, SwapParams};
use crate::instructions::{buy_token, sell_token, BuyToken, SellToken};

impl CurveAmm {
    /// The swap as one instruction that pays or receives lamports, not wrapped SOL. `token_transfer_authority` signs: a
    /// buy takes lamports from it, a sell pays lamports to it. The token account must exist. The account on the SOL side is
    /// ignored.
    ///
    /// `in_amount` and `out_amount` are those of a quote of either mode. The slippage is taken from `out_amount`, or added to
    /// `in_amount` for exact-out: the program spends `in_amount`, and yields at least `out_amount` or refuses. If others buy
    /// first and too few tokens are left, it sells these at the price of the minimum or better, and takes only their lamports.
    ///
    /// # Errors
    /// For mints that are not the market's, and for zero `in_amount`.
    pub fn native_swap(&self, swap_params: &SwapParams) -> Result<Instruction> {
        let SwapParams { source_mint, destination_mint, token_transfer_authority, .. } = swap_params;
        let payer = *token_transfer_authority;
        let instruction = if self.is_buy(source_mint, destination_mint)? {
            let buy = BuyToken {
                payer,
                user_token_account: swap_params.destination_token_account,
                sol_to_spend: swap_params.in_amount,
                min_token_to_receive: swap_params.out_amount,
            };
            buy_token(&self.deployment, &self.token, &buy)?
        } else {
            let sell = SellToken {
                payer,
                user_token_account: swap_params.source_token_account,
                token_to_spend: swap_params.in_amount,
                min_sol_to_receive: swap_params.out_amount,
            };
            sell_token(&self.deployment, &self.token, &sell)?
        };
        Ok(instruction)
    }
}
