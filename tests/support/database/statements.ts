// The hand-written statements of the service, as the database gets them: read from the sources, so that a renamed column or a
// wrong type of a row is found without running the code around it.
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { getTableColumns, getTableName, getViewName, is, Table, View } from 'drizzle-orm';
import * as schema from '#app/db/schema/index.js';

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

// Reads the text of a hand-written statement from the source: parts that are SQL in their place, values as parameters.

/** The arguments of a function that is read in place of its call. */
type Passed = ReadonlyMap<ts.Symbol, Argument>;
interface Argument {
  readonly expression: ts.Expression;
  readonly passed: Passed;
}

class UnreadableError extends Error {}

class StatementReader {
  #parameters = 0;

  constructor(private readonly checker: ts.TypeChecker) {}

  /** Undefined where the text cannot be told from the source. */
  tryRead(expression: ts.Expression): string | undefined {
    try {
      return this.#part(expression, new Map());
    } catch (error) {
      if (error instanceof UnreadableError) return undefined;
      throw error;
    }
  }

  #part(expression: ts.Expression, passed: Passed): string {
    const node = inner(expression);
    if (ts.isTaggedTemplateExpression(node)) return this.#template(node.template, passed);
    if (ts.isConditionalExpression(node)) {
      return this.#part(node.whenTrue, passed) || this.#part(node.whenFalse, passed);
    }
    const known = this.#tableOrColumn(node);
    if (known !== undefined) return known;
    if (ts.isCallExpression(node)) return this.#call(node, passed);
    const argument = this.#argumentOf(node, passed);
    if (argument !== undefined) return this.#part(argument.expression, argument.passed);
    if (!this.#isSql(node)) return this.#parameter();
    const declared = this.#declarationOf(node) ?? this.#passedByACaller(node);
    if (declared === undefined) throw new UnreadableError(node.getText());
    return this.#part(declared, passed);
  }

  #template(template: ts.TemplateLiteral, passed: Passed): string {
    if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
    return (
      template.head.text +
      template.templateSpans
        .map(({ expression, literal }) => this.#part(expression, passed) + literal.text)
        .join('')
    );
  }

  #call(call: ts.CallExpression, passed: Passed): string {
    const name = call.expression.getText();
    const [first, second] = call.arguments;
    if (name === 'sql.param') return this.#parameter();
    if (name === 'sql.join') return this.#joined(first!, second, passed);
    if (name === 'sql.raw') return this.#literal(first!, passed);
    if (name === 'sql.identifier') return `"${this.#literal(first!, passed)}"`;
    if (name === 'unnestable')
      return this.#columnTypes(second!)
        .map((type) => `${this.#parameter()}::${type}[]`)
        .join(', ');
    if (!this.#isSql(call)) return this.#parameter();
    const called = this.#calledBy(call);
    if (ts.isCallExpression(called)) return this.#databaseFunction(called, first, passed);
    return this.#part(resultOf(called), this.#inside(called, call, passed));
  }

  /** The function, or its declaration by `databaseFunction`. */
  #calledBy(call: ts.CallExpression): ts.SignatureDeclaration | ts.CallExpression {
    const declaration = this.#symbolOf(call.expression)?.valueDeclaration;
    const called =
      declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
    const isDeclared =
      called && ts.isCallExpression(called) && called.expression.getText() === 'databaseFunction';
    if (called && (isDeclared || ts.isFunctionLike(called))) return called;
    throw new UnreadableError(call.getText());
  }

  #inside(called: ts.SignatureDeclaration, call: ts.CallExpression, passed: Passed): Passed {
    const inside = new Map(passed);
    called.parameters.forEach((parameter, index) => {
      const own = ts.isIdentifier(parameter.name) && this.checker.getSymbolAtLocation(parameter.name);
      const given = call.arguments[index] ?? parameter.initializer;
      if (own && given) inside.set(own, { expression: given, passed });
    });
    return inside;
  }

  /** A list whose parts are alike is read with one of them. */
  #joined(list: ts.Expression, separator: ts.Expression | undefined, passed: Passed): string {
    const node = inner(this.#declarationOf(list) ?? list);
    const between = separator === undefined ? '' : this.#part(separator, passed);
    if (ts.isArrayLiteralExpression(node))
      return node.elements.map((element) => this.#part(element, passed)).join(between);
    const [mapping] = ts.isCallExpression(node) ? node.arguments : [];
    const each = mapping && (this.#symbolOf(mapping)?.valueDeclaration ?? mapping);
    const called = each && ts.isVariableDeclaration(each) ? each.initializer : each;
    if (!called || !ts.isFunctionLike(called)) throw new UnreadableError(list.getText());
    return this.#part(resultOf(called), passed);
  }

  #databaseFunction(declared: ts.CallExpression, given: ts.Expression | undefined, passed: Passed): string {
    const [name, parameters] = declared.arguments;
    const types = parameters && ts.isObjectLiteralExpression(parameters) ? parameters.properties : [];
    const values = given && ts.isObjectLiteralExpression(given) ? given.properties : [];
    const list = types.map((parameter) => {
      const type = (parameter as ts.PropertyAssignment).initializer as ts.StringLiteral;
      const value = values.find((one) => one.name?.getText() === parameter.name?.getText());
      const isSql = value && ts.isPropertyAssignment(value) && this.#isSql(value.initializer);
      const written = isSql ? this.#part(value.initializer, passed) : this.#parameter();
      return `${written}::${type.text}`;
    });
    return `${this.#literal(name!, passed)}(${list.join(', ')})`;
  }

  /** The types in a literal of `Columns`. Some of them are picked from another one. */
  #columnTypes(expression: ts.Expression): string[] {
    const columns = inner(this.#declarationOf(expression) ?? expression);
    if (!ts.isObjectLiteralExpression(columns)) throw new UnreadableError(expression.getText());
    return columns.properties.map((property) => {
      if (ts.isPropertyAssignment(property)) return typeOfColumn(property);
      const picked = this.checker.getShorthandAssignmentValueSymbol(property)?.valueDeclaration;
      const from = picked && ts.isBindingElement(picked) ? picked.parent.parent : undefined;
      const all = from && ts.isVariableDeclaration(from) ? this.#declarationOf(from.initializer!) : undefined;
      const whole = all && inner(all);
      const own = whole && ts.isObjectLiteralExpression(whole) ? whole.properties : [];
      return typeOfColumn(own.find((one) => one.name?.getText() === property.name?.getText()));
    });
  }

  #literal(expression: ts.Expression, passed: Passed): string {
    const node = inner(expression);
    if (ts.isStringLiteralLike(node)) return node.text;
    if (ts.isTemplateExpression(node)) {
      const spans = node.templateSpans.map(
        (span) => this.#literal(span.expression, passed) + span.literal.text,
      );
      return node.head.text + spans.join('');
    }
    if (ts.isCallExpression(node)) {
      if (node.expression.getText() === 'String') return '1';
      const called = this.#calledBy(node);
      if (ts.isCallExpression(called)) throw new UnreadableError(node.getText());
      return this.#literal(resultOf(called), this.#inside(called, node, passed));
    }
    const argument = this.#argumentOf(node, passed);
    if (argument !== undefined) return this.#literal(argument.expression, argument.passed);
    const type = this.checker.getTypeAtLocation(node);
    const [one] = type.isUnion() ? type.types : [type];
    if (one?.isStringLiteral()) return one.value;
    if (one && one.flags & ts.TypeFlags.NumberLike) return '1';
    const declared = this.#declarationOf(node);
    if (declared === undefined || declared === node) throw new UnreadableError(node.getText());
    return this.#literal(declared, passed);
  }

  #tableOrColumn(node: ts.Expression): string | undefined {
    const [table, column, ...more] = node.getText().split('.');
    const known: unknown = (schema as Record<string, unknown>)[table!];
    const root = ts.isPropertyAccessExpression(node) ? node.expression : node;
    const declaredIn = this.#symbolOf(root)?.valueDeclaration?.getSourceFile().fileName ?? '';
    if (!declaredIn.endsWith('db/schema/generated/tables.ts')) return undefined;
    if (more.length > 0 || !(is(known, Table) || is(known, View))) return undefined;
    const name = is(known, Table) ? getTableName(known) : getViewName(known);
    if (column === undefined) return `"${name}"`;
    const columns: Readonly<Record<string, { readonly name: string }>> = is(known, Table)
      ? getTableColumns(known)
      : {};
    if (columns[column] === undefined) throw new UnreadableError(node.getText());
    return `"${name}"."${column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`;
  }

  #isSql(node: ts.Expression): boolean {
    const type = this.checker.getTypeAtLocation(node);
    return (type.isUnion() ? type.types : [type]).some(({ symbol }) =>
      ['SQL', 'SQLWrapper'].includes(symbol?.name),
    );
  }

  #argumentOf(node: ts.Expression, passed: Passed): Argument | undefined {
    const symbol = ts.isIdentifier(node) ? this.checker.getSymbolAtLocation(node) : undefined;
    return symbol && passed.get(symbol);
  }

  #declarationOf(node: ts.Expression): ts.Expression | undefined {
    const declaration = this.#symbolOf(node)?.valueDeclaration;
    return declaration && 'initializer' in declaration
      ? (declaration.initializer as ts.Expression | undefined)
      : undefined;
  }

  /** What the first call in the file passes for a parameter of the function around the statement. */
  #passedByACaller(node: ts.Expression): ts.Expression | undefined {
    const parameter = this.#symbolOf(node)?.valueDeclaration;
    if (!parameter || !ts.isParameter(parameter)) return undefined;
    const around = parameter.parent;
    const named = ts.isArrowFunction(around) ? around.parent : around;
    const name = (named as ts.NamedDeclaration).name;
    const own = name && this.checker.getSymbolAtLocation(name);
    const find = (inside: ts.Node): ts.CallExpression | undefined =>
      ts.isCallExpression(inside) && this.#symbolOf(nameOf(inside.expression)) === own
        ? inside
        : ts.forEachChild(inside, find);
    return own && find(node.getSourceFile())?.arguments[around.parameters.indexOf(parameter)];
  }

  #symbolOf(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  #parameter(): string {
    return `$${(this.#parameters += 1)}`;
  }
}

function resultOf(called: ts.SignatureDeclaration): ts.Expression {
  const body = 'body' in called ? called.body : undefined;
  if (body && !ts.isBlock(body)) return body;
  const last = body?.statements.at(-1);
  if (!last || !ts.isReturnStatement(last) || !last.expression) throw new UnreadableError(called.getText());
  return last.expression;
}

function typeOfColumn(property: ts.ObjectLiteralElementLike | undefined): string {
  const value = property && ts.isPropertyAssignment(property) ? inner(property.initializer) : undefined;
  const type = value && ts.isArrayLiteralExpression(value) ? value.elements[0] : undefined;
  if (!type || !ts.isStringLiteral(type)) throw new UnreadableError(property?.getText());
  return type.text;
}

const nameOf = (called: ts.Expression): ts.Node =>
  ts.isPropertyAccessExpression(called) ? called.name : called;

/** Without what only the compiler sees. */
function inner(node: ts.Expression): ts.Expression {
  const isAround =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node);
  return isAround ? inner(node.expression) : node;
}
