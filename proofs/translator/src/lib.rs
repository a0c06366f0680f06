//! Translates the subset of Rust in which the programs' arithmetic is written into Coq, one definition for each item. It
//! refuses everything else. `coq/Rust.v` says what the operations mean.
mod expressions;
mod imports;
mod items;
mod methods;
mod module;
mod refusal;
mod statements;
mod types;

pub use refusal::{Refusal, Result};

/// A source file, by the name of its module.
#[derive(Clone)]
pub struct Context {
    pub name: String,
    /// As the translation's first line names it.
    pub path: String,
    pub text: String,
}

impl Context {
    fn parse(&self) -> Result<syn::File> {
        syn::parse_file(&self.text).map_err(|error| Refusal(format!("{}: {error}", self.path)))
    }
}

/// The Coq text of a file.
///
/// @param contexts the files of its crate and of the interface that it imports from
/// @param error the enum of its `Result`'s errors
pub fn translate(file: &Context, contexts: &[Context], error: &str) -> Result<String> {
    items::translate_file(file, contexts, error)
}
