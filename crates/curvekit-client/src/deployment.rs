//! One build of the two programs: their ids, and the keys compiled into them.

use solana_pubkey::Pubkey;

use crate::constants::{FEE_RECEIVER_SEED, LOGGING_AUTHORITY_SEED, POOL_CREATOR_SEED, SETTINGS_SEED};

/// A program-derived address and its canonical bump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddressWithBump {
    /// The address.
    pub address: Pubkey,
    /// Its canonical bump.
    pub bump: u8,
}

impl AddressWithBump {
    /// Derives the canonical address of seeds.
    pub fn derive(seeds: &[&[u8]], program_id: &Pubkey) -> Self {
        let (address, bump) = Pubkey::find_program_address(seeds, program_id);
        Self { address, bump }
    }

    const fn known(address: &str, bump: u8) -> Self {
        Self { address: Pubkey::from_str_const(address), bump }
    }
}

/// One deployed build of the graduation program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraduationDeployment {
    /// The program.
    pub program_id: Pubkey,
    /// The PDA that is the fee receiver of graduating curves.
    pub fee_receiver: AddressWithBump,
    /// The PDA that creates pools.
    pub pool_creator: AddressWithBump,
}

/// One deployed build of the bonding-curve program, together with the graduation program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deployment {
    /// The bonding-curve program.
    pub program_id: Pubkey,
    /// Receives the platform fee, and the SOL and tokens of a migrated curve.
    pub fee_receiver: Pubkey,
    /// Owns the community storages.
    pub dex_owner: Pubkey,
    /// The settings account.
    pub properties: AddressWithBump,
    /// The PDA that signs log records.
    pub log_authority: AddressWithBump,
    /// The graduation program.
    pub graduation: GraduationDeployment,
}

impl Deployment {
    /// The build in this repository. Its fee receiver is the graduation program's PDA, so any wallet can graduate its
    /// curves. Its keys are development keys, whose secrets are public. On a real cluster use [`Deployment::new`] with
    /// your own.
    pub const DEVELOPMENT: Self = Self {
        program_id: Pubkey::from_str_const("Curvtsj62BXaMwSmXD7kdYfviaWiE3tcDVQKH4KWAxSH"),
        fee_receiver: Pubkey::from_str_const("4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv"),
        dex_owner: Pubkey::from_str_const("BGHj9CCz7bfm36DPikjs7TpV8tkLC7j4ys7U9qWrJ4Qy"),
        properties: AddressWithBump::known("72UttUvzV6rs1QbAvW1C71USdmTrqe17fkeYF9apazCo", 255),
        log_authority: AddressWithBump::known("EQ5yiFbab8GYLr8FojEnWrXYebKEKHNqEarwRzSAhgHA", 255),
        graduation: GraduationDeployment {
            program_id: Pubkey::from_str_const("Gra4YMZe4AN78Zu4qL8hyqZJAJyTNo3Anfo5vthUDeDt"),
            fee_receiver: AddressWithBump::known("4w7rDkyPkBYnkzMuxowXTpdznLsSmG4rQFqDYCCQ2PRv", 254),
            pool_creator: AddressWithBump::known("22xNruGSYGsikED8zBivSUVvmW3bqfF6b3iJDJ6kT6xr", 254),
        },
    };

    /// The same, for the build whose fee receiver is a development key: the key's holder migrates its curves.
    pub const KEY_HELD_DEVELOPMENT: Self = Self {
        fee_receiver: Pubkey::from_str_const("39WhRCfYH2JsB9c6BN5YP2VCQq6GpDgusxLBuRTarEnj"),
        ..Self::DEVELOPMENT
    };

    /// Describes another build. Derives the global addresses, so call it once and keep the result.
    pub fn new(program_id: Pubkey, fee_receiver: Pubkey, dex_owner: Pubkey, graduation_program: Pubkey) -> Self {
        Self {
            program_id,
            fee_receiver,
            dex_owner,
            properties: AddressWithBump::derive(&[SETTINGS_SEED], &program_id),
            log_authority: AddressWithBump::derive(&[LOGGING_AUTHORITY_SEED], &program_id),
            graduation: GraduationDeployment {
                program_id: graduation_program,
                fee_receiver: AddressWithBump::derive(&[FEE_RECEIVER_SEED], &graduation_program),
                pool_creator: AddressWithBump::derive(&[POOL_CREATOR_SEED], &graduation_program),
            },
        }
    }

    /// Whether any wallet can graduate the curves. Otherwise the owner of the fee receiver's key migrates them.
    pub fn graduates_by_itself(&self) -> bool {
        self.fee_receiver == self.graduation.fee_receiver.address
    }
}
