//! A file: its types, its constants, its functions in the order in which Coq wants them.
use quote::ToTokens;
use syn::{Attribute, Block, Fields, ImplItem, Item, ItemConst, ItemStruct, Signature, Type};

use crate::{
    Context,
    expressions::{Body, Env, Leaves},
    imports::{Imported, import, variants_of},
    module::{Function, Module, literal, mentions, path_text},
    refusal::{Result, refusal, refuse},
    types::{Ty, read_type},
};

/// A function that waits for those that it calls.
struct Waiting<'f> {
    sig: &'f Signature,
    block: &'f Block,
    self_type: Option<String>,
}

pub fn translate_file(file: &Context, contexts: &[Context], error: &str) -> Result<String> {
    let parsed = file.parse()?;
    let mut module = Module { error: error.into(), ..Module::default() };
    let mut imported = Imported::default();
    let mut declared: Vec<String> = vec![];
    let mut waiting: Vec<Waiting> = vec![];
    for item in &parsed.items {
        match item {
            Item::Use(used) => import(&mut module, used, contexts, &mut imported)?,
            Item::Mod(own) if own.attrs.iter().any(is_for_tests) => {}
            Item::Fn(own) => {
                check(&own.attrs, item)?;
                let (params, result) = module.read_signature(&own.sig, None)?;
                let params = params.into_iter().map(|(_, ty)| ty).collect();
                let name = own.sig.ident.to_string();
                module.functions.insert(name.clone(), Function { coq: name, params, result });
                waiting.push(Waiting { sig: &own.sig, block: &own.block, self_type: None });
            }
            Item::Struct(own) => {
                check(&own.attrs, item)?;
                declared.push(structure(&mut module, own)?);
            }
            Item::Enum(own) => {
                check(&own.attrs, item)?;
                let variants = variants_of(own)?;
                declared.push(format!("Inductive {} := {}.", own.ident, variants.join(" | ")));
                module.variants.insert(own.ident.to_string(), variants);
            }
            Item::Const(own) => {
                check(&own.attrs, item)?;
                let name = own.ident.to_string();
                declared.push(constant(&mut module, own, &name)?);
            }
            Item::Impl(own) if own.trait_.is_none() && own.generics.params.is_empty() => {
                let Type::Path(of) = &*own.self_ty else { return refuse("impl", &own.self_ty) };
                let of = path_text(&of.path);
                for item in &own.items {
                    match item {
                        ImplItem::Fn(own) => {
                            check(&own.attrs, item)?;
                            waiting.push(Waiting { sig: &own.sig, block: &own.block, self_type: Some(of.clone()) });
                        }
                        other => return refuse("item", other),
                    }
                }
            }
            other => return refuse("item", other),
        }
    }
    let functions = in_order(&module, waiting)?;
    Ok(render(file, &imported, &declared, &functions))
}

fn render(file: &Context, imported: &Imported, declared: &[String], functions: &[String]) -> String {
    let mut lines = vec![
        format!("(* Generated from {} by proofs/translator. Do not edit. *)", file.path),
        "From Coq Require Import ZArith Bool.".into(),
        "Require Import Rust.".into(),
    ];
    lines.extend(imported.modules.iter().map(|module| format!("Require {module}.")));
    lines.extend(["Open Scope bool_scope.".into(), "Open Scope Z_scope.".into(), String::new()]);
    lines.extend(imported.items.iter().cloned());
    lines.extend(declared.iter().cloned());
    for function in functions {
        lines.extend([String::new(), function.clone()]);
    }
    lines.join("\n") + "\n"
}

/// Attributes that do not change what an item does. Another could rewrite or remove it.
fn check(attributes: &[Attribute], item: &impl ToTokens) -> Result<()> {
    const HARMLESS: [&str; 5] = ["doc", "derive", "inline", "cold", "must_use"];
    let other = attributes.iter().find(|own| !HARMLESS.iter().any(|name| own.path().is_ident(name)));
    if let Some(attribute) = other {
        return refuse("attribute", attribute);
    }
    let tokens = item.to_token_stream();
    if mentions(tokens.clone(), "cfg") || mentions(tokens, "cfg_attr") {
        return refuse("code that is compiled only sometimes", item);
    }
    Ok(())
}

fn is_for_tests(attribute: &Attribute) -> bool {
    attribute.to_token_stream().to_string() == "# [cfg (test)]"
}

/// A struct's declaration. The module then knows its fields.
pub fn structure(module: &mut Module, own: &ItemStruct) -> Result<String> {
    let (Fields::Named(named), true) = (&own.fields, own.generics.params.is_empty()) else {
        return refuse("struct", own);
    };
    let name = own.ident.to_string();
    let mut fields = vec![];
    for field in &named.named {
        let ident = field.ident.as_ref().ok_or_else(|| refusal("field", field))?;
        fields.push((ident.to_string(), read_type(&field.ty, None, &module.error)?));
    }
    let prefix = name.to_lowercase();
    let parts: Vec<String> =
        fields.iter().map(|(field, ty)| format!("{prefix}_{field} : {}", ty.coq(&module.error))).collect();
    module.fields.insert(name.clone(), fields);
    Ok(format!("Record {name} := {{ {} }}.", parts.join("; ")))
}

fn constant(module: &mut Module, own: &ItemConst, name: &str) -> Result<String> {
    let ty = read_type(&own.ty, None, &module.error)?;
    let number = literal(&own.expr, &ty).ok_or_else(|| refusal("constant", own))?;
    module.constants.insert(name.into(), ty);
    Ok(format!("Definition {name} : Z := {number}."))
}

/// Callees before callers.
fn in_order(module: &Module, mut waiting: Vec<Waiting>) -> Result<Vec<String>> {
    let mut translated = vec![];
    while !waiting.is_empty() {
        let names: Vec<String> = waiting
            .iter()
            .filter(|function| function.self_type.is_none())
            .map(|function| function.sig.ident.to_string())
            .collect();
        let calls = |function: &Waiting| names.iter().any(|name| mentions(function.block.to_token_stream(), name));
        let ready = waiting.iter().position(|function| !calls(function));
        let ready = ready.ok_or_else(|| refusal("functions that call one another", &waiting[0].sig))?;
        translated.push(function(module, &waiting.remove(ready))?);
    }
    Ok(translated)
}

fn function(module: &Module, of: &Waiting) -> Result<String> {
    let self_type = of.self_type.as_deref();
    let (params, result) = module.read_signature(of.sig, self_type)?;
    let env: Env = params.iter().cloned().collect();
    let leaves = match &result {
        Ty::Result(_) => Leaves::Result,
        Ty::Option(_) => Leaves::Option,
        _ => Leaves::Nothing,
    };
    let mut body = Body { module, self_type: of.self_type.clone(), leaves, fresh: 0 };
    let (term, got, wanted) = match (&result, of.block.stmts.as_slice()) {
        (Ty::Result(inner) | Ty::Option(inner), stmts) => {
            let (term, got) = body.block(stmts, &env, true)?;
            (term, got, &**inner)
        }
        (plain, [syn::Stmt::Expr(expr, None)]) => {
            let (term, got) = body.pure(expr, &env)?;
            (term, got, plain)
        }
        _ => return refuse("a function without Result that is not one expression", of.sig),
    };
    if !wanted.fits(&got) && got != Ty::Never {
        return refuse(&format!("a body of {got:?}"), of.sig);
    }
    let prefix = self_type.map(|name| format!("{}_", name.to_lowercase())).unwrap_or_default();
    let params: Vec<String> = params.iter().map(|(name, ty)| format!("({name} : {})", ty.coq(&module.error))).collect();
    let name = &of.sig.ident;
    Ok(format!("Definition {prefix}{name} {} : {} :=\n  {term}.", params.join(" "), result.coq(&module.error)))
}
