//! Prints the Coq text of a Rust file.
use std::{env, fs, process::ExitCode};

use translator::{Context, translate};

const USAGE: &str = "usage: translator FILE --error ENUM [--from MODULE=FILE]...

Prints the Coq text of FILE. --error names the enum of its Result's errors, --from the files that FILE imports from, of its
own crate or of the interface.";

fn main() -> ExitCode {
    match run(env::args().skip(1).collect()) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("translator: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Vec<String>) -> Result<String, String> {
    let mut rest = arguments.into_iter();
    let path = rest.next().filter(|first| !first.starts_with("--")).ok_or(USAGE)?;
    let (mut error, mut contexts) = (None, vec![]);
    while let Some(option) = rest.next() {
        let value = rest.next().ok_or(USAGE)?;
        match option.as_str() {
            "--error" => error = Some(value),
            "--from" => {
                let (name, path) = value.split_once('=').ok_or(USAGE)?;
                contexts.push(read(name, path)?);
            }
            _ => return Err(USAGE.into()),
        }
    }
    let file = read("", &path)?;
    translate(&file, &contexts, &error.ok_or(USAGE)?).map_err(|refused| format!("{path}: {refused}"))
}

fn read(name: &str, path: &str) -> Result<Context, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    Ok(Context { name: name.into(), path: path.into(), text })
}
