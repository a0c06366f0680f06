// Stands for chain/tables.ts in the entries for Kit. Loaded with the first transaction that has lookup tables.
import {
  compressTransactionMessageUsingAddressLookupTables,
  type AddressesByLookupTableAddress,
} from '@solana/kit';
import type { AddressLookupTableAccount } from '../../chain/types.js';
import { withAddresses } from '../convert.js';
import type { Compress } from './transactions.js';

export function compilable(tables: readonly AddressLookupTableAccount[]): Compress {
  const entries = tables.map(({ key, state }) => [key.toBase58(), withAddresses(state.addresses)]);
  const addresses = Object.fromEntries(entries) as AddressesByLookupTableAddress;
  return (message) => compressTransactionMessageUsingAddressLookupTables(message, addresses);
}
