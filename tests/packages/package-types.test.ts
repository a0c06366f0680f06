// Type-checks the published package with TypeScript 5 and 7, each module resolution and both majors of Kit.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  packed,
  readManifest,
  type Compiler,
  typeErrors,
  USED,
  usePackages,
  withKitAlone,
  withOldestPeer,
  withoutLibraries,
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

  it("type-checks every subpath with TypeScript's resolution node10", async () => {
    const entries = Object.keys((await readManifest()).exports).filter((name) => name !== './package.json');
    const names = entries.map((entry) => `@curvekit/sdk${entry.slice(1)}`);
    const imports = names.map((name, index) => `import * as entry${index} from '${name}';`);
    const code = [...imports, `export const all = [${names.map((_, index) => `entry${index}`).join()}];`];
    const options = { module: 'CommonJS', moduleResolution: 'node10', skipLibCheck: true };
    expect(await problemsOf('check-node10', code.join('\n'), options, ['typescript'])).to.equal('');
  });

  it('type-checks quotes, market, rewards and partner when neither web3.js nor Kit is installed', async () => {
    const code = `import { quoteBuy, TradingMovedError, type BuyQuote } from '@curvekit/sdk/quotes';
import { MarketClient, type TokenDetail } from '@curvekit/sdk/market';
import { PartnerClient } from '@curvekit/sdk/partner';
import { RewardsClient, type ClaimConnection, type ClaimingWallet, type PaidClaim } from '@curvekit/sdk/rewards';
export const quote: BuyQuote = quoteBuy({ virtualSol: 1n, virtualToken: 1n, platformFeeBps: 100 }, 1n);
export const pool = (error: unknown): string | undefined => (error instanceof TradingMovedError ? error.poolAddress?.toBase58() : undefined);
export const token: Promise<TokenDetail> = new MarketClient({ baseUrl: 'http://127.0.0.1:3000' }).token('m');
export const claim = (wallet: ClaimingWallet, connection: ClaimConnection): Promise<PaidClaim> => new RewardsClient({ baseUrl: 'b' }).claim(wallet, { tokenAddress: 'm', claimType: 'SOL' }, { connection });
export const refer = (user: ClaimingWallet): Promise<void> => new PartnerClient({ baseUrl: 'b', apiKey: 'k' }).registerUser(user);
// @ts-expect-error amounts are bigints
quoteBuy({ virtualSol: 1n, virtualToken: 1n, platformFeeBps: 100 }, 1);
`;
    const options = { module: 'NodeNext', moduleResolution: 'NodeNext', types: [] };
    const check = () => problemsOf('check-plain', code, options, ['typescript', 'typescript-native']);
    expect(await withoutLibraries(check)).to.equal('');
    // A market of the main entry has a quote of this one.
    const mixed = `import { fetchMarket } from '@curvekit/sdk';
import { quoteBuy } from '@curvekit/sdk/quotes';
export async function quote(...read: Parameters<typeof fetchMarket>): Promise<bigint> {
  return quoteBuy((await fetchMarket(...read))!, 1n).tokenOut;
}`;
    const both = { module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'], skipLibCheck: true };
    expect(await problemsOf('check-mixed', mixed, both, ['typescript', 'typescript-native'])).to.equal('');
  });

  it('type-checks with Kit, on both majors, when web3.js is not installed', async () => {
    const code = `import { createSolanaRpc, type Address, type KeyPairSigner, type MessagePartialSigner, type TransactionSigner } from '@solana/kit';
import { buy, fetchMarket, quoteBuy, signerWallet, TradingMovedError, type BuyQuote, type Market, type SignableInstruction } from '@curvekit/sdk/kit';
import { InsufficientSolError, launch, trade, type TradeParams } from '@curvekit/sdk/kit/trade';
import { openFeed, type FeedEvent, type FeedNode, type RecordOf } from '@curvekit/sdk/kit/feed';
import { RewardsClient, type PaidClaim } from '@curvekit/sdk/rewards';
import { PartnerClient } from '@curvekit/sdk/partner';
import { findVanityMint } from '@curvekit/sdk/kit/launch';
export const claim = (wallet: KeyPairSigner, tokenAddress: Address): Promise<PaidClaim> => new RewardsClient({ baseUrl: 'b' }).claim(signerWallet(wallet), { tokenAddress, claimType: 'SOL' }, { rpc: createSolanaRpc('http://127.0.0.1:8899') });
export const refer = (user: KeyPairSigner): Promise<void> => new PartnerClient({ baseUrl: 'b', apiKey: 'k' }).registerUser(signerWallet(user));
export const found = async (): Promise<Address> => (await findVanityMint({ suffix: 'z' })).mint.address;
// @ts-expect-error a wallet that only signs messages cannot claim
export const reader = (wallet: MessagePartialSigner) => new RewardsClient({ baseUrl: 'b' }).claim(signerWallet(wallet), { tokenAddress: '', claimType: 'SOL' }, { rpc: createSolanaRpc('http://127.0.0.1:8899') });
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
    const options = { module: 'NodeNext', moduleResolution: 'NodeNext', types: [] };
    // Ignore errors in Kit's own declarations.
    const ourErrors = async (compiler: Compiler): Promise<string[]> =>
      (await problemsOf('check-kit', code, options, [compiler]))
        .split('\n')
        .filter((line) => /check-kit|@curvekit/.test(line));
    expect(await ourErrors('typescript')).to.deep.equal([]);
    expect(await ourErrors('typescript-native')).to.deep.equal([]);
    expect(await withKitAlone(() => ourErrors('typescript-native'))).to.deep.equal([]);
  });
});

/** Type-checks one file of the project. @returns what the compilers print, nothing when all is well */
async function problemsOf(
  name: string,
  code: string,
  options: object,
  compilers: readonly Compiler[],
): Promise<string> {
  const { project } = packed();
  await writeFile(join(project, `${name}.ts`), code);
  await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    ...options,
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const printed: string[] = [];
  for (const compiler of compilers) printed.push(await typeErrors(compiler));
  return printed.join('');
}
