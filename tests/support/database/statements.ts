// The hand-written statements of the service, as the database gets them: read from the sources, so that a renamed column or a
// wrong type of a row is found without running the code around it.
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { StatementReader } from './statement-reader.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCES = join(ROOT, 'app/src');
/** Functions whose second argument is a statement; the first two give rows of their type argument. */
const RUNNERS = ['rowsOf', 'preparedRows'];

export interface Statement {
  readonly place: string;
  /** Undefined where the text cannot be told from the sources. */
  readonly text: string | undefined;
  /** The row's columns by name, each with the kinds of values that its type has. Undefined when the type names no columns. */
  readonly row: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}

/** Every statement that `rowsOf` or `preparedRows` runs. */
export function statements(): Statement[] {
  const program = ts.createProgram(ts.sys.readDirectory(SOURCES, ['.ts']), options());
  const checker = program.getTypeChecker();
  const found: Statement[] = [];
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.startsWith(SOURCES)) continue;
    const visit = (node: ts.Node): void => {
      if (
        ts.isCallExpression(node) &&
        ts.isIdentifier(node.expression) &&
        RUNNERS.includes(node.expression.text)
      ) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart());
        found.push({
          place: `${relative(ROOT, file.fileName)}:${line + 1}`,
          text: new StatementReader(checker).tryRead(node.arguments[1]!),
          row: rowOf(checker, node.typeArguments?.[0]),
        });
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return found;
}

function options(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    readonly config: unknown;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options;
}

function rowOf(checker: ts.TypeChecker, node: ts.TypeNode | undefined): Statement['row'] {
  if (node === undefined) return undefined;
  const type = checker.getTypeFromTypeNode(node);
  const properties = checker.getPropertiesOfType(type);
  if (properties.length === 0) return undefined;
  return new Map(
    properties.map((property) => [property.name, kindsOf(checker, checker.getTypeOfSymbol(property))]),
  );
}

function kindsOf(checker: ts.TypeChecker, type: ts.Type): ReadonlySet<string> {
  const members = type.isUnion() ? type.types : [type];
  return new Set(
    members.map((member) =>
      checker.typeToString(checker.getBaseTypeOfLiteralType(member)).replace(/^readonly |^"|"$/g, ''),
    ),
  );
}
