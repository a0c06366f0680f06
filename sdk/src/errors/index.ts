// Every error that the SDK throws. The classes are named in each copy of the package.
export * from './quotes.js';
export * from './transactions.js';
