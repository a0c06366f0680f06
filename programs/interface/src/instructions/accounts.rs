//! The accounts of each instruction: names and flags in the order of the interface. The programs check the accounts by these
//! lists, clients build instructions from them, and a test compares them with the IDLs.

/// What an instruction needs of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role {
    /// Whether it must have signed the transaction.
    pub signer: bool,
    /// Whether the transaction must mark it as writable.
    pub writable: bool,
}

/// An account that the instruction reads.
pub const READ: Role = Role { signer: false, writable: false };
/// An account that the instruction changes.
pub const WRITE: Role = Role { signer: false, writable: true };
/// An account that signs.
pub const SIGN: Role = Role { signer: true, writable: false };
/// An account that signs and changes.
pub const SIGN_AND_WRITE: Role = Role { signer: true, writable: true };

macro_rules! accounts {
    ($(#[$doc:meta])* $name:ident { $($account:ident: $role:ident,)* }) => {
        $(#[$doc])*
        #[allow(missing_docs)] // the IDLs describe the accounts
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name<T> {
            $(pub $account: T,)*
        }

        impl $name<()> {
            /// How many accounts there are.
            pub const COUNT: usize = [$(stringify!($account)),*].len();
            /// Their names in the IDL.
            pub const NAMES: [&'static str; Self::COUNT] = [$(stringify!($account)),*];
        }

        impl<T> $name<T> {
            /// The accounts in their order, each with what the instruction needs of it.
            #[inline(always)]
            pub fn with_roles(self) -> [(T, Role); $name::<()>::COUNT] {
                [$((self.$account, $role)),*]
            }
        }

        impl<T> From<[T; $name::<()>::COUNT]> for $name<T> {
            #[inline(always)]
            fn from([$($account),*]: [T; $name::<()>::COUNT]) -> Self {
                Self { $($account),* }
            }
        }

        impl<T> From<$name<T>> for [T; $name::<()>::COUNT] {
            #[inline(always)]
            fn from($name { $($account),* }: $name<T>) -> Self {
                [$($account),*]
            }
        }
    };
}

accounts! {
    /// Accounts of `create_token`.
    CreateTokenAccounts {
        properties_account: WRITE,
        payer_account: SIGN_AND_WRITE,
        token_program: READ,
        system_program: READ,
        ata_program: READ,
        token_mint: WRITE,
        token_owner_pda: WRITE,
        token_owner_token_account: WRITE,
        token_metadata_program: READ,
        token_metadata: WRITE,
        after_migration_community_contribution_wsol_storage: WRITE,
        after_migration_community_contribution_token_storage: WRITE,
        rent_sysvar: READ,
        native_mint: READ,
        dex_owner: READ,
        program_account: READ,
        log_authority_account: READ,
    }
}

accounts! {
    /// Accounts of `buy_token`.
    BuyTokenAccounts {
        payer_account: SIGN_AND_WRITE,
        system_program: READ,
        token_program: READ,
        token_owner_pda: WRITE,
        token_mint: READ,
        owner_token_account: WRITE,
        user_token_account: WRITE,
        fee_account: WRITE,
        properties_account: READ,
        program_account: READ,
        log_authority_account: READ,
    }
}

accounts! {
    /// Accounts of `sell_token`.
    SellTokenAccounts {
        payer_account: SIGN_AND_WRITE,
        token_program: READ,
        token_owner_pda: WRITE,
        token_mint: READ,
        owner_token_account: WRITE,
        user_token_account: WRITE,
        fee_account: WRITE,
        program_account: READ,
        properties_account: READ,
        log_authority_account: READ,
    }
}

accounts! {
    /// Accounts of `migrate`.
    MigrateAccounts {
        token_mint: READ,
        token_program: READ,
        token_owner_pda: WRITE,
        fee_account: SIGN_AND_WRITE,
        token_owner_token_account: WRITE,
        fee_token_account: WRITE,
    }
}

accounts! {
    /// Accounts of the bonding curve's `validate_log_record`.
    ValidateLogRecordAccounts {
        logging_authority: SIGN,
    }
}

accounts! {
    /// Accounts of `admin_set_properties`.
    AdminSetPropertiesAccounts {
        admin_account: SIGN,
        properties_account: WRITE,
        system_program: READ,
        rent_sysvar: READ,
    }
}

accounts! {
    /// Accounts of `graduate` before those of the pool.
    GraduateAccounts {
        payer_account: SIGN_AND_WRITE,
        fee_receiver: WRITE,
        pool_creator: WRITE,
        token_mint: WRITE,
        native_mint: READ,
        token_owner_pda: WRITE,
        token_owner_token_account: WRITE,
        tokens: WRITE,
        wrapped_sol: WRITE,
        community_wsol_storage: WRITE,
        community_token_storage: WRITE,
        curve_program: READ,
        program_account: READ,
        token_program: READ,
        system_program: READ,
    }
}

accounts! {
    /// Accounts of a pool of Raydium's CPMM, the last of `graduate`.
    RaydiumPoolAccounts {
        amm_program: READ,
        amm_config: READ,
        amm_authority: READ,
        pool: WRITE,
        lp_mint: WRITE,
        lp_tokens: WRITE,
        pool_vault_0: WRITE,
        pool_vault_1: WRITE,
        pool_fee_receiver: WRITE,
        observation: WRITE,
        ata_program: READ,
        rent_sysvar: READ,
    }
}

accounts! {
    /// Accounts of `sweep`.
    SweepAccounts {
        admin_account: SIGN,
        fee_receiver: WRITE,
        treasury: WRITE,
        system_program: READ,
    }
}

accounts! {
    /// Accounts of the graduation program's `validate_log_record`.
    GraduationLogAccounts {
        fee_receiver: SIGN,
    }
}
