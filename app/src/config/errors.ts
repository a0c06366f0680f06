/** A variable of the environment that cannot be used. */
export interface ConfigProblem {
  readonly variable: string;
  /** What is wrong, the limit and the fix. Never the value of a secret. */
  readonly problem: string;
}

/** The environment does not make a configuration. Names every variable at fault, not only the first. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    super(
      ['The configuration is not usable:', ...problems.map((p) => `  ${p.variable} ${p.problem}`)].join('\n'),
    );
  }
}
