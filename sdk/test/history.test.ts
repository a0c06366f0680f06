import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { buyExactIn, sellExactIn } from '../src/curve/curve.js';
import { ProgramError, RecordGapError } from '../src/errors/index.js';
import { GRADUATION_VIRTUAL_TOKEN } from '../src/generated/program.js';
import { expectedAccount, rebuildHistories, type CurveHistory } from '../src/records/history.js';
import type { RecordContent } from '../src/records/record.js';
import { CurveStatus } from '../src/curve/status.js';

const mint = Keypair.generate().publicKey;
const wallet = Keypair.generate().publicKey;
const FEE_BPS = 100n;

const created: RecordContent & { kind: 'create' } = {
  kind: 'create',
  data: {
    mint,
    creator: wallet,
    tokenOwnerPda: wallet,
    name: 'Curve',
    symbol: 'CRV',
    uri: 'https://example.org',
    afterMigrationFee: 200,
    burnBp: 5_000,
    holdersBp: 3_000,
    lpBp: 2_000,
    virtualSol: 30_000_000_000n,
    virtualToken: 1_073_000_000_000_000n,
    platformFeeBps: 100,
    timestamp: 1n,
  },
};
const migrated: RecordContent & { kind: 'migrate' } = {
  kind: 'migrate',
  data: { mint, feeAccount: wallet, solAmount: 85n, tokenAmount: 207n, timestamp: 99n },
};

/** Trade records as the program would log them. A positive amount buys with lamports, a negative one sells units. */
function tradesOf(amounts: readonly bigint[]): (RecordContent & { kind: 'trade' })[] {
  let { virtualSol, virtualToken } = created.data;
  const records: (RecordContent & { kind: 'trade' })[] = [];
  for (const amount of amounts) {
    if (virtualToken === GRADUATION_VIRTUAL_TOKEN) break;
    const timestamp = BigInt(records.length) + 2n;
    try {
      const isBuy = amount > 0n;
      const trade = isBuy
        ? buyExactIn(virtualSol, virtualToken, FEE_BPS, amount)
        : sellExactIn(virtualSol, virtualToken, FEE_BPS, -amount);
      ({ virtualSol, virtualToken } = trade);
      const amounts =
        'net' in trade
          ? { solAmount: trade.net + trade.fee, tokenAmount: trade.tokenOut, finalized: trade.graduates }
          : { solAmount: trade.solOut, tokenAmount: -amount, finalized: false };
      const after = { fee: trade.fee, virtualSol, virtualToken, timestamp };
      records.push({ kind: 'trade', data: { mint, trader: wallet, isBuy, ...amounts, ...after } });
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
    }
  }
  return records;
}

const fold = (records: readonly RecordContent[]): CurveHistory | undefined =>
  rebuildHistories(records).get(mint.toBase58());

describe('a history rebuilt from records', () => {
  it('has the right state, volumes and fees', () => {
    const trades = tradesOf([1_000_000_000n, -10_000_000_000_000n, 1_000_000_000_000n]);
    const [first, second, last] = trades.map(({ data }) => data);
    const history = fold([created, ...trades, migrated]);
    expect(history).to.deep.equal({
      created: created.data,
      graduated: undefined,
      status: CurveStatus.Migrated,
      virtualSol: last!.virtualSol,
      virtualToken: GRADUATION_VIRTUAL_TOKEN,
      buys: 2,
      sells: 1,
      solPaid: first!.solAmount + last!.solAmount,
      solReceived: second!.solAmount,
      tokensBought: first!.tokenAmount + last!.tokenAmount,
      tokensSold: second!.tokenAmount,
      fees: first!.fee + second!.fee + last!.fee,
      updatedAt: 99n,
      migrated: migrated.data,
    });
    expect(expectedAccount(history!)).to.deep.equal({
      initialized: 3,
      virtualSol: last!.virtualSol,
      virtualToken: GRADUATION_VIRTUAL_TOKEN,
      afterMigrationFee: 200,
      afterMigrationBurnBp: 5_000,
    });
  });

  it('refuses a missing, repeated or swapped trade', () => {
    const trades = tradesOf([10n ** 9n, 2n * 10n ** 9n, -(10n ** 13n), 3n * 10n ** 9n]);
    for (let index = 0; index < trades.length - 1; index++) {
      const missing = trades.filter((_, position) => position !== index);
      const repeated = trades.toSpliced(index, 0, trades[index]!);
      const swapped = trades.toSpliced(index, 2, trades[index + 1]!, trades[index]!);
      for (const wrong of [missing, repeated, swapped]) {
        expect(() => fold([created, ...wrong])).to.throw(RecordGapError, mint.toBase58());
      }
    }
  });

  const [trade] = tradesOf([10n ** 9n]);
  const [last] = tradesOf([10n ** 12n]);
  it('refuses impossible records', () => {
    const changed = (of: typeof trade, data: object): RecordContent => ({
      kind: 'trade',
      data: { ...of!.data, ...data },
    });
    const impossible: Record<string, RecordContent[]> = {
      'a trade before the creation': [trade!],
      'a migration before the creation': [migrated],
      'a second creation': [created, created],
      'a migration while trading': [created, migrated],
      'a second migration': [created, last!, migrated, migrated],
      'a trade after graduation': [created, last!, last!],
      'a graduation that is not said': [created, changed(last, { finalized: false })],
      'a graduation too early': [created, changed(trade, { finalized: true })],
      'a fee that does not fit': [created, changed(trade, { fee: trade!.data.fee + 1n })],
    };
    for (const [what, records] of Object.entries(impossible))
      expect(() => fold(records), what).to.throw(RecordGapError);
  });
});
