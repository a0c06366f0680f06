use solana_instruction::Instruction;
use solana_pubkey::Pubkey;

use super::{discriminators, readonly, signer, writable};
use crate::{
    addresses::{associated_token_address, CommunityStorages, CurveAddresses, GraduationAddresses, PoolAddresses},
    arguments::ArgumentError,
    constants::{
        AMM_AUTHORITY, AMM_CONFIG, AMM_POOL_FEE_RECEIVER, AMM_PROGRAM, ATA_PROGRAM, NATIVE_MINT, RENT_SYSVAR,
        SYSTEM_PROGRAM, TOKEN_PROGRAM,
    },
    deployment::Deployment,
};

/// A compute unit limit that is enough for `graduate`. The default limit of 200,000 can be too low.
pub const GRADUATE_COMPUTE_UNITS: u32 = 300_000;

/// Moves a sold-out curve to its pool, atomically. `payer` can be any wallet. It signs, and pays the rent of three
/// token accounts, which it gets back.
///
/// # Errors
/// [`ArgumentError`] for a deployment whose fee receiver is a keypair: its owner calls `migrate` instead.
pub fn graduate(deployment: &Deployment, token: &CurveAddresses, payer: &Pubkey) -> Result<Instruction, ArgumentError> {
    let Deployment { graduation, fee_receiver, .. } = deployment;
    if !deployment.graduates_by_itself() {
        let problem = format!(
            "has the fee receiver {fee_receiver}, not the graduation program's {}: its holder calls migrate instead",
            graduation.fee_receiver.address
        );
        return Err(ArgumentError::new("deployment", problem));
    }
    let storages = CommunityStorages::derive(&token.mint, deployment);
    let GraduationAddresses { tokens, wrapped_sol, pool } = GraduationAddresses::derive(&token.mint, deployment);
    let pool_accounts = PoolAddresses::derive(&pool.address, &token.mint);
    let lp_tokens = associated_token_address(&graduation.pool_creator.address, &pool_accounts.lp_mint).address;
    let accounts = vec![
        signer(*payer),
        writable(graduation.fee_receiver.address),
        writable(graduation.pool_creator.address),
        writable(token.mint),
        readonly(NATIVE_MINT),
        writable(token.curve.address),
        writable(token.vault),
        writable(tokens.address),
        writable(wrapped_sol.address),
        writable(storages.wsol.address),
        writable(storages.token.address),
        readonly(deployment.program_id),
        readonly(graduation.program_id),
        readonly(TOKEN_PROGRAM),
        readonly(SYSTEM_PROGRAM),
        readonly(AMM_PROGRAM),
        readonly(AMM_CONFIG),
        readonly(AMM_AUTHORITY),
        writable(pool.address),
        writable(pool_accounts.lp_mint),
        writable(lp_tokens),
        writable(pool_accounts.vaults[0]),
        writable(pool_accounts.vaults[1]),
        writable(AMM_POOL_FEE_RECEIVER),
        writable(pool_accounts.observation),
        readonly(ATA_PROGRAM),
        readonly(RENT_SYSVAR),
    ];
    let mut data = discriminators::GRADUATE.to_vec();
    data.extend([token.curve.bump, storages.wsol.bump, storages.token.bump, tokens.bump, wrapped_sol.bump, pool.bump]);
    Ok(Instruction { program_id: graduation.program_id, accounts, data })
}
