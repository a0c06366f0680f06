/** Every table of the service. */
export * from './generated/tables.js';
export * from './values.js';
