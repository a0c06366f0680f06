mod properties;
mod token_owner_data;

pub use {properties::Properties, token_owner_data::TokenOwnerData};
