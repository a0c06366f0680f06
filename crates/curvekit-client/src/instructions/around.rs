//! Instructions of other programs that transactions need together with ours.

use curvekit_interface::token::Mint;
use solana_instruction::{AccountMeta, Instruction};
use solana_pubkey::Pubkey;

use crate::{
    addresses::associated_token_address,
    constants::{ATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM},
};

/// Bytes of a classic SPL mint account.
pub const MINT_ACCOUNT_SIZE: u64 = Mint::SIZE as u64;

const CREATE_ACCOUNT: u32 = 0;
const ASSIGN: u32 = 1;
const TRANSFER: u32 = 2;
const ALLOCATE: u32 = 8;
const CREATE_IDEMPOTENT: u8 = 1;

/// Makes `mint` an empty account of the token program, as `create_token` needs it. `payer` and `mint` sign.
///
/// `rent` is what the cluster asks for [`MINT_ACCOUNT_SIZE`] bytes: `getMinimumBalanceForRentExemption` of a node, or
/// `Rent::minimum_balance` of the rent sysvar. Clusters change it.
///
/// `held_lamports` are the lamports that the address already holds. The System program refuses to create an account
/// that holds lamports, so this transfers the missing lamports, and allocates and assigns the account.
pub fn create_mint_account(payer: &Pubkey, mint: &Pubkey, rent: u64, held_lamports: u64) -> Vec<Instruction> {
    if held_lamports == 0 {
        let mut data = CREATE_ACCOUNT.to_le_bytes().to_vec();
        data.extend(rent.to_le_bytes());
        data.extend(MINT_ACCOUNT_SIZE.to_le_bytes());
        data.extend(TOKEN_PROGRAM.as_array());
        return vec![Instruction { program_id: SYSTEM_PROGRAM, accounts: vec![signer(*payer), signer(*mint)], data }];
    }
    let of_mint = |code: u32, argument: &[u8]| Instruction {
        program_id: SYSTEM_PROGRAM,
        accounts: vec![signer(*mint)],
        data: [&code.to_le_bytes(), argument].concat(),
    };
    let missing = rent.saturating_sub(held_lamports);
    let transfer = (missing > 0).then(|| Instruction {
        program_id: SYSTEM_PROGRAM,
        accounts: vec![signer(*payer), writable(*mint)],
        data: [&TRANSFER.to_le_bytes()[..], &missing.to_le_bytes()].concat(),
    });
    let rest = [of_mint(ALLOCATE, &MINT_ACCOUNT_SIZE.to_le_bytes()), of_mint(ASSIGN, TOKEN_PROGRAM.as_array())];
    transfer.into_iter().chain(rest).collect()
}

/// Creates the associated token account of `owner`. Does nothing when it exists. `payer` signs.
pub fn create_token_account_if_missing(payer: &Pubkey, owner: &Pubkey, mint: &Pubkey) -> Instruction {
    let accounts = vec![
        signer(*payer),
        writable(associated_token_address(owner, mint).address),
        readonly(*owner),
        readonly(*mint),
        readonly(SYSTEM_PROGRAM),
        readonly(TOKEN_PROGRAM),
    ];
    Instruction { program_id: ATA_PROGRAM, accounts, data: vec![CREATE_IDEMPOTENT] }
}

fn writable(address: Pubkey) -> AccountMeta {
    AccountMeta::new(address, false)
}

fn readonly(address: Pubkey) -> AccountMeta {
    AccountMeta::new_readonly(address, false)
}

fn signer(address: Pubkey) -> AccountMeta {
    AccountMeta::new(address, true)
}
