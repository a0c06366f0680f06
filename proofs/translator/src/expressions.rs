//! Expressions: a Coq term, and what must be bound before it.
use std::collections::HashMap;

use syn::{BinOp, Expr, ExprCall, ExprClosure, ExprStruct, Lit, Member, Pat, UnOp};

use crate::{
    module::{Module, local_name, path_text},
    refusal::{Result, refusal, refuse},
    types::Ty,
};

pub type Env = HashMap<String, Ty>;

/// What `?` and `return` leave.
#[derive(Clone, Copy, PartialEq)]
pub enum Leaves {
    Result,
    Option,
    Nothing,
}

pub struct Value {
    /// Effects in the order of evaluation: a name, and the term whose value it gets.
    pub binds: Vec<(String, String)>,
    pub term: String,
    pub ty: Ty,
}

pub struct Body<'m> {
    pub module: &'m Module,
    pub self_type: Option<String>,
    pub leaves: Leaves,
    pub fresh: usize,
}

pub fn plain(term: impl Into<String>, ty: Ty) -> Value {
    Value { binds: vec![], term: term.into(), ty }
}

impl Body<'_> {
    pub fn fresh(&mut self) -> String {
        self.fresh += 1;
        format!("v{}", self.fresh)
    }

    /// A term without effects.
    pub fn pure(&mut self, expr: &Expr, env: &Env) -> Result<(String, Ty)> {
        let value = self.value(expr, env)?;
        if value.binds.is_empty() { Ok((value.term, value.ty)) } else { refuse("an effect where none may be", expr) }
    }

    pub fn condition(&mut self, expr: &Expr, env: &Env) -> Result<Value> {
        let value = self.value(expr, env)?;
        if value.ty == Ty::Bool { Ok(value) } else { refuse("a condition that is not bool", expr) }
    }

    pub fn value(&mut self, expr: &Expr, env: &Env) -> Result<Value> {
        match expr {
            Expr::Paren(inner) => self.value(&inner.expr, env),
            Expr::Reference(reference) if reference.mutability.is_none() => self.value(&reference.expr, env),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.value(&unary.expr, env),
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(int) if int.suffix().is_empty() => Ok(plain(int.base10_digits(), Ty::Literal)),
                Lit::Bool(bool) => Ok(plain(bool.value.to_string(), Ty::Bool)),
                _ => refuse("literal", expr),
            },
            Expr::Path(path) if path.qself.is_none() => self.name(&path_text(&path.path), env, expr),
            Expr::Field(field) => {
                let of = self.value(&field.base, env)?;
                let (Ty::Named(name), Member::Named(member)) = (&of.ty, &field.member) else {
                    return refuse("field", expr);
                };
                let fields = self.module.fields.get(name).ok_or_else(|| refusal("a struct of another file", expr))?;
                let found = fields.iter().find(|(own, _)| member == own);
                let (own, ty) = found.ok_or_else(|| refusal("field", expr))?;
                let term = format!("({}_{own} {})", name.to_lowercase(), of.term);
                Ok(Value { term, ty: ty.clone(), binds: of.binds })
            }
            Expr::Tuple(tuple) if tuple.elems.is_empty() => Ok(plain("tt", Ty::Unit)),
            Expr::Tuple(tuple) => {
                let (mut binds, mut terms, mut types) = (vec![], vec![], vec![]);
                for part in &tuple.elems {
                    let value = self.value(part, env)?;
                    binds.extend(value.binds);
                    terms.push(value.term);
                    types.push(value.ty);
                }
                Ok(Value { binds, term: format!("({})", terms.join(", ")), ty: Ty::Tuple(types) })
            }
            Expr::Binary(binary) => self.binary(&binary.left, &binary.op, &binary.right, env, expr),
            Expr::Struct(literal) if literal.rest.is_none() => self.structure(literal, env),
            Expr::Try(tried) => {
                let value = self.value(&tried.expr, env)?;
                let inner = match (value.ty, self.leaves) {
                    (Ty::Result(inner), Leaves::Result) | (Ty::Option(inner), Leaves::Option) => *inner,
                    _ => return refuse("a ? that does not fit the function", expr),
                };
                let (name, mut binds) = (self.fresh(), value.binds);
                binds.push((name.clone(), value.term));
                Ok(Value { binds, term: name, ty: inner })
            }
            Expr::Call(call) => self.call(call, env),
            Expr::MethodCall(method) => self.method(method, env),
            other => refuse("expression", other),
        }
    }

    fn name(&self, name: &str, env: &Env, at: &Expr) -> Result<Value> {
        if let Some(ty) = env.get(name) {
            return if let Ty::Closure(..) = ty {
                refuse("a closure as a value", at)
            } else {
                Ok(plain(name, ty.clone()))
            };
        }
        let full = match (name.strip_prefix("Self::"), &self.self_type) {
            (Some(rest), Some(own)) => format!("{own}::{rest}"),
            _ => name.into(),
        };
        if let Some(ty) = self.module.constants.get(&full) {
            return Ok(plain(full, ty.clone()));
        }
        match full.as_str() {
            "u64::MAX" => return Ok(plain("u64_max", Ty::Int("u64"))),
            "u16::BITS" => return Ok(plain("16", Ty::Int("u32"))),
            _ => {}
        }
        let variant = full.split_once("::").filter(|(of, variant)| {
            self.module.variants.get(*of).is_some_and(|own| own.iter().any(|known| known == variant))
        });
        variant.map_or_else(|| refuse("name", at), |(of, variant)| Ok(plain(variant, Ty::Named(of.into()))))
    }

    fn binary(&mut self, left: &Expr, op: &BinOp, right: &Expr, env: &Env, at: &Expr) -> Result<Value> {
        let (left, right) = (self.value(left, env)?, self.value(right, env)?);
        let right_has_effects = !right.binds.is_empty();
        let mut binds = left.binds;
        binds.extend(right.binds);
        let (a, b) = (left.term, right.term);
        let symbol = match op {
            BinOp::Shr(_) => {
                let (Ty::Int(width @ ("u64" | "u128")), Ty::Int("u32")) = (&left.ty, &right.ty) else {
                    return refuse("shift", at);
                };
                let name = self.effect(&mut binds, format!("({width}_shr {a} {b})"), at)?;
                return Ok(Value { binds, term: name, ty: left.ty });
            }
            BinOp::And(_) | BinOp::Or(_) => {
                // The right side is not always evaluated.
                if (left.ty, right.ty) != (Ty::Bool, Ty::Bool) || right_has_effects {
                    return refuse("operands", at);
                }
                let symbol = if matches!(op, BinOp::And(_)) { "&&" } else { "||" };
                return Ok(Value { binds, term: format!("({a} {symbol} {b})"), ty: Ty::Bool });
            }
            BinOp::Eq(_) => "=?",
            BinOp::Lt(_) => "<?",
            BinOp::Le(_) => "<=?",
            BinOp::Gt(_) => ">?",
            BinOp::Ge(_) => ">=?",
            _ => return refuse("operator", at),
        };
        match (&left.ty, &right.ty) {
            (Ty::Int(x), Ty::Int(y)) if x == y => {}
            (Ty::Int(_), Ty::Literal) | (Ty::Literal, Ty::Int(_)) => {}
            _ => return refuse("integers of two types", at),
        }
        Ok(Value { binds, term: format!("({a} {symbol} {b})"), ty: Ty::Bool })
    }

    /// Binds what may panic. Returns the name of its value.
    pub fn effect(&mut self, binds: &mut Vec<(String, String)>, term: String, at: &Expr) -> Result<String> {
        if self.leaves != Leaves::Result {
            return refuse("an operation that may panic, in a function without Result", at);
        }
        let name = self.fresh();
        binds.push((name.clone(), term));
        Ok(name)
    }

    fn structure(&mut self, literal: &ExprStruct, env: &Env) -> Result<Value> {
        let path = path_text(&literal.path);
        let name = if path == "Self" { self.self_type.clone().unwrap_or_default() } else { path };
        let fields = self.module.fields.get(&name).ok_or_else(|| refusal("struct", literal))?;
        let (mut binds, mut given) = (vec![], HashMap::new());
        // In the order in which they are written, because that is how Rust evaluates them.
        for field in &literal.fields {
            let Member::Named(member) = &field.member else { return refuse("field", literal) };
            let value = self.value(&field.expr, env)?;
            binds.extend(value.binds);
            given.insert(member.to_string(), (value.term, value.ty));
        }
        let mut parts = vec![];
        for (field, ty) in fields {
            let (term, got) = given.get(field).ok_or_else(|| refusal("a field is missing", literal))?;
            if !ty.fits(got) {
                return refuse(&format!("{ty:?} wanted, not {got:?}"), literal);
            }
            parts.push(format!("{}_{field} := {term}", name.to_lowercase()));
        }
        Ok(Value { binds, term: format!("{{| {} |}}", parts.join("; ")), ty: Ty::Named(name) })
    }

    fn call(&mut self, call: &ExprCall, env: &Env) -> Result<Value> {
        let Expr::Path(callee) = &*call.func else { return refuse("call", call) };
        let callee = path_text(&callee.path);
        let (mut binds, mut terms, mut types) = (vec![], vec![], vec![]);
        for argument in &call.args {
            let value = self.value(argument, env)?;
            binds.extend(value.binds);
            terms.push(value.term);
            types.push(value.ty);
        }
        let given = terms.join(" ");
        let is_error = |ty: &Ty| *ty == Ty::Named(self.module.error.clone());
        let (term, ty) = match (callee.as_str(), types.as_slice()) {
            ("u64::from", [Ty::Int("u8" | "u16" | "u64")]) => (given, Ty::Int("u64")),
            ("u128::from", [Ty::Int("u8" | "u16" | "u64" | "u128")]) => (given, Ty::Int("u128")),
            ("u64::try_from", [Ty::Int("u128")]) => {
                (format!("(u64_try_from {given})"), Ty::Tried(Box::new(Ty::Int("u64"))))
            }
            ("Some", [inner]) => (format!("(Some {given})"), Ty::option(inner.clone())),
            ("Ok", [inner]) => (format!("(Ok {given})"), Ty::result(inner.clone())),
            ("Err", [error]) if is_error(error) => (format!("(Err {given})"), Ty::result(Ty::Never)),
            ("require", [Ty::Bool, error]) if self.module.has_require && is_error(error) => {
                (format!("(require {given})"), Ty::result(Ty::Unit))
            }
            (name, types) => {
                let (coq, params, result) = match (env.get(name), self.module.functions.get(name)) {
                    (Some(Ty::Closure(params, result)), _) => (name, params, &**result),
                    (None, Some(known)) => (known.coq.as_str(), &known.params, &known.result),
                    _ => return refuse("function", call),
                };
                if params.len() != types.len() || !params.iter().zip(types).all(|(param, ty)| param.fits(ty)) {
                    return refuse("arguments", call);
                }
                (format!("({coq} {given})"), result.clone())
            }
        };
        Ok(Value { binds, term, ty })
    }

    /// A closure of one parameter and without effects, as `filter` and `and_then` take it.
    pub fn function_of_one(&mut self, closure: &ExprClosure, param: &Ty, env: &Env) -> Result<(String, Ty)> {
        let (1, Some(Pat::Ident(ident))) = (closure.inputs.len(), closure.inputs.first()) else {
            return refuse("closure", closure);
        };
        let name = local_name(&ident.ident)?;
        let mut inside = env.clone();
        inside.insert(name.clone(), param.clone());
        let (term, ty) = self.pure(&closure.body, &inside)?;
        Ok((format!("(fun {name} => {term})"), ty))
    }
}
