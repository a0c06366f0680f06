use anchor_lang::prelude::*;
use anchor_spl::{
    associated_token::AssociatedToken,
    token::{spl_token::native_mint, Token},
};

use super::metaplex::TokenMetadata;
use crate::{
    constants::{DEX_OWNER, LOGGING_AUTHORITY_ADDRESS, PROPERTIES_ADDRESS},
    state::Properties,
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
    pub token_metadata_program: Program<'info, TokenMetadata>,
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
