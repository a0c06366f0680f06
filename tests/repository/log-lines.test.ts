// A log line of level warn or above says what happened, and after it what to do or what the service does.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import ts from 'typescript';

const SOURCES = fileURLToPath(new URL('../../app/src', import.meta.url));
const LEVELS = ['warn', 'error', 'fatal'];
const TWO_PARTS = /\S[;:,.] \S/;

interface Line {
  readonly place: string;
  readonly message: string;
}

/** The messages of a file that stand in it as texts. */
function linesOf(name: string, text: string): Line[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const lines: Line[] = [];
  const add = (node: ts.Node, message: string) =>
    lines.push({ place: `${name}:${file.getLineAndCharacterOfPosition(node.pos).line + 1}`, message });
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      LEVELS.includes(node.expression.name.text) &&
      /log(?:ger)?$/.test(node.expression.expression.getText())
    ) {
      const message = node.arguments.at(-1);
      const texts =
        message && ts.isConditionalExpression(message) ? [message.whenTrue, message.whenFalse] : [message];
      for (const one of texts) if (one && ts.isStringLiteralLike(one)) add(node, one.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return lines;
}

describe('log lines of level warn and above', () => {
  const lines = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => linesOf(name, readFileSync(join(SOURCES, name), 'utf8')));

  it('say what happened and what follows', () => {
    expect(lines.length).to.be.above(50);
    expect(lines.filter(({ message }) => !TWO_PARTS.test(message))).to.deep.equal([]);
  });

  it('are found, also in a choice of two', () => {
    const text =
      "logger.warn({ a }, b ? 'all is lost' : 'it waits: see `curvekit tasks`'); logger.info('done');";
    expect(linesOf('x.ts', text).filter(({ message }) => !TWO_PARTS.test(message))).to.deep.equal([
      { place: 'x.ts:1', message: 'all is lost' },
    ]);
  });
});
