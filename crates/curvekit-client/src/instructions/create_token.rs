use curvekit_interface::instructions::CreateTokenAccounts;
use solana_instruction::Instruction;
use solana_pubkey::Pubkey;

use super::{discriminators, metas};
use crate::{
    addresses::{metadata_address, CommunityStorages, CurveAddresses},
    arguments::{require_bps, ArgumentError},
    constants::{
        AFTER_MIGRATION_FEES, ATA_PROGRAM, BASIS_POINTS, MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH, MAX_URI_LENGTH,
        NATIVE_MINT, RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_METADATA_PROGRAM, TOKEN_PROGRAM,
    },
    deployment::Deployment,
};

/// A new token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreateToken<'a> {
    /// The creator, who pays for every account. Signs.
    pub payer: Pubkey,
    /// Name of 1 to 32 bytes.
    pub name: &'a str,
    /// Symbol of 1 to 10 bytes.
    pub symbol: &'a str,
    /// URI of the metadata, 1 to 200 bytes.
    pub uri: &'a str,
    /// Share of the migrated liquidity for the community in basis points: 0, 25, 50, 100, 200 or 500.
    pub after_migration_fee: u16,
    /// Burned share of a community settlement in basis points. The sum of the three shares is at most 10,000.
    pub after_migration_burn_bp: u16,
    /// Holders' share in basis points.
    pub after_migration_holders_bp: u16,
    /// Liquidity's share in basis points.
    pub after_migration_lp_bp: u16,
}

/// Creates a token. The mint must be an empty account of the token program: put `create_mint_account` before this
/// instruction, in the same transaction.
///
/// # Errors
/// [`ArgumentError`] that names an argument out of range.
pub fn create_token(
    deployment: &Deployment,
    token: &CurveAddresses,
    create: &CreateToken,
) -> Result<Instruction, ArgumentError> {
    require_terms(create)?;
    let storages = CommunityStorages::derive(&token.mint, deployment);
    let accounts = CreateTokenAccounts {
        properties_account: deployment.properties.address,
        payer_account: create.payer,
        token_program: TOKEN_PROGRAM,
        system_program: SYSTEM_PROGRAM,
        ata_program: ATA_PROGRAM,
        token_mint: token.mint,
        token_owner_pda: token.curve.address,
        token_owner_token_account: token.vault,
        token_metadata_program: TOKEN_METADATA_PROGRAM,
        token_metadata: metadata_address(&token.mint).address,
        after_migration_community_contribution_wsol_storage: storages.wsol.address,
        after_migration_community_contribution_token_storage: storages.token.address,
        rent_sysvar: RENT_SYSVAR,
        native_mint: NATIVE_MINT,
        dex_owner: deployment.dex_owner,
        program_account: deployment.program_id,
        log_authority_account: deployment.log_authority.address,
    };
    let mut data = discriminators::CREATE_TOKEN.to_vec();
    data.push(token.curve.bump);
    for (argument, text, limit) in texts(create) {
        data.extend(length_of(argument, text, limit)?.to_le_bytes());
        data.extend(text.as_bytes());
    }
    data.extend(create.after_migration_fee.to_le_bytes());
    for (_, share) in shares(create) {
        data.extend(share.to_le_bytes());
    }
    data.push(deployment.log_authority.bump);
    Ok(Instruction { program_id: deployment.program_id, accounts: metas(accounts.with_roles()), data })
}

/// In the order of the instruction's data.
fn texts<'a>(create: &CreateToken<'a>) -> [(&'static str, &'a str, u8); 3] {
    [
        ("uri", create.uri, MAX_URI_LENGTH),
        ("name", create.name, MAX_NAME_LENGTH),
        ("symbol", create.symbol, MAX_SYMBOL_LENGTH),
    ]
}

/// In the order of the instruction's data.
fn shares(create: &CreateToken) -> [(&'static str, u16); 3] {
    [
        ("after_migration_burn_bp", create.after_migration_burn_bp),
        ("after_migration_holders_bp", create.after_migration_holders_bp),
        ("after_migration_lp_bp", create.after_migration_lp_bp),
    ]
}

fn require_terms(create: &CreateToken) -> Result<(), ArgumentError> {
    let fee = create.after_migration_fee;
    if !AFTER_MIGRATION_FEES.contains(&fee) {
        let problem = format!("is {fee}; it must be one of {AFTER_MIGRATION_FEES:?} basis points");
        return Err(ArgumentError::new("after_migration_fee", problem));
    }
    let mut sum = 0u16;
    for (argument, share) in shares(create) {
        require_bps(argument, share, BASIS_POINTS)?;
        sum = sum.saturating_add(share);
        if sum > BASIS_POINTS {
            let problem =
                format!("brings the three shares to {sum} basis points; together they are at most {BASIS_POINTS}");
            return Err(ArgumentError::new(argument, problem));
        }
    }
    Ok(())
}

fn length_of(argument: &'static str, text: &str, limit: u8) -> Result<u32, ArgumentError> {
    match u8::try_from(text.len()) {
        Ok(length) if length > 0 && length <= limit => Ok(u32::from(length)),
        _ => Err(ArgumentError::new(argument, format!("has {} bytes; it must have 1 to {limit}", text.len()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TERMS: CreateToken = CreateToken {
        payer: Pubkey::new_from_array([1; 32]),
        name: "Curve",
        symbol: "CRV",
        uri: "https://example.org/curve.json",
        after_migration_fee: 100,
        after_migration_burn_bp: 5_000,
        after_migration_holders_bp: 3_000,
        after_migration_lp_bp: 2_000,
    };

    fn problem(create: CreateToken) -> String {
        let deployment = Deployment::DEVELOPMENT;
        let token = CurveAddresses::derive(&Pubkey::new_from_array([2; 32]), &deployment);
        create_token(&deployment, &token, &create).map_or_else(|error| error.to_string(), |_| "none".to_owned())
    }

    #[test]
    fn given_terms_at_their_bounds_when_a_token_is_created_then_they_are_taken() {
        let (name, symbol, uri) = ("n".repeat(32), "s".repeat(10), "u".repeat(200));
        assert_eq!(problem(CreateToken { name: &name, symbol: &symbol, uri: &uri, ..TERMS }), "none");
        for after_migration_fee in AFTER_MIGRATION_FEES {
            assert_eq!(problem(CreateToken { after_migration_fee, ..TERMS }), "none");
        }
    }

    #[test]
    fn given_terms_out_of_bounds_when_a_token_is_created_then_the_error_names_value_and_limit() {
        let (name, symbol, uri) = ("n".repeat(33), "s".repeat(11), "u".repeat(70_000));
        assert_eq!(problem(CreateToken { name: "", ..TERMS }), "name has 0 bytes; it must have 1 to 32");
        assert_eq!(problem(CreateToken { name: &name, ..TERMS }), "name has 33 bytes; it must have 1 to 32");
        assert_eq!(problem(CreateToken { symbol: &symbol, ..TERMS }), "symbol has 11 bytes; it must have 1 to 10");
        assert_eq!(problem(CreateToken { uri: &uri, ..TERMS }), "uri has 70000 bytes; it must have 1 to 200");
        assert_eq!(
            problem(CreateToken { after_migration_fee: 99, ..TERMS }),
            "after_migration_fee is 99; it must be one of [0, 25, 50, 100, 200, 500] basis points"
        );
        assert_eq!(
            problem(CreateToken { after_migration_burn_bp: 10_001, ..TERMS }),
            "after_migration_burn_bp is 10001 basis points; it must be at most 10000"
        );
        assert_eq!(
            problem(CreateToken { after_migration_lp_bp: 2_001, ..TERMS }),
            "after_migration_lp_bp brings the three shares to 10001 basis points; together they are at most 10000"
        );
    }
}
