// The licences that dependencies may have: those in deny.toml, and those that one package may have.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import parse from 'spdx-expression-parse';
import { ROOT } from '../program/paths.js';
import type { Component } from './bom.js';

export interface Exception {
  /** A package's name, or its beginning if it ends in `*`. */
  readonly name: string;
  /** Its licence as it states it. Undefined if it states none that SPDX knows. */
  readonly licence: string | undefined;
  readonly why: string;
}

const STATES_NONE = 'its package.json has no licence in SPDX form';

export const EXCEPTIONS: readonly Exception[] = [
  { name: 'busboy', licence: undefined, why: `MIT: ${STATES_NONE}, its LICENSE is MIT's text` },
  { name: 'streamsearch', licence: undefined, why: `MIT: ${STATES_NONE}, its LICENSE is MIT's text` },
  { name: 'eyes', licence: undefined, why: `MIT: ${STATES_NONE}, its LICENSE is MIT's text` },
  { name: 'only', licence: undefined, why: `MIT: ${STATES_NONE}, its readme says MIT; only tests use it` },
  {
    name: 'humanize-number',
    licence: undefined,
    why: `MIT: ${STATES_NONE}, its readme says MIT; only tests use it`,
  },
  { name: 'jsonify', licence: undefined, why: 'public domain; only the generator of the SDK uses it' },
  {
    name: 'text-encoding-utf-8',
    licence: undefined,
    why: `${STATES_NONE}, its LICENSE.md is the Unlicense`,
  },
  { name: 'spdx-exceptions', licence: 'CC-BY-3.0', why: 'a list of names; only this check uses it' },
  {
    name: 'caniuse-lite',
    licence: 'CC-BY-4.0',
    why: 'a table of browsers; only the mutants of the service load it',
  },
  { name: 'argparse', licence: 'Python-2.0', why: 'only tests and tools use it; asks for a notice' },
  {
    name: '@fontsource-variable/*',
    licence: 'OFL-1.1',
    why: "the page's fonts, which may be served with it but not sold alone",
  },
  { name: '@axe-core/playwright', licence: 'MPL-2.0', why: 'only tests use it, unchanged' },
  { name: 'axe-core', licence: 'MPL-2.0', why: 'only tests use it, unchanged' },
  { name: 'lightningcss*', licence: 'MPL-2.0', why: 'only builds use it, unchanged' },
  { name: 'rollup-plugin-dts', licence: 'LGPL-3.0-only', why: 'only builds use it, unchanged' },
  {
    name: 'rpc-websockets',
    licence: 'LGPL-3.0-only',
    why: '@solana/web3.js needs it; unchanged, a package of its own that a user can replace',
  },
  {
    name: '@img/sharp-libvips-*',
    licence: 'LGPL-3.0-or-later',
    why: 'the decoder of pictures: unchanged, a shared library that an operator can replace',
  },
  {
    name: '@img/sharp-win32-*',
    licence: 'Apache-2.0 AND LGPL-3.0-or-later',
    why: 'the same on Windows',
  },
  {
    name: '@img/sharp-wasm32',
    licence: 'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
    why: 'the same as WebAssembly',
  },
];

/** The licences that every package may have. */
export function allowedLicences(): ReadonlySet<string> {
  const list = /^allow = (\[[^\]]*\])/m.exec(readFileSync(join(ROOT, 'deny.toml'), 'utf8'))?.[1];
  if (list === undefined) throw new Error('deny.toml: [licenses] has no list `allow`');
  // A list of strings in TOML is JSON, except for the comma at its end.
  return new Set(JSON.parse(list.replace(/,\s*\]$/, ']')) as string[]);
}

/** Packages whose licence is not allowed, and exceptions that no package needs. */
export function licenceProblems(
  components: readonly Component[],
  allowed: ReadonlySet<string>,
  exceptions: readonly Exception[],
): string[] {
  const used = new Set<Exception>();
  const problems: string[] = [];
  for (const component of components) {
    const licence = licenceOf(component);
    if (licence !== undefined && isAllowed(licence, allowed)) continue;
    const exception = exceptions.find((one) => one.licence === licence && matches(one.name, component.purl));
    if (exception !== undefined) used.add(exception);
    else
      problems.push(
        `${component['bom-ref']} has the licence ${licence ?? 'of no SPDX name'}: use another package, ` +
          'or add an exception with its reason to scripts/supply-chain/licences.ts',
      );
  }
  for (const exception of exceptions)
    if (!used.has(exception))
      problems.push(`no package needs the exception for ${exception.name}: remove it`);
  return problems;
}

function matches(pattern: string, purl = ''): boolean {
  const name = decodeURIComponent(/^pkg:[a-z]+\/(.+)@/.exec(purl)?.[1] ?? '');
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** The licence as an SPDX expression. */
function licenceOf({ licenses = [] }: Component): string | undefined {
  const expressions = licenses.map((licence) =>
    'expression' in licence ? licence.expression : licence.license.id,
  );
  // Several licences without an operator: all of them apply.
  return expressions.length === 0 || expressions.includes(undefined)
    ? undefined
    : expressions.map((expression) => expression!).join(' AND ');
}

function isAllowed(expression: string, allowed: ReadonlySet<string>): boolean {
  const holds = (part: parse.Info): boolean =>
    'conjunction' in part
      ? part.conjunction === 'or'
        ? holds(part.left) || holds(part.right)
        : holds(part.left) && holds(part.right)
      : allowed.has(part.exception === undefined ? part.license : `${part.license} WITH ${part.exception}`);
  return holds(parse(expression));
}
