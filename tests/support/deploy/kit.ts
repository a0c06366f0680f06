// The files of deploy/ as data: YAML, and small parsers for systemd's units, nginx's configuration and the Dockerfile.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const DEPLOY = fileURLToPath(new URL('../../../deploy/', import.meta.url));
const textOf = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

export interface Container {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly env_file?: string | readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly read_only?: boolean;
  readonly user?: string;
  readonly network_mode?: string;
  readonly command?: readonly string[];
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly stop_grace_period?: string;
}

export interface Compose {
  readonly services: Readonly<Record<string, Container>>;
  readonly volumes: Readonly<Record<string, object>>;
}

export const yamlOf = <T>(name: string): T => parse(textOf(name), { merge: true }) as T;

export const ALERTS = yamlOf<{
  readonly groups: readonly [{ readonly rules: readonly Alert[] }];
}>('alerts.yml').groups[0].rules;

export interface Alert {
  readonly alert: string;
  /** PromQL. */
  readonly expr: string;
  readonly annotations: { readonly runbook: string };
}

/** A unit's settings by name, each with its values in order: `Environment` may stand there several times. */
export function unitOf(name: string): ReadonlyMap<string, readonly string[]> {
  const settings = new Map<string, string[]>();
  for (const line of textOf(name).split('\n')) {
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined) settings.set(key, [...(settings.get(key) ?? []), value!]);
    else if (!/^(#.*|\[\w+\]|)$/.test(line)) throw new Error(`${name}: no line of a unit: ${line}`);
  }
  return settings;
}

/** Variables of `NAME=value NAME=value`. */
export const variablesOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/(\w+)=(\S*)/g)].map(([, name, value]) => [name!, value!]));

/** A directive of nginx with its words, and the directives in its braces. */
export interface Directive {
  readonly words: readonly string[];
  readonly inner: readonly Directive[];
}

/** @throws Error at a brace or a semicolon that lacks its other half */
export function nginxOf(name: string): readonly Directive[] {
  const tokens =
    textOf(name)
      .replaceAll(/#.*$/gm, '')
      .match(/"[^"]*"|[{};]|[^\s{};]+/g) ?? [];
  let at = 0;
  const block = (depth: number): Directive[] => {
    const found: Directive[] = [];
    for (let words: string[] = []; at < tokens.length;) {
      const token = tokens[at++]!;
      if (token === '}' && depth > 0 && words.length === 0) return found;
      if (token === '}') throw new Error(`${name}: an unexpected }`);
      if (token !== ';' && token !== '{') {
        words.push(token);
        continue;
      }
      found.push({ words, inner: token === '{' ? block(depth + 1) : [] });
      words = [];
    }
    if (depth > 0) throw new Error(`${name}: a } is missing`);
    return found;
  };
  return block(0);
}

/** The instructions of a Dockerfile, lines with a backslash joined. */
export function dockerfileOf(name: string): readonly { readonly name: string; readonly value: string }[] {
  return textOf(name)
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, instruction, value] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
      if (instruction === undefined) throw new Error(`${name}: no instruction: ${line}`);
      return { name: instruction, value: value! };
    });
}
