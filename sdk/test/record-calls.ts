// Encoded records, and calls that log them.
import { Keypair } from '@solana/web3.js';
import { MIGRATE_DISCRIMINATOR } from '../src/generated/instructions.js';
import {
  encodeCreateRecord,
  encodeMigrateRecord,
  encodeTradeRecord,
  type CreateRecord,
  type MigrateRecord,
  type TradeRecord,
} from '../src/generated/records.js';
import { LOG_AUTHORITY, PROGRAM, recordCall, SIGNATURE, STRANGER } from './confirmed.js';

export const mint = Keypair.generate().publicKey;
export const trade: TradeRecord = {
  mint,
  trader: STRANGER,
  isBuy: true,
  solAmount: 1_000n,
  tokenAmount: 2_000n,
  fee: 10n,
  virtualSol: 30_000_000_990n,
  virtualToken: 1_072_999_999_998_000n,
  finalized: false,
  timestamp: 1_700_000_000n,
};
export const create: CreateRecord = {
  mint,
  creator: STRANGER,
  tokenOwnerPda: LOG_AUTHORITY.address,
  name: 'Curve 🌊',
  symbol: 'CRV',
  uri: 'https://example.org',
  afterMigrationFee: 100,
  burnBp: 1,
  holdersBp: 2,
  lpBp: 3,
  virtualSol: 30_000_000_000n,
  virtualToken: 1_073_000_000_000_000n,
  platformFeeBps: 100,
  timestamp: 1_700_000_000n,
};
export const migration: MigrateRecord = {
  mint,
  feeAccount: STRANGER,
  solAmount: 85n,
  tokenAmount: 207n,
  timestamp: -1n,
};
export const TRADE = encodeTradeRecord(trade);
export const CREATE = encodeCreateRecord(create);
export const MIGRATION = encodeMigrateRecord(migration);
export const FUTURE = Uint8Array.from({ length: 20 }, (_, index) => index);

export const tradeCall = { program: PROGRAM, inner: [{ program: STRANGER }, recordCall(TRADE)] };
export const migrateCall = {
  program: PROGRAM,
  accounts: [mint],
  data: MIGRATE_DISCRIMINATOR,
  inner: [{ program: STRANGER }],
};
export const source = (outer: number, inner: number) => ({
  signature: SIGNATURE,
  slot: 5,
  position: { outer, inner },
});
