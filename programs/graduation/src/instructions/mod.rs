mod graduate;
mod sweep;
#[cfg(test)]
mod tests;
mod validate_log_record;

pub use {graduate::*, sweep::*, validate_log_record::*};
