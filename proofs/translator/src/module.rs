//! What a file declares and imports: the names that its functions may use.
use std::collections::HashMap;

use proc_macro2::{TokenStream, TokenTree};
use syn::{Expr, FnArg, Ident, Lit, Path, ReturnType, Signature};

use crate::{
    refusal::{Result, refusal, refuse},
    types::{Ty, read_type},
};

#[derive(Clone, Debug)]
pub struct Function {
    /// What Coq calls it.
    pub coq: String,
    pub params: Vec<Ty>,
    pub result: Ty,
}

#[derive(Default)]
pub struct Module {
    /// The error of the file's `Result`.
    pub error: String,
    pub functions: HashMap<String, Function>,
    /// Functions without parameters that return one error.
    pub error_functions: HashMap<String, String>,
    /// Whether `require(holds, error)` is the one of the program's `refusal.rs`.
    pub has_require: bool,
    pub fields: HashMap<String, Vec<(String, Ty)>>,
    pub variants: HashMap<String, Vec<String>>,
    pub constants: HashMap<String, Ty>,
}

pub fn path_text(path: &Path) -> String {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::")
}

/// Words of Coq, and what `Rust.v` defines: a local of that name would hide it.
fn is_reserved(name: &str) -> bool {
    const COQ: &str = "fun let in end fix match with if then else forall exists Definition Some None true false tt Z";
    let defined = include_str!("../../coq/Rust.v").lines().filter_map(|line| line.strip_prefix("Definition "));
    let mut defined = defined.filter_map(|rest| rest.split([' ', ':']).next());
    let is_bound = name.strip_prefix('v').is_some_and(|rest| rest.parse::<u64>().is_ok());
    is_bound || COQ.split(' ').any(|word| word == name) || defined.any(|own| own == name)
}

pub fn local_name(ident: &Ident) -> Result<String> {
    let name = ident.to_string();
    if is_reserved(&name) { refuse("a name that the translation needs", ident) } else { Ok(name) }
}

impl Module {
    pub fn read_signature(&self, sig: &Signature, self_type: Option<&str>) -> Result<(Vec<(String, Ty)>, Ty)> {
        let is_plain = sig.unsafety.is_none()
            && sig.asyncness.is_none()
            && sig.abi.is_none()
            && sig.variadic.is_none()
            && sig.generics.params.is_empty()
            && sig.generics.where_clause.is_none();
        if !is_plain {
            return refuse("function", sig);
        }
        let mut params = vec![];
        for input in &sig.inputs {
            params.push(match input {
                FnArg::Receiver(own) if own.mutability.is_none() && own.colon_token.is_none() => {
                    ("self".into(), Ty::Named(self_type.ok_or_else(|| refusal("self", sig))?.into()))
                }
                FnArg::Typed(param) => match &*param.pat {
                    syn::Pat::Ident(own)
                        if own.by_ref.is_none() && own.mutability.is_none() && own.subpat.is_none() =>
                    {
                        (local_name(&own.ident)?, read_type(&param.ty, self_type, &self.error)?)
                    }
                    other => return refuse("parameter", other),
                },
                other => return refuse("parameter", other),
            });
        }
        let ReturnType::Type(_, result) = &sig.output else { return refuse("a function without a result", sig) };
        Ok((params, read_type(result, self_type, &self.error)?))
    }
}

/// A number, perhaps written with a suffix of the constant's own type.
pub fn literal(expr: &Expr, ty: &Ty) -> Option<String> {
    match expr {
        Expr::Lit(literal) => match (&literal.lit, ty) {
            (Lit::Int(int), Ty::Int(width)) if int.suffix().is_empty() || int.suffix() == *width => {
                Some(int.base10_digits().into())
            }
            _ => None,
        },
        Expr::Paren(inner) => literal(&inner.expr, ty),
        _ => None,
    }
}

pub fn mentions(tokens: TokenStream, wanted: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == wanted,
        TokenTree::Group(group) => mentions(group.stream(), wanted),
        _ => false,
    })
}
