mod graduate;
mod sweep;
mod validate_log_record;

pub use {graduate::*, sweep::*, validate_log_record::*};
