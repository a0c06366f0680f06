// The base class of all errors, and the error of a wrong argument.
const CLASS = '@curvekit/sdk/class';

/**
 * The base class of every error that this package throws. `instanceof` also holds between copies of the package: a
 * program that mixes ES modules and CommonJS loads two.
 */
export class CurvekitError extends Error {
  /** Names the class in every copy of the package. */
  static readonly '@curvekit/sdk/class': string = 'CurvekitError';

  /** Whether a value is an error of this class, from any copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfClass(this, value);
  }

  /**
   * Never changes, for example `INSUFFICIENT_SOL`: the README has them all. Errors of a program, an RPC node and the
   * service have their own code.
   */
  readonly code: string | number | undefined;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target[CLASS];
    // Without `Error`.
    this.code = this.name
      .slice(0, -5)
      .replace(/\B[A-Z]/g, '_$&')
      .toUpperCase();
  }
}

/** A subclass of the caller's has no name of its own: only its own instances count. */
function isOfClass(type: typeof CurvekitError, value: unknown): boolean {
  if (!Object.hasOwn(type, CLASS)) return Function.prototype[Symbol.hasInstance].call(type, value);
  if (typeof value !== 'object' || value === null) return false;
  for (let at: unknown = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) {
    const { constructor } = at as { constructor?: unknown };
    if (typeof constructor !== 'function' || !Object.hasOwn(constructor, CLASS)) continue;
    if ((constructor as typeof CurvekitError)[CLASS] === type[CLASS]) return true;
  }
  return false;
}

/** An argument that no instruction, quote or account can carry. The SDK throws it before it sends anything. */
export class InvalidArgumentError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'InvalidArgumentError';
  constructor(
    /** Name of the argument, with its path when it is nested: `firstBuy.solToSpend`. */
    readonly argument: string,
    problem: string,
  ) {
    super(`${argument} ${problem}`);
  }
}

/** The error for a value of the wrong type. */
export function notA(argument: string, expected: string, value: unknown): InvalidArgumentError {
  if (expected === 'a bigint' && Object(value) === value && 'toArrayLike' in (value as object))
    return new InvalidArgumentError(argument, 'is a BN; pass BigInt(bn.toString())');
  const actual =
    value === null ? 'null' : typeof value === 'number' ? `the number ${value}` : `of type ${typeof value}`;
  return new InvalidArgumentError(argument, `is ${actual}; it must be ${expected}`);
}
