//! Methods of integers, `Option` and `Result`. `Rust.v` says what each does.
use syn::{Expr, ExprMethodCall, Pat};

use crate::{
    expressions::{Body, Env, Value},
    module::path_text,
    refusal::{Result, refuse},
    types::{INTEGERS, Ty},
};

impl Body<'_> {
    pub fn method(&mut self, call: &ExprMethodCall, env: &Env) -> Result<Value> {
        if call.turbofish.is_some() {
            return refuse("type argument", call);
        }
        let of = self.value(&call.receiver, env)?;
        let method = call.method.to_string();
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let mut binds = of.binds;
        let receiver = of.term;
        if of.ty == Ty::Int("u8") {
            return refuse("arithmetic in u8, which the model does not have", call);
        }
        let (term, ty) = match (method.as_str(), &of.ty, arguments.as_slice()) {
            ("checked_add" | "checked_sub" | "checked_mul" | "checked_div", Ty::Int(width), [other]) => {
                let other = self.operand(other, width, env, &mut binds)?;
                (format!("({width}_{method} {receiver} {other})"), Ty::option(of.ty.clone()))
            }
            ("saturating_add" | "saturating_mul", Ty::Int(width), [other]) => {
                let other = self.operand(other, width, env, &mut binds)?;
                (format!("({width}_{method} {receiver} {other})"), of.ty.clone())
            }
            ("min", Ty::Int(width), [other]) => {
                let other = self.operand(other, width, env, &mut binds)?;
                (format!("(Z.min {receiver} {other})"), of.ty.clone())
            }
            ("div_ceil", Ty::Int(width), [other]) => {
                let other = self.operand(other, width, env, &mut binds)?;
                let term = format!("({width}_div_ceil {receiver} {other})");
                (self.effect(&mut binds, term, &Expr::MethodCall(call.clone()))?, of.ty.clone())
            }
            ("ok_or", Ty::Option(inner), [error]) => {
                (format!("(ok_or {receiver} {})", self.error(error, env)?), Ty::result((**inner).clone()))
            }
            ("ok_or_else", Ty::Option(inner), [Expr::Path(error)]) => {
                let error = self.error_function(&path_text(&error.path), call)?;
                (format!("(ok_or {receiver} {error})"), Ty::result((**inner).clone()))
            }
            ("map_err", Ty::Tried(inner), [Expr::Closure(closure)])
                if closure.inputs.len() == 1 && matches!(closure.inputs[0], Pat::Wild(_)) =>
            {
                let error = self.error(&closure.body, env)?;
                (format!("(ok_or {receiver} {error})"), Ty::result((**inner).clone()))
            }
            ("ok", Ty::Tried(inner), []) => (receiver, Ty::option((**inner).clone())),
            ("filter", Ty::Option(inner), [Expr::Closure(closure)]) => {
                let (test, ty) = self.function_of_one(closure, inner, env)?;
                if ty != Ty::Bool {
                    return refuse("test", call);
                }
                (format!("(filter {test} {receiver})"), of.ty.clone())
            }
            ("and_then", Ty::Option(inner), [Expr::Closure(closure)]) => {
                let (function, ty) = self.function_of_one(closure, inner, env)?;
                if !matches!(ty, Ty::Option(_)) {
                    return refuse("and_then", call);
                }
                (format!("(and_then {receiver} {function})"), ty)
            }
            ("unwrap_or", Ty::Option(inner), [other]) => {
                let other = self.value(other, env)?;
                if !inner.fits(&other.ty) {
                    return refuse("unwrap_or", call);
                }
                binds.extend(other.binds);
                (format!("(unwrap_or {receiver} {})", other.term), (**inner).clone())
            }
            _ => return refuse("method", call),
        };
        Ok(Value { binds, term, ty })
    }

    /// An argument that must have the receiver's type. `into()` gives it that type.
    fn operand(
        &mut self,
        expr: &Expr,
        width: &'static str,
        env: &Env,
        binds: &mut Vec<(String, String)>,
    ) -> Result<String> {
        let (inner, is_into) = match expr {
            Expr::MethodCall(call) if call.method == "into" && call.args.is_empty() => (&*call.receiver, true),
            other => (other, false),
        };
        let value = self.value(inner, env)?;
        let rank = |name: &str| INTEGERS.iter().position(|known| *known == name);
        let fits = match &value.ty {
            Ty::Int(own) if is_into => rank(own).is_some() && rank(own) <= rank(width),
            ty => !is_into && Ty::Int(width).fits(ty),
        };
        if !fits {
            return refuse(&format!("{width} wanted"), expr);
        }
        binds.extend(value.binds);
        Ok(value.term)
    }

    /// An error of the file: a variant, or a function that returns one.
    fn error(&mut self, expr: &Expr, env: &Env) -> Result<String> {
        if let Expr::Call(call) = expr
            && let (Expr::Path(path), true) = (&*call.func, call.args.is_empty())
        {
            return self.error_function(&path_text(&path.path), expr);
        }
        match self.pure(expr, env)? {
            (term, Ty::Named(name)) if name == self.module.error => Ok(term),
            _ => refuse("error", expr),
        }
    }

    fn error_function(&self, name: &str, at: &impl quote::ToTokens) -> Result<String> {
        self.module.error_functions.get(name).map_or_else(|| refuse("error", at), |variant| Ok(variant.clone()))
    }
}
