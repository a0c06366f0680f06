import { AssertionError } from 'chai';

type ErrorClass<E extends Error> = abstract new (...args: never[]) => E;

/** The error of class `type` that a promise rejects with; any other outcome fails the test. */
export async function rejection<E extends Error>(promise: Promise<unknown>, type: ErrorClass<E>): Promise<E> {
  let outcome: unknown;
  try {
    outcome = await promise;
  } catch (error) {
    if (error instanceof type) return error;
    throw error;
  }
  throw new AssertionError(`expected ${type.name}, got the value ${String(outcome)}`);
}
