use curvekit_interface::instructions::MigrateAccounts;
use solana_instruction::Instruction;
use solana_pubkey::Pubkey;

use super::{discriminators, metas};
use crate::{addresses::CurveAddresses, constants::TOKEN_PROGRAM, deployment::Deployment};

/// A migration by the owner of the fee receiver's keypair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migrate {
    /// The fee receiver's token account of the mint.
    pub fee_token_account: Pubkey,
}

/// Moves the SOL and tokens of a graduated curve to the fee receiver, once. The fee receiver signs.
pub fn migrate(deployment: &Deployment, token: &CurveAddresses, migrate: &Migrate) -> Instruction {
    let accounts = MigrateAccounts {
        token_mint: token.mint,
        token_program: TOKEN_PROGRAM,
        token_owner_pda: token.curve.address,
        fee_account: deployment.fee_receiver,
        token_owner_token_account: token.vault,
        fee_token_account: migrate.fee_token_account,
    };
    let mut data = discriminators::MIGRATE.to_vec();
    data.push(token.curve.bump);
    Instruction { program_id: deployment.program_id, accounts: metas(accounts.with_roles()), data }
}
