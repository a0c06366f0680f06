//! The programs' own errors. A failed transaction contains them as `Custom(code)`.

use core::{error::Error, fmt};

macro_rules! program_errors {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $code:literal, $message:literal;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant = $code,)*
        }

        impl $name {
            /// Every error of the program.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The error with this code. `None` for a code of another program.
            pub fn from_code(code: u32) -> Option<Self> {
                match code {
                    $($code => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its code.
            pub const fn code(self) -> u32 {
                match self {
                    $(Self::$variant => $code,)*
                }
            }

            /// Its name in the IDL.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => stringify!($variant),)*
                }
            }

            /// Its message in the IDL.
            pub const fn message(self) -> &'static str {
                match self {
                    $(Self::$variant => $message,)*
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} ({}): {}", self.name(), self.code(), self.message())
            }
        }

        impl Error for $name {}
    };
}

program_errors! {
    /// Errors of the bonding-curve program.
    CurveError {
        /// The curve account, its vault or `pda_token_nonce` is not the one derived from the mint.
        BondingCurveDoesNotMatchMint = 6000, "Bonding curve does not match mint";
        /// A trade on a graduated or migrated curve.
        TradingClosed = 6001, "Trading for this token is closed";
        /// A migration of a curve that has not graduated.
        NotReadyToMigrate = 6002, "Token is not ready to migrate";
        /// The trade would yield less than the stated minimum.
        SlippageError = 6003, "Slippage error";
        /// `fee_account` is not the fee receiver that the program was built with.
        WrongFeeReceiver = 6004, "Wrong fee receiver";
        /// Any other invalid argument or state, such as a zero amount.
        LogicalError = 6005, "Logical error";
    }
}

program_errors! {
    /// Errors of the graduation program. Errors of the programs that it calls are passed on unchanged.
    GraduationError {
        /// An account is not the one compiled into the program or derived from the mint.
        WrongAccount = 6000, "Wrong account";
        /// `sweep` was not signed by the admin.
        WrongAdmin = 6001, "Only the admin can sweep";
        /// The AMM's fee for a new pool is above what a migration pays, and nobody has given the rest.
        PoolFeeTooHigh = 6002, "The AMM's fee for a new pool is above the maximum";
        /// No SOL or no tokens are left for the pool.
        TooLittleForPool = 6003, "The curve holds too little to open a pool";
        /// The AMM did not open the pool as requested.
        PoolMismatch = 6004, "The AMM did not open the pool as asked";
        /// The fee receiver would hold less than before the migration.
        FeesTouched = 6005, "The migration would cost the fee receiver lamports";
        /// The fee receiver holds no lamports above its rent exemption.
        NothingToSweep = 6006, "There are no fees to sweep";
        /// An amount does not fit 64 bits.
        AmountOutOfRange = 6007, "An amount is out of range";
    }
}
