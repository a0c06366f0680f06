// The log record that a trade must leave.
import type { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { decodeRecords, type BuyQuote, type SellQuote, type TradeRecord } from '@curvekit/sdk';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import type { Token } from './tokens.js';

type Content = Omit<TradeRecord, 'timestamp'>;

export function buyRecord({ mint }: Pick<Token, 'mint'>, trader: PublicKey, quote: BuyQuote): Content {
  return {
    mint,
    trader,
    isBuy: true,
    solAmount: quote.net + quote.fee,
    tokenAmount: quote.tokenOut,
    fee: quote.fee,
    virtualSol: quote.virtualSol,
    virtualToken: quote.virtualToken,
    finalized: quote.graduates,
  };
}

export function sellRecord({ mint }: Pick<Token, 'mint'>, trader: PublicKey, quote: SellQuote): Content {
  return {
    mint,
    trader,
    isBuy: false,
    solAmount: quote.solOut,
    tokenAmount: quote.tokenToSpend,
    fee: quote.fee,
    virtualSol: quote.virtualSol,
    virtualToken: quote.virtualToken,
    finalized: false,
  };
}

/** Expects exactly these records in the transaction, in this order, with the cluster's time. */
export async function expectTradeRecords(
  cluster: LocalCluster,
  { transaction, signature, slot }: SentTransaction,
  expected: readonly Content[],
): Promise<void> {
  const { unixTimestamp } = await cluster.clock();
  const records = decodeRecords(transaction);
  expect(records.map(({ kind }) => kind)).to.deep.equal(expected.map(() => 'trade'));
  for (const [index, record] of records.entries()) {
    expect(record).to.include({ signature, slot });
    const { timestamp, ...content } = record.data;
    expect(content).to.deep.equal(expected[index]);
    expectRecent(timestamp, unixTimestamp);
  }
}

/** Expects a record's time to be at most a minute before the cluster's time. */
export function expectRecent(timestamp: bigint, now: bigint): void {
  expect(timestamp <= now && timestamp > now - 60n, `${timestamp} at ${now}`).to.equal(true);
}
