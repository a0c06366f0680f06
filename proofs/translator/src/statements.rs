//! Blocks: `let`, early returns, branches, and the value at the end.
use syn::{Expr, ExprClosure, ExprIf, ExprMatch, Local, LocalInit, Pat, Stmt};

use crate::{
    expressions::{Body, Env, Leaves},
    module::{local_name, path_text},
    refusal::{Result, refusal, refuse},
    types::{Ty, integer, read_type},
};

impl Body<'_> {
    fn bound(&self, binds: &[(String, String)], rest: String) -> String {
        let bind = if self.leaves == Leaves::Option { "and_then" } else { "bind" };
        binds.iter().rev().fold(rest, |rest, (name, term)| format!("{bind} {term} (fun {name} =>\n  {rest})"))
    }

    /// The term of a block, and the type of its value.
    ///
    /// @param is_tail the block's value is what the function returns; otherwise it is a value within the function, which
    /// the term wraps in `Ok`
    pub fn block(&mut self, stmts: &[Stmt], env: &Env, is_tail: bool) -> Result<(String, Ty)> {
        let Some((first, rest)) = stmts.split_first() else { return refuse("a block without a value", "") };
        match first {
            Stmt::Local(local) => self.local(local, rest, env, is_tail),
            Stmt::Expr(Expr::If(branch), _) if branch.else_branch.is_none() => {
                let condition = self.condition(&branch.cond, env)?;
                let (then, then_ty) = self.block(&branch.then_branch.stmts, env, is_tail)?;
                if then_ty != Ty::Never {
                    return refuse("an if without else that does not return", branch);
                }
                let (rest, ty) = self.block(rest, env, is_tail)?;
                let term = format!("if {} then {then}\n  else {rest}", condition.term);
                Ok((self.bound(&condition.binds, term), ty))
            }
            Stmt::Expr(Expr::Return(leave), _) if rest.is_empty() => {
                let returned = leave.expr.as_deref().ok_or_else(|| refusal("return", leave))?;
                let value = self.value(returned, env)?;
                let (Ty::Result(inner), Leaves::Result) = (&value.ty, self.leaves) else {
                    return refuse("return", leave);
                };
                // Within a value, an error ends the function as it ends the bind. An `Ok` would not.
                if !is_tail && **inner != Ty::Never {
                    return refuse("a return of Ok within a value", leave);
                }
                Ok((self.bound(&value.binds, value.term), Ty::Never))
            }
            Stmt::Expr(Expr::Try(tried), Some(_)) if !rest.is_empty() => {
                let mut value = self.value(&tried.expr, env)?;
                match (&value.ty, self.leaves) {
                    (Ty::Result(inner), Leaves::Result) if **inner == Ty::Unit => {}
                    // A check whose value nobody needs.
                    (Ty::Option(_), Leaves::Option) => {}
                    _ => return refuse("a statement with a value", tried),
                }
                let (rest, ty) = self.block(rest, env, is_tail)?;
                value.binds.push(("_".into(), value.term));
                Ok((self.bound(&value.binds, rest), ty))
            }
            Stmt::Expr(expr @ (Expr::If(_) | Expr::Match(_)), None) if rest.is_empty() => {
                self.branches(expr, env, is_tail)
            }
            Stmt::Expr(expr, None) if rest.is_empty() => {
                let value = self.value(expr, env)?;
                match (is_tail, self.leaves, value.ty) {
                    (true, Leaves::Result, Ty::Result(inner)) | (true, Leaves::Option, Ty::Option(inner)) => {
                        Ok((self.bound(&value.binds, value.term), *inner))
                    }
                    (false, Leaves::Result, ty) => Ok((self.bound(&value.binds, format!("Ok {}", value.term)), ty)),
                    _ => refuse("a value that the function does not return", expr),
                }
            }
            other => refuse("statement", other),
        }
    }

    fn local(&mut self, local: &Local, rest: &[Stmt], env: &Env, is_tail: bool) -> Result<(String, Ty)> {
        let Some(LocalInit { expr, diverge: None, .. }) = &local.init else { return refuse("let", local) };
        let mut inside = env.clone();
        match &**expr {
            Expr::If(_) | Expr::Match(_) => {
                let (term, ty) = self.branches(expr, env, false)?;
                let pattern = self.pattern(&local.pat, &ty, &mut inside)?;
                let (rest, ty) = self.block(rest, &inside, is_tail)?;
                Ok((format!("bind ({term}) (fun {pattern} =>\n  {rest})"), ty))
            }
            Expr::Closure(closure) => {
                let (term, ty) = self.closure(closure, env)?;
                let pattern = self.pattern(&local.pat, &ty, &mut inside)?;
                let (rest, ty) = self.block(rest, &inside, is_tail)?;
                Ok((format!("let {pattern} := {term} in\n  {rest}"), ty))
            }
            _ => {
                let value = self.value(expr, env)?;
                let pattern = self.pattern(&local.pat, &value.ty, &mut inside)?;
                let (rest, ty) = self.block(rest, &inside, is_tail)?;
                Ok((self.bound(&value.binds, format!("let {pattern} := {} in\n  {rest}", value.term)), ty))
            }
        }
    }

    /// A closure that returns `Result`. Types that it does not write are those, and the only ones, with which its body is
    /// well typed: the ones that rustc infers.
    fn closure(&mut self, closure: &ExprClosure, env: &Env) -> Result<(String, Ty)> {
        const CANDIDATES: [&str; 4] = ["bool", "u16", "u64", "u128"];
        let stmts = match &*closure.body {
            Expr::Block(block) if block.label.is_none() => block.block.stmts.clone(),
            expr => vec![Stmt::Expr(expr.clone(), None)],
        };
        let mut choices: Vec<Vec<(String, Ty)>> = vec![vec![]];
        for input in &closure.inputs {
            let (name, types) = match input {
                Pat::Ident(own) if own.by_ref.is_none() && own.mutability.is_none() && own.subpat.is_none() => {
                    let types = CANDIDATES.iter().map(|name| integer(name).unwrap_or(Ty::Bool)).collect();
                    (local_name(&own.ident)?, types)
                }
                Pat::Type(typed) => match &*typed.pat {
                    Pat::Ident(own) => {
                        let ty = read_type(&typed.ty, self.self_type.as_deref(), &self.module.error)?;
                        (local_name(&own.ident)?, vec![ty])
                    }
                    other => return refuse("parameter", other),
                },
                other => return refuse("parameter", other),
            };
            let extend = |chosen: Vec<(String, Ty)>| {
                let (name, types): (String, Vec<Ty>) = (name.clone(), types.clone());
                types.into_iter().map(move |ty| [chosen.clone(), vec![(name.clone(), ty)]].concat())
            };
            choices = choices.into_iter().flat_map(extend).collect();
        }
        let outer = std::mem::replace(&mut self.leaves, Leaves::Result);
        let mut well_typed = vec![];
        for params in choices {
            let mut inside = env.clone();
            inside.extend(params.iter().cloned());
            if let Ok((term, ty)) = self.block(&stmts, &inside, true) {
                well_typed.push((params, term, ty));
            }
        }
        self.leaves = outer;
        let [(params, term, ty)] = well_typed.as_slice() else { return refuse("closure", closure) };
        let names: Vec<String> =
            params.iter().map(|(name, ty)| format!("({name} : {})", ty.coq(&self.module.error))).collect();
        let types = params.iter().map(|(_, ty)| ty.clone()).collect();
        let result = Ty::Closure(types, Box::new(Ty::result(ty.clone())));
        Ok((format!("(fun {} =>\n  {term})", names.join(" ")), result))
    }

    fn branches(&mut self, expr: &Expr, env: &Env, is_tail: bool) -> Result<(String, Ty)> {
        match expr {
            Expr::If(branch) => self.if_else(branch, env, is_tail),
            Expr::Match(branch) => self.match_on(branch, env, is_tail),
            other => refuse("branches", other),
        }
    }

    fn if_else(&mut self, branch: &ExprIf, env: &Env, is_tail: bool) -> Result<(String, Ty)> {
        let Some((_, otherwise)) = &branch.else_branch else { return refuse("an if without else", branch) };
        let condition = self.condition(&branch.cond, env)?;
        let (then, a) = self.block(&branch.then_branch.stmts, env, is_tail)?;
        let (other, b) = match &**otherwise {
            Expr::Block(block) if block.label.is_none() => self.block(&block.block.stmts, env, is_tail)?,
            Expr::If(next) => self.if_else(next, env, is_tail)?,
            other => return refuse("else", other),
        };
        let ty = Ty::join(a, b).ok_or_else(|| refusal("branches of two types", branch))?;
        let term = format!("if {} then\n  {then}\n  else\n  {other}", condition.term);
        Ok((self.bound(&condition.binds, term), ty))
    }

    fn match_on(&mut self, branch: &ExprMatch, env: &Env, is_tail: bool) -> Result<(String, Ty)> {
        let (on, Ty::Named(name)) = self.pure(&branch.expr, env)? else { return refuse("match", branch) };
        let variants = self.module.variants.get(&name).ok_or_else(|| refusal("match", branch))?;
        let (mut arms, mut joined) = (vec![], Ty::Never);
        for arm in &branch.arms {
            let (Pat::Path(pattern), None) = (&arm.pat, &arm.guard) else { return refuse("arm", arm) };
            let path = path_text(&pattern.path);
            let variant = path.strip_prefix(&format!("{name}::")).ok_or_else(|| refusal("arm", arm))?;
            if !variants.iter().any(|known| known == variant) {
                return refuse("arm", arm);
            }
            let stmts = match &*arm.body {
                Expr::Block(block) => block.block.stmts.clone(),
                expr => vec![Stmt::Expr(expr.clone(), None)],
            };
            let (term, ty) = self.block(&stmts, env, is_tail)?;
            joined = Ty::join(joined, ty).ok_or_else(|| refusal("arms of two types", branch))?;
            arms.push(format!("| {variant} => {term}"));
        }
        Ok((format!("match {on} with {} end", arms.join("\n  ")), joined))
    }

    fn pattern(&self, pattern: &Pat, ty: &Ty, env: &mut Env) -> Result<String> {
        match (pattern, ty) {
            (Pat::Ident(own), _) if own.by_ref.is_none() && own.mutability.is_none() && own.subpat.is_none() => {
                let name = local_name(&own.ident)?;
                env.insert(name.clone(), ty.clone());
                Ok(name)
            }
            (Pat::Tuple(tuple), Ty::Tuple(types)) if tuple.elems.len() == types.len() => {
                let pairs = tuple.elems.iter().zip(types);
                let parts: Result<Vec<String>> = pairs.map(|(part, ty)| self.pattern(part, ty, env)).collect();
                Ok(format!("'({})", parts?.join(", ")))
            }
            _ => refuse("pattern", pattern),
        }
    }
}
