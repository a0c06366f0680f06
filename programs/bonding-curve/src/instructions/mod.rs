mod admin_set_properties;
mod buy_token;
mod create_token;
mod migrate;
mod sell_token;
mod validate_log_record;

// Anchor's `#[program]` needs the accounts and the code it generates beside them at one path.
pub use {admin_set_properties::*, buy_token::*, create_token::*, migrate::*, sell_token::*, validate_log_record::*};
