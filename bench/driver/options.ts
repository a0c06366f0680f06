// The options of a benchmark: how each is read, and its line in the help.
import { UsageError } from '../../scripts/command-line.js';

export interface Option<T> {
  readonly about: string;
  /** What the help calls the value. An option without one takes none. */
  readonly value?: string;
  /** @param text undefined when the option is not given @throws UsageError */
  readonly read: (name: string, text: string | boolean | undefined) => T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
export type Chosen<O extends Options> = {
  readonly [Name in keyof O]: O[Name] extends Option<infer T> ? T : never;
};

/** A whole number. */
export function whole(
  preset: number,
  about: string,
  { least = 1, most = Number.MAX_SAFE_INTEGER } = {},
): Option<number> {
  const limits = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const fits = (value: number): boolean => Number.isSafeInteger(value) && value >= least && value <= most;
  return {
    about,
    value: 'N',
    read: (name, text) => number(name, text, { preset, fits, limits: `a whole number ${limits}` }),
  };
}

/** A number above 0. */
export function fraction(preset: number, about: string): Option<number> {
  const fits = (value: number): boolean => value > 0 && Number.isFinite(value);
  return {
    about,
    value: 'N',
    read: (name, text) => number(name, text, { preset, fits, limits: 'a number above 0' }),
  };
}

/** One of several words. */
export function oneOf<const Word extends string>(
  words: readonly [Word, ...Word[]],
  about: string,
): Option<Word> {
  return {
    about,
    value: words.join('|'),
    read: (name, text) => {
      const found = text === undefined ? words[0] : words.find((word) => word === text);
      if (found === undefined) throw new UsageError(`--${name} must be one of ${words.join(', ')}`);
      return found;
    },
  };
}

/** An option without a value. */
export function flag(about: string): Option<boolean> {
  return { about, read: (_, given) => given === true };
}

interface NumberLimits {
  readonly preset: number;
  readonly fits: (value: number) => boolean;
  readonly limits: string;
}

function number(
  name: string,
  text: string | boolean | undefined,
  { preset, fits, limits }: NumberLimits,
): number {
  if (typeof text !== 'string') return preset;
  const value = text.trim() === '' ? NaN : Number(text);
  if (fits(value)) return value;
  throw new UsageError(`--${name} is '${text}'; it must be ${limits}`);
}

/** One line for each option, and more for an explanation of several lines. */
export function helpOf(options: Options): string {
  const lines = Object.entries(options).map(([name, { value, about }]) => ({
    option: value === undefined ? `--${name}` : `--${name} ${value}`,
    about,
  }));
  const width = Math.max(...lines.map(({ option }) => option.length)) + 2;
  return lines
    .map(
      ({ option, about }) =>
        `  ${option.padEnd(width)}${about.replaceAll('\n', `\n${' '.repeat(width + 2)}`)}`,
    )
    .join('\n');
}
