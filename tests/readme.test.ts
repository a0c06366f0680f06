// The code in the READMEs compiles against the current SDK.
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Declares what the snippets assume: a wallet. */
const PREAMBLE = `
declare const wallet: {
  readonly publicKey: import('@solana/web3.js').PublicKey;
  signMessage(message: Uint8Array): Promise<Uint8Array>;
  signTransaction<T>(transaction: T): Promise<T>;
};
`;

describe('the READMEs', () => {
  for (const path of ['README.md', 'sdk/README.md', 'testing/README.md']) {
    it(`${path}: every TypeScript block compiles`, () => {
      const blocks = typescriptBlocks(readFileSync(join(ROOT, path), 'utf8'));
      expect(blocks).not.to.be.empty;
      // A block that names its file is a program of its own. The others build on each other.
      const programs = blocks.filter((block) => /^\/\/ [\w-]+\.ts\n/.test(block));
      const others = blocks.filter((block) => !programs.includes(block));
      const joined = others.length === 0 ? [] : [`${PREAMBLE}\n${others.join('\n')}`];
      for (const source of [...programs, ...joined])
        expect(problemsOf(`${source}\nexport {};`)).to.deep.equal([]);
    });
  }

  it('the check notices a block that does not compile', () => {
    expect(problemsOf(`import { quoteBuy } from '@curvekit/sdk'; quoteBuy(1);`)).not.to.be.empty;
  });
});

function typescriptBlocks(markdown: string): string[] {
  return [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
}

function problemsOf(source: string): string[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const file = join(ROOT, 'tests', 'readme-snippet.ts');
  const host = ts.createCompilerHost(options);
  const getSourceFile = host.getSourceFile.bind(host);
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, target, ...rest) =>
    name === file ? ts.createSourceFile(name, source, target) : getSourceFile(name, target, ...rest);
  // Snippets may declare results that they do not use.
  const program = ts.createProgram([file], { ...options, noUnusedLocals: false }, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
