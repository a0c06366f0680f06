/** A class of errors for `instanceof`. */
export type ErrorClass<T> = abstract new (...args: never) => T;
