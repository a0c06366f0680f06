//! An AMM with the `initialize` of Raydium's CPMM, which cheats as the last byte of its configuration says. It checks
//! nothing: whoever calls it must not depend on it.

mod accounts;

use pinocchio::{
    cpi::{Seed, Signer},
    entrypoint,
    error::ProgramError,
    AccountView, Address, ProgramResult,
};
use pinocchio_system::instructions::{Assign, Transfer as SendSol};
use pinocchio_token::instructions::{
    Approve, AuthorityType, CloseAccount, InitializeAccount3, InitializeMint2, MintTo, SetAuthority,
    Transfer as SendTokens,
};

use accounts::{create, create_lp_tokens, read_u64, Opening, TOKEN_ACCOUNT};

entrypoint!(process);

const AUTHORITY_SEED: &[u8] = b"vault_and_lp_mint_auth_seed";
const TOKEN_PROGRAM: Address = Address::from_str_const("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA");
const CREATE_POOL_FEE: usize = 36;
const POOL_STATE: usize = 637;
const OBSERVATION_STATE: usize = 4_075;
const MINT: usize = 82;
const LOCKED_SHARES: u64 = 100;
/// What a cheat takes.
const TAKEN: u64 = 1_000;

/// What it does. The numbers are those of `CHEATS` in `graduations.ts`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cheat {
    None,
    KeepsLpTokens,
    LessSol,
    FewerTokens,
    HigherFee,
    NoLpTokens,
    FewerLpTokens,
    /// The last four use the creator's signature for what it did not ask.
    BecomesDelegate,
    OwnsWrappedSol,
    KeepsRent,
    OwnsCreator,
}

impl Cheat {
    fn of(config: &AccountView) -> Result<Self, ProgramError> {
        use Cheat::*;
        let taking = [None, KeepsLpTokens, LessSol, FewerTokens, HigherFee, NoLpTokens, FewerLpTokens];
        let signing = [BecomesDelegate, OwnsWrappedSol, KeepsRent, OwnsCreator];
        let mut all = taking.iter().chain(&signing);
        let data = config.try_borrow()?;
        let number = data.last().copied().ok_or(ProgramError::InvalidAccountData)?;
        all.nth(usize::from(number)).copied().ok_or(ProgramError::InvalidAccountData)
    }
}

fn process(program_id: &Address, accounts: &mut [AccountView], data: &[u8]) -> ProgramResult {
    let opening = Opening::of(accounts)?;
    let cheat = Cheat::of(opening.config)?;
    let (authority, bump) = Address::find_program_address(&[AUTHORITY_SEED], program_id);
    let bump = [bump];
    let seeds = [Seed::from(AUTHORITY_SEED), Seed::from(&bump)];
    let by_authority = Signer::from(&seeds);

    create(program_id, &opening, opening.pool, POOL_STATE, program_id, None)?;
    let lp_seed: &[u8] = b"pool_lp_mint";
    create(program_id, &opening, opening.lp_mint, MINT, &TOKEN_PROGRAM, Some((lp_seed, None)))?;
    InitializeMint2::new(opening.lp_mint, 9, &authority, None).invoke()?;
    create_lp_tokens(&opening)?;
    for (vault, mint) in opening.vaults.into_iter().zip(opening.mints) {
        create(program_id, &opening, vault, TOKEN_ACCOUNT, &TOKEN_PROGRAM, Some((b"pool_vault", Some(mint))))?;
        InitializeAccount3::new(vault, mint, &authority).invoke()?;
    }
    fund(&opening, cheat, data)?;
    mint_shares(program_id, &opening, cheat, &authority, &by_authority)?;
    let fee = read_u64(opening.config, CREATE_POOL_FEE)?;
    let more = if cheat == Cheat::HigherFee { TAKEN } else { 0 };
    SendSol { from: opening.creator, to: opening.fee_receiver, lamports: fee + more }.invoke()?;
    use_signature(program_id, &opening, cheat, &authority)
}

/// The creator has signed for the pool. A signature is good for every call that the AMM makes.
fn use_signature(program_id: &Address, opening: &Opening, cheat: Cheat, authority: &Address) -> ProgramResult {
    let Opening { creator, .. } = *opening;
    let side = usize::from(opening.mints[0].address() != &pinocchio_native_mint());
    let wrapped_sol = opening.from[side];
    match cheat {
        Cheat::BecomesDelegate => Approve::new(wrapped_sol, opening.authority, creator, u64::MAX).invoke(),
        Cheat::OwnsWrappedSol => {
            SetAuthority::new(wrapped_sol, creator, AuthorityType::AccountOwner, Some(authority)).invoke()
        }
        Cheat::KeepsRent => CloseAccount::new(wrapped_sol, opening.observation, creator).invoke(),
        Cheat::OwnsCreator => Assign { account: creator, owner: program_id }.invoke(),
        _ => Ok(()),
    }
}

/// Takes both amounts, or less of one.
fn fund(opening: &Opening, cheat: Cheat, data: &[u8]) -> ProgramResult {
    for side in 0..2 {
        let bytes = data.get(8 + 8 * side..).and_then(|rest| rest.first_chunk::<8>());
        let asked = u64::from_le_bytes(*bytes.ok_or(ProgramError::InvalidInstructionData)?);
        let is_sol = opening.mints[side].address() == &pinocchio_native_mint();
        let less = match cheat {
            Cheat::LessSol if is_sol => 1,
            Cheat::FewerTokens if !is_sol => 1,
            _ => 0,
        };
        SendTokens::new(opening.from[side], opening.vaults[side], opening.creator, asked - less).invoke()?;
    }
    Ok(())
}

fn mint_shares(
    program_id: &Address,
    opening: &Opening,
    cheat: Cheat,
    authority: &Address,
    by_authority: &Signer,
) -> ProgramResult {
    let [a, b] = opening.vaults.map(|vault| read_u64(vault, 64));
    let all = u64::try_from((u128::from(a?) * u128::from(b?)).isqrt()).map_err(|_| ProgramError::ArithmeticOverflow)?;
    let shares = all.checked_sub(LOCKED_SHARES).ok_or(ProgramError::InsufficientFunds)?;
    let shares = match cheat {
        Cheat::NoLpTokens => 0,
        Cheat::FewerLpTokens => shares / 2 + 1,
        _ => shares,
    };
    let mint = |to, amount| -> ProgramResult {
        MintTo::new(opening.lp_mint, to, opening.authority, amount).invoke_signed(std::slice::from_ref(by_authority))
    };
    let seed: Option<(&[u8], _)> = Some((b"observation", None));
    if cheat == Cheat::KeepsLpTokens {
        // Where the observations belong it makes a token account of its own.
        create(program_id, opening, opening.observation, TOKEN_ACCOUNT, &TOKEN_PROGRAM, seed)?;
        InitializeAccount3::new(opening.observation, opening.lp_mint, authority).invoke()?;
        mint(opening.observation, TAKEN)?;
    } else {
        create(program_id, opening, opening.observation, OBSERVATION_STATE, program_id, seed)?;
    }
    mint(opening.lp_tokens, shares)?;
    opening.write_pool()
}

fn pinocchio_native_mint() -> Address {
    Address::from_str_const("So11111111111111111111111111111111111111112")
}
