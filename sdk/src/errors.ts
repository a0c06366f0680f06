// Every error that the SDK throws. The classes are named in each copy of the package.
export * from './errors/quotes.js';
export * from './errors/transactions.js';
