import { ExplainedError } from '../base/errors.js';

export interface ConfigProblem {
  readonly variable: string;
  /** What is wrong, the limit and the fix. Never the value of a secret. */
  readonly problem: string;
}

/** The configuration is invalid. Names every invalid variable, not only the first. */
export class ConfigError extends ExplainedError {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly ConfigProblem[]) {
    super(
      ['The configuration is not usable:', ...problems.map((p) => `  ${p.variable} ${p.problem}`)].join('\n'),
    );
  }
}
