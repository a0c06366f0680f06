//! Several instructions of the token program in one call: a call of its own for each costs a thousand compute units more.

use anchor_spl::token;
use pinocchio::{
    cpi::{invoke_signed_with_bounds, Signer},
    instruction::{InstructionAccount, InstructionView},
    AccountView, Address,
};

use crate::refusal::Result;

/// The token program's instructions, by their tags.
const TRANSFER: u8 = 3;
/// Then: the account's owner, and that there is a new one.
const SET_OWNER: [u8; 3] = [6, 2, 1];
const BURN: u8 = 8;
const CLOSE_ACCOUNT: u8 = 9;
const SYNC_NATIVE: u8 = 17;
const INITIALIZE_ACCOUNT_3: u8 = 18;
/// Then: that an amount follows.
const UNWRAP_LAMPORTS: [u8; 2] = [45, 1];
const BATCH: u8 = 255;

/// Whether the last account of an instruction signs.
const SIGNED: bool = true;

/// Accounts of the longest batch.
const MOST_ACCOUNTS: usize = 20;
/// Bytes of the longest batch.
const MOST_BYTES: usize = 160;

pub struct Batch<'a> {
    data: Vec<u8>,
    metas: Vec<InstructionAccount<'a>>,
    views: Vec<&'a AccountView>,
}

impl<'a> Batch<'a> {
    pub fn new() -> Self {
        let mut data = Vec::with_capacity(MOST_BYTES);
        data.push(BATCH);
        Self { data, metas: Vec::with_capacity(MOST_ACCOUNTS), views: Vec::with_capacity(MOST_ACCOUNTS) }
    }

    pub fn transfer(&mut self, from: &'a AccountView, to: &'a AccountView, owner: &'a AccountView, amount: u64) {
        self.add([from, to, owner], SIGNED, &joined::<1, 8, 9>([TRANSFER], amount.to_le_bytes()));
    }

    pub fn set_owner(&mut self, account: &'a AccountView, owner: &'a AccountView, new: &Address) {
        self.add([account, owner], SIGNED, &joined::<3, 32, 35>(SET_OWNER, *new.as_array()));
    }

    pub fn burn(&mut self, from: &'a AccountView, mint: &'a AccountView, owner: &'a AccountView, amount: u64) {
        self.add([from, mint, owner], SIGNED, &joined::<1, 8, 9>([BURN], amount.to_le_bytes()));
    }

    pub fn close(&mut self, account: &'a AccountView, to: &'a AccountView, owner: &'a AccountView) {
        self.add([account, to, owner], SIGNED, &[CLOSE_ACCOUNT]);
    }

    pub fn sync_native(&mut self, account: &'a AccountView) {
        self.add([account], !SIGNED, &[SYNC_NATIVE]);
    }

    pub fn initialize(&mut self, account: &'a AccountView, mint: &'a AccountView, owner: &Address) {
        self.add([account, mint], !SIGNED, &joined::<1, 32, 33>([INITIALIZE_ACCOUNT_3], *owner.as_array()));
    }

    pub fn unwrap(&mut self, from: &'a AccountView, to: &'a AccountView, owner: &'a AccountView, lamports: u64) {
        self.add([from, to, owner], SIGNED, &joined::<2, 8, 10>(UNWRAP_LAMPORTS, lamports.to_le_bytes()));
    }

    /// If it is signed, the last account signs.
    #[inline(always)]
    fn add<const ACCOUNTS: usize, const BYTES: usize>(
        &mut self,
        accounts: [&'a AccountView; ACCOUNTS],
        is_signed: bool,
        data: &[u8; BYTES],
    ) {
        self.data.extend_from_slice(&[ACCOUNTS.to_le_bytes()[0], BYTES.to_le_bytes()[0]]);
        self.data.extend_from_slice(data);
        for (index, view) in accounts.into_iter().enumerate() {
            let signs = is_signed && index.saturating_add(1) == ACCOUNTS;
            self.metas.push(InstructionAccount::new(view.address(), view.is_writable() && !signs, signs));
            self.views.push(view);
        }
    }

    pub fn invoke_signed(&self, signers: &[Signer]) -> Result<()> {
        let instruction = InstructionView { program_id: &token::ID, data: &self.data, accounts: &self.metas };
        invoke_signed_with_bounds::<MOST_ACCOUNTS, _>(&instruction, &self.views, signers)
    }
}

#[inline(always)]
fn joined<const A: usize, const B: usize, const ALL: usize>(a: [u8; A], b: [u8; B]) -> [u8; ALL] {
    let mut all = [0; ALL];
    let (start, end) = all.split_at_mut(A);
    start.copy_from_slice(&a);
    end.copy_from_slice(&b);
    all
}
