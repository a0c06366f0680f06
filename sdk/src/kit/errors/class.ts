/** The type of an error class, for `instanceof`. */
export type ErrorClass<T> = abstract new (...args: never) => T;
