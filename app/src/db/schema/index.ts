/** Every table of the service. */
export * from './chain.js';
export * from './leases.js';
export * from './ledger.js';
export * from './market.js';
export * from './partner.js';
export * from './payments.js';
export * from './pictures.js';
export * from './records.js';
export * from './rewards.js';
export * from './settlement.js';
export * from './tasks.js';
export * from './treasury.js';
export * from './versions.js';
