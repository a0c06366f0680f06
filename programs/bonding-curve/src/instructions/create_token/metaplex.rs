//! Metaplex Token Metadata, as far as a creation calls it. Written here, so that the program needs no client of Metaplex.

use anchor_lang::{prelude::*, solana_program::instruction::Instruction, system_program};

use crate::constants::{MAX_NAME_LENGTH, MAX_SYMBOL_LENGTH, MAX_URI_LENGTH};

/// The program.
#[derive(Clone)]
pub struct TokenMetadata;

impl Id for TokenMetadata {
    fn id() -> Pubkey {
        ADDRESS
    }
}

/// A constant, so that it is not decoded at run time.
const ADDRESS: Pubkey = pubkey!("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s");

/// Instruction `CreateMetadataAccountV3`.
const CREATE_METADATA: u8 = 33;
/// Its arguments after the texts: no fee of creators (two bytes), no creators, collection or uses, not mutable, no details of a
/// collection.
const NO_FEE_AND_NOTHING_ELSE: [u8; 7] = [0; 7];
/// The longest texts, their lengths, and the rest.
const LONGEST: usize = 1
    + 3 * 4
    + MAX_NAME_LENGTH as usize
    + MAX_SYMBOL_LENGTH as usize
    + MAX_URI_LENGTH as usize
    + NO_FEE_AND_NOTHING_ELSE.len();

/// Accounts of the call. The authority may issue the mint's tokens, and becomes the update authority.
pub(super) struct Accounts<'a> {
    pub metadata: &'a Pubkey,
    pub mint: &'a Pubkey,
    pub authority: &'a Pubkey,
    pub payer: &'a Pubkey,
}

/// The call that makes metadata which nobody can change.
pub(super) fn create_metadata(accounts: Accounts, [name, symbol, uri]: [&str; 3]) -> Result<Instruction> {
    let mut data = Vec::with_capacity(LONGEST);
    data.push(CREATE_METADATA);
    for text in [name, symbol, uri] {
        let length = u32::try_from(text.len()).map_err(|_| ProgramError::InvalidInstructionData)?;
        data.extend_from_slice(&length.to_le_bytes());
        data.extend_from_slice(text.as_bytes());
    }
    data.extend_from_slice(&NO_FEE_AND_NOTHING_ELSE);
    let Accounts { metadata, mint, authority, payer } = accounts;
    Ok(Instruction {
        program_id: ADDRESS,
        accounts: vec![
            AccountMeta::new(*metadata, false),
            AccountMeta::new_readonly(*mint, false),
            AccountMeta::new_readonly(*authority, true),
            AccountMeta::new(*payer, true),
            AccountMeta::new_readonly(*authority, true),
            AccountMeta::new_readonly(system_program::ID, false),
        ],
        data,
    })
}
