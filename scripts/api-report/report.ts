// The SDK's public names with their types as text, so that a breaking change is visible in a review.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Not in the report: its types are the IDL itself, which `generate:sdk` checks. */
const GENERATED = './idl';

interface PublicName {
  readonly entry: string;
  readonly name: string;
  /** Its declarations. */
  readonly text: string;
}

/** @param folder the folder of the built package, with package.json and dist */
export function publicNames(folder: string): PublicName[] {
  const entries = entriesOf(folder);
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      types: ['node'],
    },
  );
  const checker = program.getTypeChecker();
  return entries.flatMap(({ name: entry, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} exports nothing; run \`npm run build -w sdk\``);
    const names = checker.getExportsOfModule(module).sort((a, b) => (a.name < b.name ? -1 : 1));
    return names.map((symbol) => ({ entry, name: symbol.name, text: described(checker, symbol) }));
  });
}

/** A name that several entries export is described where it comes first. */
export function apiReport(names: readonly PublicName[]): string {
  const told = new Map<string, string>();
  let section = '';
  const lines = names.map(({ entry, name, text }) => {
    const heading = entry === section ? '' : `# ${(section = entry)}\n\n`;
    const first = told.get(text);
    if (first === undefined) told.set(text, entry);
    return first === undefined ? `${heading}${text}\n` : `${heading}${name}: as in ${first}\n`;
  });
  return lines.join('\n');
}

function entriesOf(folder: string): { readonly name: string; readonly file: string }[] {
  const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { readonly import: { readonly types: string } }>;
  };
  return Object.entries(exports).flatMap(([name, entry]) =>
    typeof entry === 'string' || name === GENERATED ? [] : [{ name, file: join(folder, entry.import.types) }],
  );
}

const PRINTER = ts.createPrinter({ removeComments: true });

function described(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const texts = (target.declarations ?? []).map((node) => {
    // The declaration node of a variable does not contain `const`, so take its statement.
    const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
    return PRINTER.printNode(ts.EmitHint.Unspecified, statement, node.getSourceFile());
  });
  const isDeprecated = target.getJsDocTags(checker).some(({ name }) => name === 'deprecated');
  // The exported name, because the declaration can have another name.
  return [`${symbol.name}:${isDeprecated ? ' @deprecated' : ''}`, ...texts.sort()].join('\n');
}
