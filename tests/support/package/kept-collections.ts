// Finds the maps, sets and lists of the service that outlive a call: those of modules, of classes, and of functions whose
// results go on using them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface KeptCollection {
  /** File in the folder, and name: `http/json.ts quotedNames`. */
  readonly id: string;
  /** `Map`, `Set`, the name of another class, or `[]`. */
  readonly kind: string;
}

/** A weak collection has no more entries than there are objects. */
const COLLECTION = /^(?!Weak)\w*(?:Map|Set|Cache|LRU)$/;
const AT_ONCE = new Set(
  'every filter find findIndex flatMap forEach from map reduce some sort toSorted transaction'.split(' '),
);
/** Values that a module never changes. */
const CONSTANT = /^[A-Z0-9_]+$/;

/** Every collection that is kept, in the order of the files. */
export function keptCollections(folder: string): KeptCollection[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .flatMap((file) => keptIn(file, readFileSync(join(folder, file), 'utf8')));
}

/** The kept collections of one file. */
export function keptIn(file: string, text: string): KeptCollection[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: KeptCollection[] = [];
  const visit = (node: ts.Node): void => {
    if (isNamed(node) && node.initializer !== undefined) {
      const kind = kindOf(node.initializer);
      const name = node.name.getText(source);
      if (kind !== undefined && isKept(node, name) && !CONSTANT.test(name))
        found.push({ id: `${file} ${name}`, kind });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

type Named = ts.VariableDeclaration | ts.PropertyDeclaration | ts.PropertyAssignment;

function isNamed(node: ts.Node): node is Named {
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) return true;
  // The fields of an object that a function returns.
  return ts.isPropertyAssignment(node) && ts.isReturnStatement(node.parent.parent);
}

function kindOf(made: ts.Expression): string | undefined {
  if (ts.isArrayLiteralExpression(made) && made.elements.length === 0) return '[]';
  if (!ts.isNewExpression(made)) return undefined;
  const name = made.expression.getText();
  return COLLECTION.test(name) ? name : undefined;
}

function isKept(node: Named, name: string): boolean {
  // An empty list in a result is a value.
  if (ts.isPropertyAssignment(node)) return ts.isNewExpression(node.initializer);
  if (ts.isPropertyDeclaration(node)) return true;
  const owner = functionAround(node);
  return owner === undefined || isUsedLater(owner, name);
}

/** Whether the function is the argument of a method that calls it before it returns. */
function isRunAtOnce({ parent }: ts.Node): boolean {
  if (!ts.isCallExpression(parent)) return false;
  const { expression } = parent;
  return ts.isPropertyAccessExpression(expression) && AT_ONCE.has(expression.name.text);
}

function functionAround(node: ts.Node): ts.Node | undefined {
  return ts.findAncestor(node.parent, ts.isFunctionLike);
}

/** Whether a function inside uses the name and may run after its owner, as listeners and timers do. */
function isUsedLater(owner: ts.Node, name: string): boolean {
  let isUsed = false;
  const visit = (node: ts.Node, isInside: boolean): void => {
    if (isInside && ts.isIdentifier(node) && node.text === name) isUsed = true;
    const isLasting = ts.isFunctionLike(node) && node !== owner && !isRunAtOnce(node);
    ts.forEachChild(node, (child) => visit(child, isInside || isLasting));
  };
  visit(owner, false);
  return isUsed;
}
