//! The instructions: what their data begins with, the accounts in their order, and the arguments that have a fixed size.

mod accounts;
mod arguments;

pub use accounts::*;
pub use arguments::*;

/// The first 8 bytes of the data of each instruction.
pub mod discriminators {
    /// `create_token`
    pub const CREATE_TOKEN: [u8; 8] = [84, 52, 204, 228, 24, 140, 234, 75];
    /// `buy_token`
    pub const BUY_TOKEN: [u8; 8] = [138, 127, 14, 91, 38, 87, 115, 105];
    /// `sell_token`
    pub const SELL_TOKEN: [u8; 8] = [109, 61, 40, 187, 230, 176, 135, 174];
    /// `migrate`
    pub const MIGRATE: [u8; 8] = [155, 234, 231, 146, 236, 158, 162, 30];
    /// `graduate`, of the graduation program
    pub const GRADUATE: [u8; 8] = [45, 235, 225, 181, 17, 218, 64, 130];
    /// `sweep`, of the graduation program
    pub const SWEEP: [u8; 8] = [40, 23, 234, 175, 14, 61, 154, 177];
    /// `validate_log_record`, of both programs
    pub const VALIDATE_LOG_RECORD: [u8; 8] = [172, 61, 131, 190, 98, 217, 155, 176];
}
