//! The accounts of `initialize`, and how they are created.

use pinocchio::{
    cpi::{invoke, Seed, Signer},
    error::ProgramError,
    instruction::{InstructionAccount, InstructionView},
    sysvars::{rent::Rent, Sysvar},
    AccountView, Address, ProgramResult,
};
use pinocchio_system::instructions::{Allocate, Assign, Transfer};

pub const TOKEN_ACCOUNT: usize = 165;
/// Bytes before the configuration's address in a pool.
const CONFIG_OF_POOL: usize = 8;

pub struct Opening<'a> {
    pub creator: &'a AccountView,
    pub config: &'a AccountView,
    pub authority: &'a AccountView,
    pub pool: &'a AccountView,
    pub mints: [&'a AccountView; 2],
    pub lp_mint: &'a AccountView,
    pub from: [&'a AccountView; 2],
    pub lp_tokens: &'a AccountView,
    pub vaults: [&'a AccountView; 2],
    pub fee_receiver: &'a AccountView,
    pub observation: &'a AccountView,
    token_program: &'a AccountView,
    ata_program: &'a AccountView,
    system_program: &'a AccountView,
}

impl<'a> Opening<'a> {
    pub fn of(accounts: &'a [AccountView]) -> Result<Self, ProgramError> {
        let Some(
            [creator, config, authority, pool, mint_0, mint_1, lp_mint, from_0, from_1, lp_tokens, vault_0, vault_1, fee_receiver, observation, token_program, _, _, ata_program, system_program, ..],
        ) = accounts.first_chunk::<20>()
        else {
            return Err(ProgramError::NotEnoughAccountKeys);
        };
        Ok(Self {
            creator,
            config,
            authority,
            pool,
            mints: [mint_0, mint_1],
            lp_mint,
            from: [from_0, from_1],
            lp_tokens,
            vaults: [vault_0, vault_1],
            fee_receiver,
            observation,
            token_program,
            ata_program,
            system_program,
        })
    }

    pub fn write_pool(&self) -> ProgramResult {
        let mut pool = self.pool.clone();
        let mut data = pool.try_borrow_mut()?;
        let config = data.get_mut(CONFIG_OF_POOL..).and_then(|rest| rest.first_chunk_mut::<32>());
        *config.ok_or(ProgramError::AccountDataTooSmall)? = *self.config.address().as_array();
        Ok(())
    }
}

/// Creates an account, also where lamports were sent ahead. Without a seed the account itself signs; with one it is a PDA of
/// the pool's address, and of a mint.
pub fn create(
    program_id: &Address,
    opening: &Opening,
    account: &AccountView,
    space: usize,
    owner: &Address,
    seed: Option<(&[u8], Option<&AccountView>)>,
) -> ProgramResult {
    let missing = Rent::get()?.try_minimum_balance(space)?.saturating_sub(account.lamports());
    if missing > 0 {
        Transfer { from: opening.creator, to: account, lamports: missing }.invoke()?;
    }
    let prepare = |signers: &[Signer]| -> ProgramResult {
        Allocate { account, space: space as u64 }.invoke_signed(signers)?;
        Assign { account, owner }.invoke_signed(signers)
    };
    let pool = opening.pool.address().as_array().as_slice();
    match seed {
        None => prepare(&[]),
        Some((seed, None)) => {
            let bump = [Address::find_program_address(&[seed, pool], program_id).1];
            prepare(&[Signer::from(&[Seed::from(seed), Seed::from(pool), Seed::from(&bump)])])
        }
        Some((seed, Some(mint))) => {
            let mint = mint.address().as_array().as_slice();
            let bump = [Address::find_program_address(&[seed, pool, mint], program_id).1];
            prepare(&[Signer::from(&[Seed::from(seed), Seed::from(pool), Seed::from(mint), Seed::from(&bump)])])
        }
    }
}

/// The creator's associated account of the LP mint.
pub fn create_lp_tokens(opening: &Opening) -> ProgramResult {
    let accounts = [
        opening.creator,
        opening.lp_tokens,
        opening.creator,
        opening.lp_mint,
        opening.system_program,
        opening.token_program,
    ];
    let metas = [
        InstructionAccount::writable_signer(opening.creator.address()),
        InstructionAccount::writable(opening.lp_tokens.address()),
        InstructionAccount::readonly(opening.creator.address()),
        InstructionAccount::readonly(opening.lp_mint.address()),
        InstructionAccount::readonly(opening.system_program.address()),
        InstructionAccount::readonly(opening.token_program.address()),
    ];
    let program_id = opening.ata_program.address();
    invoke(&InstructionView { program_id, accounts: &metas, data: &[0] }, &accounts)
}

pub fn read_u64(account: &AccountView, offset: usize) -> Result<u64, ProgramError> {
    let data = account.try_borrow()?;
    let bytes = data.get(offset..).and_then(|rest| rest.first_chunk::<8>());
    bytes.copied().map(u64::from_le_bytes).ok_or(ProgramError::AccountDataTooSmall)
}
