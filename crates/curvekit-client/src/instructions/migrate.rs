use solana_instruction::Instruction;
use solana_pubkey::Pubkey;

use super::{discriminators, readonly, signer, writable};
use crate::{addresses::CurveAddresses, constants::TOKEN_PROGRAM, deployment::Deployment};

/// A migration by the owner of the fee receiver's keypair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Migrate {
    /// The fee receiver's token account of the mint.
    pub fee_token_account: Pubkey,
}

/// Moves the SOL and tokens of a graduated curve to the fee receiver, once. The fee receiver signs.
pub fn migrate(deployment: &Deployment, token: &CurveAddresses, migrate: &Migrate) -> Instruction {
    let accounts = vec![
        readonly(token.mint),
        readonly(TOKEN_PROGRAM),
        writable(token.curve.address),
        signer(deployment.fee_receiver),
        writable(token.vault),
        writable(migrate.fee_token_account),
    ];
    let mut data = discriminators::MIGRATE.to_vec();
    data.push(token.curve.bump);
    Instruction { program_id: deployment.program_id, accounts, data }
}
