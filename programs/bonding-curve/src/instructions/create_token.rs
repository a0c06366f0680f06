use anchor_lang::prelude::*;
use anchor_spl::{
    associated_token::AssociatedToken,
    metadata::Metadata,
    token::{spl_token::native_mint, Token},
};

use crate::{
    constants::{
        AFTER_MIGRATION_FEES, BASIS_POINTS, DEX_OWNER, LOGGING_AUTHORITY_ADDRESS, MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH,
        MAX_URI_LENGTH, PROPERTIES_ADDRESS, TOKEN_OWNER_SEED,
    },
    error::BondingCurveError,
    pda,
    records::{self, CreateRecord},
    state::{Properties, TokenOwnerData},
};

#[derive(Accounts)]
pub struct CreateToken<'info> {
    #[account(mut, address = PROPERTIES_ADDRESS)]
    pub properties_account: Account<'info, Properties>,
    /// The creator: pays for every account.
    #[account(mut)]
    pub payer_account: Signer<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
    pub ata_program: Program<'info, AssociatedToken>,
    /// CHECK: 82 zero bytes owned by the token program, made by the client in the same transaction; initialised here.
    #[account(mut, owner = token_program.key())]
    pub token_mint: UncheckedAccount<'info>,
    /// CHECK: the new curve account; its address is checked and the account created here.
    #[account(mut)]
    pub token_owner_pda: UncheckedAccount<'info>,
    /// CHECK: the new vault; its address is checked here, the associated-token program creates it.
    #[account(mut)]
    pub token_owner_token_account: UncheckedAccount<'info>,
    pub token_metadata_program: Program<'info, Metadata>,
    /// CHECK: Metaplex checks the address and creates the account.
    #[account(mut)]
    pub token_metadata: UncheckedAccount<'info>,
    /// CHECK: the new WSOL storage; its address is checked and the account created here.
    #[account(mut)]
    pub after_migration_community_contribution_wsol_storage: UncheckedAccount<'info>,
    /// CHECK: the new token storage; its address is checked and the account created here.
    #[account(mut)]
    pub after_migration_community_contribution_token_storage: UncheckedAccount<'info>,
    pub rent_sysvar: Sysvar<'info, Rent>,
    /// CHECK: the mint of wrapped SOL.
    #[account(address = native_mint::ID)]
    pub native_mint: UncheckedAccount<'info>,
    /// CHECK: owns the two storages.
    #[account(address = DEX_OWNER)]
    pub dex_owner: UncheckedAccount<'info>,
    /// CHECK: this program, for the call that logs the record.
    #[account(address = crate::ID)]
    pub program_account: UncheckedAccount<'info>,
    /// CHECK: the PDA that signs log records.
    #[account(address = LOGGING_AUTHORITY_ADDRESS)]
    pub log_authority_account: UncheckedAccount<'info>,
}

/// What the creator decides. All of it is in the log record; only the fee and the burned share are kept on chain.
pub struct TokenTerms {
    pub uri: String,
    pub name: String,
    pub symbol: String,
    pub after_migration_fee: u16,
    pub burn_bp: u16,
    pub holders_bp: u16,
    pub lp_bp: u16,
}

impl TokenTerms {
    fn require_sensible(&self) -> Result<()> {
        let shares = [self.burn_bp, self.holders_bp, self.lp_bp].into_iter().map(u32::from).sum::<u32>();
        let sensible = AFTER_MIGRATION_FEES.contains(&self.after_migration_fee)
            && shares <= u32::from(BASIS_POINTS)
            && (1..=usize::from(MAX_NAME_LENGTH)).contains(&self.name.len())
            && (1..=usize::from(MAX_SYMBOL_LENGTH)).contains(&self.symbol.len())
            && (1..=usize::from(MAX_URI_LENGTH)).contains(&self.uri.len());
        require!(sensible, BondingCurveError::LogicalError);
        Ok(())
    }
}

impl CreateToken<'_> {
    pub fn run(&mut self, pda_token_nonce: u8, terms: TokenTerms, logging_account_bump: u8) -> Result<()> {
        terms.require_sensible()?;
        let mint = self.token_mint.key();
        let curve_seeds: &[&[u8]] = &[TOKEN_OWNER_SEED, mint.as_ref(), &[pda_token_nonce]];
        self.require_own_addresses(&mint, pda_token_nonce)?;

        let curve = TokenOwnerData {
            initialized: TokenOwnerData::TRADING,
            virtual_sol: self.properties_account.initial_virtual_sol,
            virtual_token: self.properties_account.initial_virtual_token,
            after_migration_fee: terms.after_migration_fee,
            after_migration_burn_bp: terms.burn_bp,
        };
        curve.invariant()?;
        // First, so that a token which exists already is refused as a mint that is not blank.
        self.initialize_mint()?;
        let (payer, curve_account) = (&self.payer_account, &self.token_owner_pda);
        pda::create_account(payer, curve_account, TokenOwnerData::SIZE, &crate::ID, curve_seeds)?;
        curve.try_serialize(&mut &mut curve_account.try_borrow_mut_data()?[..])?;

        self.create_vault()?;
        self.create_storages(&mint)?;
        self.create_metadata(&terms, curve_seeds)?;
        self.issue_supply(curve_seeds)?;

        records::log_record(
            &CreateRecord {
                mint,
                creator: self.payer_account.key(),
                token_owner_pda: self.token_owner_pda.key(),
                name: terms.name,
                symbol: terms.symbol,
                uri: terms.uri,
                after_migration_fee: terms.after_migration_fee,
                burn_bp: terms.burn_bp,
                holders_bp: terms.holders_bp,
                lp_bp: terms.lp_bp,
                virtual_sol: curve.virtual_sol,
                virtual_token: curve.virtual_token,
                platform_fee_bps: self.properties_account.platform_fee_bps,
                timestamp: Clock::get()?.unix_timestamp,
            },
            &self.log_authority_account,
            logging_account_bump,
        )
    }
}
