// Type-checks the published package with TypeScript 5 and 7, each module resolution and both majors of Kit.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  packed,
  type Compiler,
  typeErrors,
  USED,
  usePackages,
  withKitAlone,
  withOldestPeer,
} from '#tests/package/consumer.js';

describe('the published package and TypeScript', function () {
  this.timeout(300_000);
  usePackages();

  for (const [module, moduleResolution] of [
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'Bundler'],
  ] as const) {
    it(`type-checks with moduleResolution ${moduleResolution}`, async () => {
      const code = `import { Keypair, PublicKey, type Connection, type TransactionInstruction } from '@solana/web3.js';
import { ${USED}, type BuyQuote, type CurveState } from '@curvekit/sdk';
import { IDL, type BondingCurve } from '@curvekit/sdk/idl';
import { openFeed, type FeedEvent, type RecordOf } from '@curvekit/sdk/feed';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { trade, type TradeParams, type TradeResult } from '@curvekit/sdk/trade';
const mint = new PublicKey(IDL.address);
const state: CurveState = { virtualSol: 1n, virtualToken: 1n, platformFeeBps: 100 };
export const quote: BuyQuote = quoteBuy(state, 1n);
export const list: TransactionInstruction[] = buy({ mint, payer: mint, solToSpend: 1n, minTokenToReceive: 0n });
export const bump: number = curveAddress(mint).bump;
export const name: 'bonding_curve' | 'bondingCurve' = ({} as BondingCurve).metadata.name;
export const start: () => Promise<LocalCluster> = startLocalCluster;
export const isOurs = (error: unknown): string => (error instanceof InvalidArgumentError ? error.argument : '');
export const call: (connection: Connection, params: TradeParams) => Promise<TradeResult> = trade;
export const params: TradeParams = { wallet: Keypair.generate(), mint, solToSpend: 1n };
export const feed = (connection: Connection): AsyncIterable<FeedEvent<RecordOf<'trade'>>> => openFeed(connection, { kinds: ['trade'] });
// @ts-expect-error no such kind
export const typo = (connection: Connection) => openFeed(connection, { kinds: ['trades'] });
// @ts-expect-error one amount, not two
export const both: TradeParams = { wallet: Keypair.generate(), mint, solToSpend: 1n, tokenToSpend: 1n };
// @ts-expect-error amounts are bigints
buy({ mint, payer: mint, solToSpend: 1, minTokenToReceive: 0n });
`;
      await writeFile(join(packed().project, 'check.ts'), code);
      await writeFile(join(packed().project, 'check.cts'), code);
      const options = {
        strict: true,
        noEmit: true,
        target: 'ES2022',
        module,
        moduleResolution,
        types: ['node'],
      };
      const files = moduleResolution === 'Bundler' ? ['check.ts'] : ['check.ts', 'check.cts'];
      await writeFile(join(packed().project, 'package.json'), JSON.stringify({ type: 'module' }));
      await writeFile(
        join(packed().project, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: options, files }),
      );
      expect(await typeErrors('typescript')).to.equal('');
      expect(await typeErrors('typescript-native')).to.equal('');
      expect(await withOldestPeer(() => typeErrors('typescript-native'))).to.equal('');
    });
  }

  it('type-checks with Kit, on both majors, when web3.js is not installed', async () => {
    const code = `import { createSolanaRpc, type Address, type TransactionSigner } from '@solana/kit';
import { buy, fetchMarket, quoteBuy, TradingMovedError, type BuyQuote, type Market, type SignableInstruction } from '@curvekit/sdk/kit';
import { InsufficientSolError, launch, trade, type TradeParams } from '@curvekit/sdk/kit/trade';
import { openFeed, type FeedEvent, type FeedNode, type RecordOf } from '@curvekit/sdk/kit/feed';
export const feed = (node: FeedNode): AsyncIterable<FeedEvent<RecordOf<'trade'>>> => openFeed(node, { kinds: ['trade'] });
export async function use(payer: TransactionSigner, mint: Address): Promise<SignableInstruction[]> {
  const market: Market | null = await fetchMarket(createSolanaRpc('http://127.0.0.1:8899'), mint);
  if (market?.venue !== 'curve') throw new Error('no curve');
  const quote: BuyQuote = quoteBuy(market.curve, 1n);
  return buy({ market, payer, ...quote });
}
export const pool = (error: unknown): Address | undefined => (error instanceof TradingMovedError ? error.poolAddress : undefined);
export const poor = (error: unknown): Address | undefined => (error instanceof InsufficientSolError ? error.wallet : undefined);
export async function all(wallet: TransactionSigner): Promise<bigint> {
  const rpc = createSolanaRpc('http://127.0.0.1:8899');
  const { mint } = await launch(rpc, { wallet, name: 'n', symbol: 's', uri: 'u' });
  const { slot } = await trade(rpc, { wallet, mint: mint.address, solToSpend: 1n });
  return slot;
}
// @ts-expect-error one amount, not two
export const both: (wallet: TransactionSigner, mint: Address) => TradeParams = (wallet, mint) => ({ wallet, mint, solToSpend: 1n, tokenToSpend: 1n });
// @ts-expect-error a signer, not an address
export const wrong = (mint: Address) => buy({ mint, payer: mint, solToSpend: 1n, minTokenToReceive: 0n });
`;
    await writeFile(join(packed().project, 'check-kit.ts'), code);
    await writeFile(join(packed().project, 'package.json'), JSON.stringify({ type: 'module' }));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'ES2022',
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      lib: ['ES2023', 'DOM'],
      types: [],
    };
    const config = JSON.stringify({ compilerOptions, files: ['check-kit.ts'] });
    await writeFile(join(packed().project, 'tsconfig.json'), config);
    const ourErrors = async (compiler: Compiler): Promise<string[]> => {
      // Ignore errors in Kit's own declarations.
      return (await typeErrors(compiler)).split('\n').filter((line) => /check-kit|@curvekit/.test(line));
    };
    expect(await ourErrors('typescript')).to.deep.equal([]);
    expect(await ourErrors('typescript-native')).to.deep.equal([]);
    expect(await withKitAlone(() => ourErrors('typescript-native'))).to.deep.equal([]);
  });
});
