use curvekit_interface::instructions::{GraduateAccounts, GraduateArguments, RaydiumPoolAccounts};
use solana_instruction::Instruction;
use solana_pubkey::Pubkey;

use super::{discriminators, metas};
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
    let own = GraduateAccounts {
        payer_account: *payer,
        fee_receiver: graduation.fee_receiver.address,
        pool_creator: graduation.pool_creator.address,
        token_mint: token.mint,
        native_mint: NATIVE_MINT,
        token_owner_pda: token.curve.address,
        token_owner_token_account: token.vault,
        tokens: tokens.address,
        wrapped_sol: wrapped_sol.address,
        community_wsol_storage: storages.wsol.address,
        community_token_storage: storages.token.address,
        curve_program: deployment.program_id,
        program_account: graduation.program_id,
        token_program: TOKEN_PROGRAM,
        system_program: SYSTEM_PROGRAM,
    };
    let of_the_pool = RaydiumPoolAccounts {
        amm_program: AMM_PROGRAM,
        amm_config: AMM_CONFIG,
        amm_authority: AMM_AUTHORITY,
        pool: pool.address,
        lp_mint: pool_accounts.lp_mint,
        lp_tokens,
        pool_vault_0: pool_accounts.vaults[0],
        pool_vault_1: pool_accounts.vaults[1],
        pool_fee_receiver: AMM_POOL_FEE_RECEIVER,
        observation: pool_accounts.observation,
        ata_program: ATA_PROGRAM,
        rent_sysvar: RENT_SYSVAR,
    };
    let arguments = GraduateArguments {
        pda_token_nonce: token.curve.bump,
        community_wsol_bump: storages.wsol.bump,
        community_token_bump: storages.token.bump,
        tokens_bump: tokens.bump,
        wrapped_sol_bump: wrapped_sol.bump,
        pool_bump: pool.bump,
    };
    let accounts = [metas(own.with_roles()), metas(of_the_pool.with_roles())].concat();
    let data = [&discriminators::GRADUATE, arguments.as_bytes()].concat();
    Ok(Instruction { program_id: graduation.program_id, accounts, data })
}
