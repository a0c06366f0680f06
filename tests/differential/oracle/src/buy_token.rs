use anchor_lang::{prelude::*, system_program};
use anchor_spl::token::{self, Token, TokenAccount};

use crate::addresses::{is_curve_of, is_vault_of};
use bonding_curve::{
    constants::{
        FEE_RECEIVER, GRADUATION_VIRTUAL_TOKEN, LOGGING_AUTHORITY_ADDRESS, PROPERTIES_ADDRESS, TOKEN_OWNER_SEED,
    },
    curve,
    error::BondingCurveError,
    records::{self, TradeRecord},
    state::{Properties, TokenOwnerData},
};

#[derive(Accounts)]
#[instruction(pda_token_nonce: u8)]
pub struct BuyToken<'info> {
    /// The trader: pays the SOL and the fee, owns `user_token_account`.
    #[account(mut)]
    pub payer_account: Signer<'info>,
    pub system_program: Program<'info, System>,
    pub token_program: Program<'info, Token>,
    /// The curve of `token_mint`.
    #[account(
        mut,
        constraint = is_curve_of(token_mint.key, pda_token_nonce, &token_owner_pda.key())
            @ BondingCurveError::BondingCurveDoesNotMatchMint,
    )]
    pub token_owner_pda: Account<'info, TokenOwnerData>,
    /// CHECK: only its address is used. The curve account is derived from it.
    pub token_mint: UncheckedAccount<'info>,
    /// The vault. The token program debits it.
    #[account(
        mut,
        dup,
        constraint = is_vault_of(&token_owner_pda.key(), token_mint.key, &owner_token_account.key())
            @ BondingCurveError::BondingCurveDoesNotMatchMint,
    )]
    pub owner_token_account: Account<'info, TokenAccount>,
    /// The trader's token account of this mint.
    #[account(
        mut,
        constraint = user_token_account.key() != owner_token_account.key()
            @ ErrorCode::ConstraintDuplicateMutableAccount,
        token::mint = token_mint, token::authority = payer_account,
    )]
    pub user_token_account: Account<'info, TokenAccount>,
    /// CHECK: the fee receiver this program was built with.
    #[account(mut, address = FEE_RECEIVER @ BondingCurveError::WrongFeeReceiver)]
    pub fee_account: UncheckedAccount<'info>,
    #[account(address = PROPERTIES_ADDRESS)]
    pub properties_account: Account<'info, Properties>,
    /// CHECK: this program, for the call that logs the record.
    #[account(address = bonding_curve::ID)]
    pub program_account: UncheckedAccount<'info>,
    /// CHECK: the PDA that signs log records.
    #[account(address = LOGGING_AUTHORITY_ADDRESS)]
    pub log_authority_account: UncheckedAccount<'info>,
}

impl BuyToken<'_> {
    pub fn run(
        &mut self,
        pda_token_nonce: u8,
        sol_to_spend: u64,
        min_token_to_receive: u64,
        logging_account_bump: u8,
    ) -> Result<()> {
        let curve = &mut self.token_owner_pda;
        curve.require_trading()?;
        let buy = curve::buy(
            curve.reserves(),
            self.properties_account.platform_fee_bps,
            GRADUATION_VIRTUAL_TOKEN,
            sol_to_spend,
            min_token_to_receive,
        )
        .map_err(BondingCurveError::from)?;

        curve.set_reserves(buy.reserves);
        if buy.graduates {
            curve.initialized = TokenOwnerData::FINALIZED;
        }
        curve.invariant()?;

        self.pay(buy.sol_in())?;
        self.send_tokens(pda_token_nonce, buy.token_out)?;
        records::log_record(
            &TradeRecord {
                mint: self.token_mint.key(),
                trader: self.payer_account.key(),
                is_buy: true,
                sol_amount: buy.sol_in(),
                token_amount: buy.token_out,
                fee: buy.fee,
                virtual_sol: buy.reserves.virtual_sol,
                virtual_token: buy.reserves.virtual_token,
                finalized: buy.graduates,
                timestamp: Clock::get()?.unix_timestamp,
            },
            &self.log_authority_account,
            logging_account_bump,
        )?;
        self.pass_fee_on(buy.fee)
    }

    /// Transfers price and fee to the curve in one CPI. `pass_fee_on` moves the fee on.
    fn pay(&self, lamports: u64) -> Result<()> {
        let accounts = system_program::Transfer {
            from: self.payer_account.to_account_info(),
            to: self.token_owner_pda.to_account_info(),
        };
        system_program::transfer(CpiContext::new(system_program::ID, accounts), lamports)
    }

    fn send_tokens(&self, pda_token_nonce: u8, amount: u64) -> Result<()> {
        let accounts = token::Transfer {
            from: self.owner_token_account.to_account_info(),
            to: self.user_token_account.to_account_info(),
            authority: self.token_owner_pda.to_account_info(),
        };
        let seeds: &[&[u8]] = &[TOKEN_OWNER_SEED, self.token_mint.key.as_ref(), &[pda_token_nonce]];
        token::transfer(CpiContext::new_with_signer(token::ID, accounts, &[seeds]), amount)
    }

    /// Changes lamports directly, because the program owns the curve account. Runs after all CPIs: the runtime checks
    /// the sum of balances at each CPI.
    fn pass_fee_on(&self, fee: u64) -> Result<()> {
        self.token_owner_pda.sub_lamports(fee)?;
        self.fee_account.add_lamports(fee)?;
        Ok(())
    }
}
