// Lookup tables for web3.js. In the entries for Kit, kit/chain/tables.ts stands for it.
import type { AddressLookupTableAccount } from './types.js';

/** What `compileToV0Message` takes for the tables. */
export const compilable = (tables: AddressLookupTableAccount[]): AddressLookupTableAccount[] => tables;
