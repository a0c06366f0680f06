//! The addresses that belong to one token. Deriving takes some microseconds per address, so keep the result.

use solana_pubkey::Pubkey;

use crate::{
    constants::{
        AMM_PROGRAM, ATA_PROGRAM, COMMUNITY_TOKEN_SEED, COMMUNITY_WSOL_SEED, NATIVE_MINT, POOL_SEED, TOKENS_SEED,
        TOKEN_METADATA_PROGRAM, TOKEN_OWNER_SEED, TOKEN_PROGRAM, WRAPPED_SOL_SEED,
    },
    deployment::{AddressWithBump, Deployment},
};

/// The addresses for trades of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurveAddresses {
    /// The token's mint.
    pub mint: Pubkey,
    /// The bonding curve account, with `TokenOwnerData` and the SOL.
    pub curve: AddressWithBump,
    /// The vault: the curve's associated token account.
    pub vault: Pubkey,
}

impl CurveAddresses {
    /// Derives the addresses.
    pub fn derive(mint: &Pubkey, deployment: &Deployment) -> Self {
        let curve = Self::curve_of(mint, &deployment.program_id);
        Self { mint: *mint, curve, vault: associated_token_address(&curve.address, mint).address }
    }

    /// The bonding curve account of a mint.
    pub fn curve_of(mint: &Pubkey, program_id: &Pubkey) -> AddressWithBump {
        AddressWithBump::derive(&[TOKEN_OWNER_SEED, mint.as_array()], program_id)
    }
}

/// The community's two storages for a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommunityStorages {
    /// Holds wrapped SOL.
    pub wsol: AddressWithBump,
    /// Holds the token itself.
    pub token: AddressWithBump,
}

impl CommunityStorages {
    /// Derives the addresses.
    pub fn derive(mint: &Pubkey, deployment: &Deployment) -> Self {
        let storage = |seed: &[u8]| AddressWithBump::derive(&[seed, mint.as_array()], &deployment.program_id);
        Self { wsol: storage(COMMUNITY_WSOL_SEED), token: storage(COMMUNITY_TOKEN_SEED) }
    }
}

/// The additional addresses for a graduation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraduationAddresses {
    /// Temporary account for the migrated tokens during `graduate`.
    pub tokens: AddressWithBump,
    /// Temporary account for the pool's wrapped SOL during `graduate`.
    pub wrapped_sol: AddressWithBump,
    /// The pool. Each token has one such address, for which only the graduation program can sign.
    pub pool: AddressWithBump,
}

impl GraduationAddresses {
    /// Derives the addresses.
    pub fn derive(mint: &Pubkey, deployment: &Deployment) -> Self {
        let derived =
            |seed: &[u8]| AddressWithBump::derive(&[seed, mint.as_array()], &deployment.graduation.program_id);
        Self { tokens: derived(TOKENS_SEED), wrapped_sol: derived(WRAPPED_SOL_SEED), pool: derived(POOL_SEED) }
    }
}

/// The AMM's accounts of a pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolAddresses {
    /// Mint of the LP tokens.
    pub lp_mint: Pubkey,
    /// The vaults in the AMM's order: by the bytes of their mints.
    pub vaults: [Pubkey; 2],
    /// The AMM's price observations.
    pub observation: Pubkey,
}

impl PoolAddresses {
    /// Derives the addresses.
    pub fn derive(pool: &Pubkey, mint: &Pubkey) -> Self {
        let derived = |seeds: &[&[u8]]| AddressWithBump::derive(seeds, &AMM_PROGRAM).address;
        let vault = |of: &Pubkey| derived(&[b"pool_vault", pool.as_array(), of.as_array()]);
        let mut mints = [*mint, NATIVE_MINT];
        mints.sort_unstable_by_key(Pubkey::to_bytes);
        Self {
            lp_mint: derived(&[b"pool_lp_mint", pool.as_array()]),
            vaults: mints.map(|mint| vault(&mint)),
            observation: derived(&[b"observation", pool.as_array()]),
        }
    }
}

/// The associated token account of a wallet, or of a PDA, for a classic SPL mint.
pub fn associated_token_address(owner: &Pubkey, mint: &Pubkey) -> AddressWithBump {
    AddressWithBump::derive(&[owner.as_array(), TOKEN_PROGRAM.as_array(), mint.as_array()], &ATA_PROGRAM)
}

/// The Metaplex metadata account of a mint.
pub fn metadata_address(mint: &Pubkey) -> AddressWithBump {
    let seeds: [&[u8]; 3] = [b"metadata", TOKEN_METADATA_PROGRAM.as_array(), mint.as_array()];
    AddressWithBump::derive(&seeds, &TOKEN_METADATA_PROGRAM)
}
