//! What a file imports from its crate or from the interface: constants, errors, and functions of files that are translated too.
use quote::ToTokens;
use syn::{Expr, Item, ItemFn, ItemUse, Stmt, UseTree};

use crate::{
    Context,
    items::structure,
    module::{Function, Module, literal, mentions, path_text},
    refusal::{Result, refusal, refuse},
    types::read_type,
};

/// What the translation begins with because of the imports.
#[derive(Default)]
pub struct Imported {
    /// Other translated files.
    pub modules: Vec<String>,
    pub items: Vec<String>,
}

impl Imported {
    /// The name of a translated file, which this translation then begins with.
    fn require(&mut self, context: &Context) -> String {
        let file = capitalized(&context.name);
        if !self.modules.contains(&file) {
            self.modules.push(file.clone());
        }
        file
    }
}

/// `require` of the graduation program: the model's `require` is this.
const REQUIRE: &str = "{ if holds { Ok (()) } else { Err (refusal (error)) } }";

pub fn import(module: &mut Module, used: &ItemUse, contexts: &[Context], imported: &mut Imported) -> Result<()> {
    let mut paths = vec![];
    flatten(&used.tree, &mut vec![], &mut paths)?;
    for path in paths {
        match path.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["crate" | "curvekit_interface", file, name] => {
                let context = contexts.iter().find(|context| context.name == *file);
                let context = context.ok_or_else(|| refusal("an import from a file that is not given", used))?;
                import_item(module, context, name, imported)?;
            }
            _ => return refuse("import", used),
        }
    }
    Ok(())
}

fn flatten(tree: &UseTree, before: &mut Vec<String>, paths: &mut Vec<Vec<String>>) -> Result<()> {
    match tree {
        UseTree::Path(path) => {
            before.push(path.ident.to_string());
            flatten(&path.tree, before, paths)?;
            before.pop();
        }
        UseTree::Name(name) => paths.push([before.as_slice(), &[name.ident.to_string()]].concat()),
        UseTree::Glob(_) => paths.push([before.as_slice(), &["*".into()]].concat()),
        UseTree::Group(group) => {
            for item in &group.items {
                flatten(item, before, paths)?;
            }
        }
        UseTree::Rename(_) => return refuse("import", tree),
    }
    Ok(())
}

fn import_item(module: &mut Module, context: &Context, name: &str, imported: &mut Imported) -> Result<()> {
    let file = context.parse()?;
    let found = file.items.iter().find(|item| match item {
        Item::Const(own) => own.ident == name,
        Item::Enum(own) => own.ident == name,
        Item::Fn(own) => own.sig.ident == name,
        Item::Struct(own) => own.ident == name,
        Item::Type(own) => own.ident == name,
        _ => false,
    });
    let item = found.ok_or_else(|| refusal(&format!("{} does not declare", context.name), name))?;
    if mentions(item.to_token_stream(), "cfg") {
        return refuse("an item that is compiled only sometimes", item);
    }
    match item {
        Item::Const(own) => {
            let ty = read_type(&own.ty, None, "")?;
            let number = literal(&own.expr, &ty).ok_or_else(|| refusal("constant", item))?;
            imported.items.push(format!("Definition {name} : Z := {number}."));
            module.constants.insert(name.into(), ty);
        }
        Item::Enum(own) => {
            let variants = variants_of(own)?;
            imported.items.push(format!("Inductive {name} := {}.", variants.join(" | ")));
            module.variants.insert(name.into(), variants);
        }
        Item::Struct(own) => {
            let file = imported.require(context);
            structure(module, own)?;
            imported.items.push(format!("Notation {name} := {file}.{name}."));
            for (field, _) in &module.fields[name] {
                let field = format!("{}_{field}", name.to_lowercase());
                imported.items.push(format!("Notation {field} := {file}.{field}."));
            }
        }
        Item::Fn(own) if name == "require" => {
            if own.block.to_token_stream().to_string() != REQUIRE {
                return refuse("a require that is not the model's", item);
            }
            module.has_require = true;
        }
        Item::Fn(own) => match returned_error(own, &module.error) {
            Some(variant) => drop(module.error_functions.insert(name.into(), variant)),
            None => {
                let (params, result) = module.read_signature(&own.sig, None)?;
                let file = imported.require(context);
                let params = params.into_iter().map(|(_, ty)| ty).collect();
                module.functions.insert(name.into(), Function { coq: format!("{file}.{name}"), params, result });
            }
        },
        Item::Type(_) if name == "Result" => {}
        other => return refuse("import", other),
    }
    Ok(())
}

pub fn variants_of(own: &syn::ItemEnum) -> Result<Vec<String>> {
    own.variants
        .iter()
        .map(|variant| {
            let is_plain = variant.fields.is_empty() && variant.discriminant.is_none();
            if is_plain { Ok(variant.ident.to_string()) } else { refuse("variant", variant) }
        })
        .collect()
}

/// The variant in `refusal(Error::Variant)`, where that is all that the function does.
fn returned_error(own: &ItemFn, error: &str) -> Option<String> {
    let ([Stmt::Expr(Expr::Call(call), None)], true) = (own.block.stmts.as_slice(), own.sig.inputs.is_empty()) else {
        return None;
    };
    let (Expr::Path(callee), Some(Expr::Path(argument)), 1) = (&*call.func, call.args.first(), call.args.len()) else {
        return None;
    };
    let path = path_text(&argument.path);
    let variant = path.strip_prefix(&format!("{error}::"))?;
    callee.path.is_ident("refusal").then(|| variant.into())
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
