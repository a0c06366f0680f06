// Misspelt options are refused by name before any request, in every entry.
import { createNoopSigner, createSolanaRpc, createSolanaRpcSubscriptions, type Address } from '@solana/kit';
import { Keypair, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import * as sdk from '@curvekit/sdk';
import { fetchHistory, nodeSource, openFeed, TransactionQueue } from '@curvekit/sdk/feed';
import { findVanityMint, metadataJson } from '@curvekit/sdk/launch';
import { connectLaunchpad } from '@curvekit/sdk/launchpad';
import { MarketClient, openMarketStream, uploadPicture } from '@curvekit/sdk/market';
import { PartnerClient } from '@curvekit/sdk/partner';
import { RewardsClient } from '@curvekit/sdk/rewards';
import { launch, previewTransaction, trade } from '@curvekit/sdk/trade';
import { kitFeed, kitTrading, type KitFeed, type KitTrading } from '../../../tests/support/kit/kit-entry.js';
import { nowhere } from '../../../tests/support/program/trader.js';

/** Any options: the tests misspell them. */
type Loose = never;
type Call = (options: Loose) => unknown;

const SERVICE = { baseUrl: 'http://127.0.0.1:9' };
const wallet = Keypair.generate();
const { publicKey: mint } = Keypair.generate();
const parts = { payer: wallet.publicKey, instructions: [] };
const TOKEN = { name: 'Kitten', symbol: 'KIT', uri: 'https://example.org/kitten.json' };
const transaction = new VersionedTransaction(
  new TransactionMessage({
    payerKey: wallet.publicKey,
    recentBlockhash: mint.toBase58(),
    instructions: [],
  }).compileToV0Message(),
);
transaction.sign([wallet]);
const prepared = { transaction, lastValidBlockHeight: 1 };
const market = new MarketClient(SERVICE);
const rewards = new RewardsClient(SERVICE);
const partner = new PartnerClient({
  ...SERVICE,
  apiKey: `curvekit_${'0'.repeat(16)}_${'0'.repeat(72)}`,
});
const signing = sdk.keypairWallet(wallet);

describe('an unknown option', () => {
  let kit: KitTrading;
  let feed: KitFeed;
  before(async () => {
    kit = await kitTrading('@solana/kit');
    feed = await kitFeed('@solana/kit');
  });

  const rpc = createSolanaRpc('http://127.0.0.1:9');
  const node = { rpc, rpcSubscriptions: createSolanaRpcSubscriptions('ws://127.0.0.1:9') };
  const address = mint.toBase58() as Address;
  const signer = createNoopSigner(address);
  const amount = { solToSpend: 1n };

  /** A misspelt name, the name that it resembles, and a call. */
  const cases: Record<string, readonly [string, string, Call]> = {
    trade: [
      'slipageBps',
      'slippageBps',
      (o) => trade(nowhere, { mint, wallet, ...amount, ...(o as object) }),
    ],
    'trade, of its amount': [
      'tokensToSpend',
      'tokenToSpend',
      (o) => trade(nowhere, { mint, wallet, ...(o as object) } as never),
    ],
    'trade, its memory': [
      'stor',
      'store',
      (o) => trade(nowhere, { mint, wallet, ...amount, remember: { key: 'a', ...(o as object) } as never }),
    ],
    launch: ['firstBuyy', 'firstBuy', (o) => launch(nowhere, { wallet, ...TOKEN, ...(o as object) })],
    previewTransaction: [
      'mint',
      'mints',
      (o) => previewTransaction(nowhere, transaction, { wallet: mint, ...(o as object) }),
    ],
    fetchMarket: ['deploymnet', 'deployment', (o) => sdk.fetchMarket(nowhere, mint, o)],
    fetchTokenOwnerData: ['Commitment', 'commitment', (o) => sdk.fetchTokenOwnerData(nowhere, mint, o)],
    fetchManyTokenOwnerData: ['signals', 'signal', (o) => sdk.fetchManyTokenOwnerData(nowhere, [mint], o)],
    fetchProperties: ['timeout', 'timeoutMs', (o) => sdk.fetchProperties(nowhere, o)],
    fetchCurveState: ['retrys', 'retries', (o) => sdk.fetchCurveState(nowhere, mint, o)],
    fetchTransaction: [
      'timeoutMS',
      'timeoutMs',
      (o) => sdk.fetchTransaction(nowhere, '1'.repeat(64), 'confirmed', o),
    ],
    readNode: ['timeoutMS', 'timeoutMs', (o) => sdk.readNode(nowhere, 'getSlot', () => nowhere.getSlot(), o)],
    simulateComputeUnits: ['signals', 'signal', (o) => sdk.simulateComputeUnits(nowhere, parts, o)],
    compileTransaction: [
      'computeUnitsLimit',
      'computeUnitLimit',
      (o) => sdk.compileTransaction({ ...parts, ...(o as object) }, mint.toBase58()),
    ],
    suggestComputeUnitPrice: ['highst', 'highest', (o) => sdk.suggestComputeUnitPrice(nowhere, [], 50, o)],
    prepareTransaction: ['marginPercnt', 'marginPercent', (o) => sdk.prepareTransaction(nowhere, parts, o)],
    sendAndConfirm: ['skipPreFlight', 'skipPreflight', (o) => sdk.sendAndConfirm(nowhere, prepared, o)],
    subscribeRecords: ['pollIntervallMs', 'pollIntervalMs', (o) => sdk.subscribeRecords(nowhere, o)],
    createDeployment: ['feeReciever', 'feeReceiver', (o) => sdk.createDeployment(o)],
    'createDeployment, its graduation': [
      'tresury',
      'treasury',
      (o) => sdk.createDeployment({ graduation: o }),
    ],
    openFeed: ['kind', 'kinds', (o) => openFeed(nowhere, o)],
    fetchHistory: ['mint', 'mints', (o) => fetchHistory(nowhere, o)],
    nodeSource: ['concurency', 'concurrency', (o) => nodeSource(nowhere, o)],
    TransactionQueue: ['resumed', 'resume', (o) => new TransactionQueue(o)],
    metadataJson: [
      'web_site',
      'website',
      (o) =>
        metadataJson(
          { name: 'a', symbol: 'b', ...(o as object) },
          { url: 'https://a.b/c', type: 'image/png' },
        ),
    ],
    findVanityMint: ['sufix', 'suffix', (o) => findVanityMint({ prefix: '1', ...(o as object) })],
    connectLaunchpad: ['rpcURL', 'rpcUrl', (o) => connectLaunchpad(SERVICE.baseUrl, o)],
    MarketClient: ['baseURL', 'baseUrl', (o) => new MarketClient({ ...SERVICE, ...(o as object) })],
    'MarketClient.tokens': ['sorted', 'sort', (o) => market.tokens(o)],
    'MarketClient.candles': ['intervall', 'interval', (o) => market.candles('a', o)],
    openMarketStream: [
      'onEvents',
      'onEvent',
      (o) => openMarketStream({ ...SERVICE, topics: ['board'], ...(o as object) } as never),
    ],
    uploadPicture: [
      'telegramm',
      'telegram',
      (o) =>
        uploadPicture(signing, { image: new Blob([]), name: 'a', symbol: 'b', ...(o as object) }, SERVICE),
    ],
    RewardsClient: ['timeoutMS', 'timeoutMs', (o) => new RewardsClient({ ...SERVICE, ...(o as object) })],
    'RewardsClient.rewardPages': ['limits', 'limit', (o) => rewards.rewardPages(signing, o).next()],
    'RewardsClient.initiate': [
      'burnTokens',
      'burnToken',
      (o) => rewards.initiate(signing, { tokenAddress: mint, claimType: 'TOKEN', ...(o as object) }),
    ],
    'RewardsClient.claim': [
      'pollMS',
      'pollMs',
      (o) =>
        rewards.claim(
          signing,
          { tokenAddress: mint, claimType: 'SOL' },
          { connection: nowhere, ...(o as object) },
        ),
    ],
    PartnerClient: [
      'longestWait',
      'longestWaitMs',
      (o) =>
        new PartnerClient({
          ...SERVICE,
          apiKey: `curvekit_${'0'.repeat(16)}_${'0'.repeat(72)}`,
          ...(o as object),
        }),
    ],
    'PartnerClient.users': ['curser', 'cursor', (o) => partner.users(o)],
    'kit: trade': [
      'sendRPCs',
      'sendRpcs',
      (o) => kit.trade(rpc, { mint: address, wallet: signer, ...amount, ...(o as object) }),
    ],
    'kit: launch': [
      'minTokensToReceive',
      'minTokenToReceive',
      (o) => kit.launch(rpc, { wallet: signer, ...TOKEN, ...(o as object) }),
    ],
    'kit: previewTransaction': [
      'mint',
      'mints',
      (o) => kit.previewTransaction(rpc, {} as never, { wallet: address, ...(o as object) }),
    ],
    'kit: fetchMarket': ['deploymnet', 'deployment', (o) => kit.fetchMarket(rpc, address, o)],
    'kit: sendAndConfirm': ['signals', 'signal', (o) => kit.sendAndConfirm(rpc, {} as never, o)],
    'kit: createDeployment': ['feeReciever', 'feeReceiver', (o) => kit.createDeployment(o)],
    'kit: openFeed': ['kind', 'kinds', (o) => feed.openFeed(node, o)],
    'kit: fetchHistory': ['mint', 'mints', (o) => feed.fetchHistory(node, o)],
    'kit: nodeSource': ['concurency', 'concurrency', (o) => feed.nodeSource(node, o)],
    'kit: subscribeRecords': ['onErrors', 'onError', (o) => feed.subscribeRecords(node, o)],
  };

  for (const [name, [misspelt, meant, call]] of Object.entries(cases)) {
    it(`an unknown option of ${name} is refused, and ${meant} suggested`, async () => {
      const error = await failureOf(() => call({ [misspelt]: 5000 } as Loose));
      expect(error.name).to.equal('InvalidArgumentError');
      expect(error).to.have.property('argument', misspelt);
      expect(error.message).to.equal(`${misspelt} is not known; did you mean ${meant}?`);
    });
  }

  it('an unknown option that resembles no name is refused with all names, and one without a value is ignored', async () => {
    const error = await failureOf(() => sdk.fetchMarket(nowhere, mint, { fast: true } as Loose));
    expect(error.message).to.equal(
      'fast is not known; known are commitment, deployment, retries, signal, timeoutMs',
    );
    const ignored = { fast: undefined, retries: 0 } as Loose;
    expect((await failureOf(() => sdk.fetchMarket(nowhere, mint, ignored))).name).to.equal('RpcError');
  });

  it('is a deployment that is passed instead of the options', async () => {
    const calls = [
      () => sdk.fetchMarket(nowhere, mint, sdk.DEFAULT_DEPLOYMENT as Loose),
      () => kit.fetchMarket(rpc, address, kit.DEFAULT_DEPLOYMENT as Loose),
    ];
    for (const call of calls)
      expect((await failureOf(call)).message).to.equal('options is a deployment; pass it as { deployment }');
  });
});

async function failureOf(call: () => unknown): Promise<Error> {
  try {
    await call();
  } catch (error) {
    return error as Error;
  }
  throw new Error('the call was not refused');
}
