//! The types of the subset, and how Coq writes them.
use syn::{GenericArgument, PathArguments, Type};

use crate::refusal::{Result, refuse};

#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// An unsigned integer, by its Rust name. `usize` is not among them: its width depends on the machine.
    Int(&'static str),
    /// An integer literal without a suffix: it takes the type of the other operand.
    Literal,
    Bool,
    Unit,
    Named(String),
    Option(Box<Ty>),
    /// `Result` with the file's own error.
    Result(Box<Ty>),
    /// The `Result` of `try_from`, before `map_err` or `ok`.
    Tried(Box<Ty>),
    Tuple(Vec<Ty>),
    /// Of a block that always returns.
    Never,
    Closure(Vec<Ty>, Box<Ty>),
}

pub const INTEGERS: [&str; 4] = ["u8", "u16", "u64", "u128"];

pub fn integer(name: &str) -> Option<Ty> {
    INTEGERS.iter().find(|known| **known == name).map(|known| Ty::Int(known))
}

impl Ty {
    pub fn result(inner: Ty) -> Ty {
        Ty::Result(Box::new(inner))
    }

    pub fn option(inner: Ty) -> Ty {
        Ty::Option(Box::new(inner))
    }

    /// Whether a value of the type `given` may stand where `self` is wanted.
    pub fn fits(&self, given: &Ty) -> bool {
        match (self, given) {
            (Ty::Int(_), Ty::Literal) => true,
            (Ty::Result(a), Ty::Result(b)) | (Ty::Option(a), Ty::Option(b)) => a.fits(b),
            (Ty::Tuple(a), Ty::Tuple(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.fits(b)),
            (wanted, given) => wanted == given,
        }
    }

    /// The type of two branches.
    pub fn join(a: Ty, b: Ty) -> Option<Ty> {
        match (&a, &b) {
            (Ty::Never, _) => Some(b),
            (_, Ty::Never) => Some(a),
            _ if a.fits(&b) => Some(a),
            _ if b.fits(&a) => Some(b),
            _ => None,
        }
    }

    pub fn coq(&self, error: &str) -> String {
        match self {
            Ty::Int(_) | Ty::Literal => "Z".into(),
            Ty::Bool => "bool".into(),
            Ty::Unit => "unit".into(),
            Ty::Named(name) => name.clone(),
            Ty::Option(inner) => format!("option ({})", inner.coq(error)),
            Ty::Result(inner) => format!("res {error} ({})", inner.coq(error)),
            Ty::Tuple(parts) => parts.iter().map(|part| part.coq(error)).collect::<Vec<_>>().join(" * "),
            Ty::Tried(_) | Ty::Never | Ty::Closure(..) => unreachable!("no item has the type {self:?}"),
        }
    }
}

/// @param error the file's own error: `Result<T>` is with it
pub fn read_type(of: &Type, self_type: Option<&str>, error: &str) -> Result<Ty> {
    match of {
        Type::Reference(reference) if reference.mutability.is_none() => read_type(&reference.elem, self_type, error),
        Type::Tuple(tuple) if tuple.elems.is_empty() => Ok(Ty::Unit),
        Type::Tuple(tuple) => {
            let parts: Result<Vec<Ty>> = tuple.elems.iter().map(|part| read_type(part, self_type, error)).collect();
            Ok(Ty::Tuple(parts?))
        }
        Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
            let segment = &path.path.segments[0];
            let arguments = match &segment.arguments {
                PathArguments::None => vec![],
                PathArguments::AngleBracketed(arguments) => arguments
                    .args
                    .iter()
                    .map(|argument| match argument {
                        GenericArgument::Type(ty) => read_type(ty, self_type, error),
                        other => refuse("generic argument", other),
                    })
                    .collect::<Result<Vec<Ty>>>()?,
                other => return refuse("type", other),
            };
            named_type(&segment.ident.to_string(), &arguments, self_type, error).map_or_else(|| refuse("type", of), Ok)
        }
        other => refuse("type", other),
    }
}

fn named_type(name: &str, arguments: &[Ty], self_type: Option<&str>, error: &str) -> Option<Ty> {
    match (name, arguments) {
        ("bool", []) => Some(Ty::Bool),
        ("Self", []) => self_type.map(|own| Ty::Named(own.into())),
        ("Option", [inner]) => Some(Ty::option(inner.clone())),
        ("Result", [inner]) => Some(Ty::result(inner.clone())),
        ("Result", [inner, Ty::Named(own)]) if own == error => Some(Ty::result(inner.clone())),
        ("Option" | "Result", _) => None,
        (other, []) => {
            let is_number = other.starts_with(['i', 'u', 'f']) && other.chars().skip(1).all(|c| c.is_ascii_digit());
            integer(other).or((!is_number && other != "usize" && other != "isize").then(|| Ty::Named(other.into())))
        }
        _ => None,
    }
}
