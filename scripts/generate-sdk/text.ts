import type { Idl } from '@coral-xyz/anchor/dist/cjs/idl.js';
import { camelCase } from './idl.js';

/** First lines of every file that is generated from an IDL. */
export function header({ metadata }: Idl): string {
  return `// Generated from programs/artifacts/${metadata.name}.json by scripts/generate-sdk. Do not edit: run \`npm run generate:sdk\`.\n`;
}

export function docComment(docs: readonly string[] | undefined): string {
  const lines = (docs ?? []).map((line) => withCamelCaseNames(line.trim()).replaceAll('*/', '* /'));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Rust's docs name arguments and accounts in snake_case. */
function withCamelCaseNames(line: string): string {
  return line.replace(/`([a-z]+(?:_[a-z]+)+)`/g, (_, name: string) => `\`${camelCase(name)}\``);
}

/** A Uint8Array constant; bundlers drop it when nothing uses it. */
export function bytesConstant(name: string, bytes: readonly number[]): string {
  return `export const ${name}: Uint8Array = /* @__PURE__ */ new Uint8Array([${bytes.join(', ')}]);\n`;
}
