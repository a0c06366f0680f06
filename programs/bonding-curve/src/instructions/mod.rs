//! The Anchor instructions. The deployed program has two of them; `src/hot` runs the other four, of which these are the
//! reference.

mod admin_set_properties;
#[cfg(any(feature = "reference", test))]
mod buy_token;
mod create_token;
#[cfg(any(feature = "reference", test))]
mod migrate;
#[cfg(any(feature = "reference", test))]
mod sell_token;
#[cfg(any(feature = "reference", test))]
mod validate_log_record;

// Anchor's `#[program]` needs the accounts and the code it generates beside them at one path.
pub use {admin_set_properties::*, create_token::*};
#[cfg(any(feature = "reference", test))]
pub use {buy_token::*, migrate::*, sell_token::*, validate_log_record::*};
