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

/** A function and its arguments: the misspelt option goes into the last one. */
type Call = () => readonly [work: (...given: never[]) => unknown, ...given: unknown[]];

const SERVICE = { baseUrl: 'http://127.0.0.1:9' };
const PARTNER = { ...SERVICE, apiKey: `curvekit_${'0'.repeat(16)}_${'0'.repeat(72)}` };
const PICTURE = { url: 'https://a.b/c', type: 'image/png' };
const UPLOAD = { image: new Blob([]), name: 'a', symbol: 'b' };
const SIGNATURE = '1'.repeat(64);
const wallet = Keypair.generate();
const { publicKey: mint } = Keypair.generate();
const HASH = mint.toBase58();
const parts = { payer: wallet.publicKey, instructions: [] };
const TOKEN = { name: 'Kitten', symbol: 'KIT', uri: 'https://example.org/kitten.json' };
const transaction = new VersionedTransaction(
  new TransactionMessage({
    payerKey: wallet.publicKey,
    recentBlockhash: HASH,
    instructions: [],
  }).compileToV0Message(),
);
transaction.sign([wallet]);
const prepared = { transaction, lastValidBlockHeight: 1 };
const market = new MarketClient(SERVICE);
const rewards = new RewardsClient(SERVICE);
const partner = new PartnerClient(PARTNER);
const signing = sdk.keypairWallet(wallet);
const buying = { mint, wallet, solToSpend: 1n };
const request = { tokenAddress: mint, claimType: 'TOKEN' } as const;

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
  const kitBuying = { mint: address, wallet: signer, solToSpend: 1n };

  const make = (Class: new (options: never) => unknown) => (options: never) => new Class(options);
  const graduating = (graduation: never) => sdk.createDeployment({ graduation });
  const remembering = (remember: never) => trade(nowhere, { ...buying, remember });
  const pages = (...given: Parameters<typeof rewards.rewardPages>) => rewards.rewardPages(...given).next();
  const compiling = (given: never) => sdk.compileTransaction(given, HASH);
  const describing = (fields: never) => metadataJson(fields, PICTURE);
  const getSlot = () => nowhere.getSlot();
  const uploading = (upload: never) => uploadPicture(signing, upload, SERVICE);
  const memory = { key: 'a' };
  const claiming = { connection: nowhere };
  /** A misspelt name, the name that it resembles, and a call. */
  const cases: Record<string, readonly [misspelt: string, meant: string, call: Call]> = {
    trade: ['slipageBps', 'slippageBps', () => [trade, nowhere, buying]],
    'trade, of its amount': ['tokensToSpend', 'tokenToSpend', () => [trade, nowhere, { mint, wallet }]],
    'trade, its memory': ['stor', 'store', () => [remembering, memory]],
    launch: ['firstBuyy', 'firstBuy', () => [launch, nowhere, { wallet, ...TOKEN }]],
    previewTransaction: ['mint', 'mints', () => [previewTransaction, nowhere, transaction, { wallet: mint }]],
    fetchMarket: ['deploymnet', 'deployment', () => [sdk.fetchMarket, nowhere, mint, {}]],
    fetchTokenOwnerData: ['Commitment', 'commitment', () => [sdk.fetchTokenOwnerData, nowhere, mint, {}]],
    fetchManyTokenOwnerData: ['signals', 'signal', () => [sdk.fetchManyTokenOwnerData, nowhere, [mint], {}]],
    fetchProperties: ['timeout', 'timeoutMs', () => [sdk.fetchProperties, nowhere, {}]],
    fetchCurveState: ['retrys', 'retries', () => [sdk.fetchCurveState, nowhere, mint, {}]],
    fetchTransaction: [
      'timeoutMS',
      'timeoutMs',
      () => [sdk.fetchTransaction, nowhere, SIGNATURE, 'confirmed', {}],
    ],
    readNode: ['timeoutMS', 'timeoutMs', () => [sdk.readNode, nowhere, 'getSlot', getSlot, {}]],
    simulateComputeUnits: ['signals', 'signal', () => [sdk.simulateComputeUnits, nowhere, parts, {}]],
    compileTransaction: ['computeUnitsLimit', 'computeUnitLimit', () => [compiling, parts]],
    suggestComputeUnitPrice: ['highst', 'highest', () => [sdk.suggestComputeUnitPrice, nowhere, [], 50, {}]],
    prepareTransaction: ['marginPercnt', 'marginPercent', () => [sdk.prepareTransaction, nowhere, parts, {}]],
    sendAndConfirm: ['skipPreFlight', 'skipPreflight', () => [sdk.sendAndConfirm, nowhere, prepared, {}]],
    subscribeRecords: ['pollIntervallMs', 'pollIntervalMs', () => [sdk.subscribeRecords, nowhere, {}]],
    createDeployment: ['feeReciever', 'feeReceiver', () => [sdk.createDeployment, {}]],
    'createDeployment, its graduation': ['tresury', 'treasury', () => [graduating, {}]],
    openFeed: ['kind', 'kinds', () => [openFeed, nowhere, {}]],
    fetchHistory: ['mint', 'mints', () => [fetchHistory, nowhere, {}]],
    nodeSource: ['concurency', 'concurrency', () => [nodeSource, nowhere, {}]],
    TransactionQueue: ['resumed', 'resume', () => [make(TransactionQueue), {}]],
    metadataJson: ['web_site', 'website', () => [describing, { name: 'a', symbol: 'b' }]],
    findVanityMint: ['sufix', 'suffix', () => [findVanityMint, { prefix: '1' }]],
    connectLaunchpad: ['rpcURL', 'rpcUrl', () => [connectLaunchpad, SERVICE.baseUrl, {}]],
    MarketClient: ['baseURL', 'baseUrl', () => [make(MarketClient), SERVICE]],
    'MarketClient.tokens': ['sorted', 'sort', () => [market.tokens.bind(market), {}]],
    'MarketClient.candles': ['intervall', 'interval', () => [market.candles.bind(market), 'a', {}]],
    openMarketStream: ['onEvents', 'onEvent', () => [openMarketStream, { ...SERVICE, topics: ['board'] }]],
    uploadPicture: ['telegramm', 'telegram', () => [uploading, UPLOAD]],
    RewardsClient: ['timeoutMS', 'timeoutMs', () => [make(RewardsClient), SERVICE]],
    'RewardsClient.rewardPages': ['limits', 'limit', () => [pages, signing, {}]],
    'RewardsClient.initiate': [
      'burnTokens',
      'burnToken',
      () => [rewards.initiate.bind(rewards), signing, request],
    ],
    'RewardsClient.claim': [
      'pollMS',
      'pollMs',
      () => [rewards.claim.bind(rewards), signing, request, claiming],
    ],
    PartnerClient: ['longestWait', 'longestWaitMs', () => [make(PartnerClient), PARTNER]],
    'PartnerClient.users': ['curser', 'cursor', () => [partner.users.bind(partner), {}]],
    'kit: trade': ['sendRPCs', 'sendRpcs', () => [kit.trade, rpc, kitBuying]],
    'kit: launch': [
      'minTokensToReceive',
      'minTokenToReceive',
      () => [kit.launch, rpc, { wallet: signer, ...TOKEN }],
    ],
    'kit: previewTransaction': [
      'mint',
      'mints',
      () => [kit.previewTransaction, rpc, {}, { wallet: address }],
    ],
    'kit: fetchMarket': ['deploymnet', 'deployment', () => [kit.fetchMarket, rpc, address, {}]],
    'kit: sendAndConfirm': ['signals', 'signal', () => [kit.sendAndConfirm, rpc, {}, {}]],
    'kit: createDeployment': ['feeReciever', 'feeReceiver', () => [kit.createDeployment, {}]],
    'kit: openFeed': ['kind', 'kinds', () => [feed.openFeed, node, {}]],
    'kit: fetchHistory': ['mint', 'mints', () => [feed.fetchHistory, node, {}]],
    'kit: nodeSource': ['concurency', 'concurrency', () => [feed.nodeSource, node, {}]],
    'kit: subscribeRecords': ['onErrors', 'onError', () => [feed.subscribeRecords, node, {}]],
  };

  for (const [name, [misspelt, meant, call]] of Object.entries(cases)) {
    it(`an unknown option of ${name} is refused, and ${meant} suggested`, async () => {
      const [work, ...given] = call();
      const options = { ...(given.pop() as object), [misspelt]: 5000 };
      const error = await failureOf(() => work(...(given as never[]), options as never));
      expect(error).to.include({ name: 'InvalidArgumentError', argument: misspelt });
      expect(error.message).to.equal(`${misspelt} is not known; did you mean ${meant}?`);
    });
  }

  it('an unknown option that resembles no name is refused with all names, and one without a value is ignored', async () => {
    const error = await failureOf(() => sdk.fetchMarket(nowhere, mint, { fast: true } as never));
    expect(error.message).to.equal(
      'fast is not known; known are commitment, deployment, retries, signal, timeoutMs',
    );
    const ignored = { fast: undefined, retries: 0 } as never;
    expect((await failureOf(() => sdk.fetchMarket(nowhere, mint, ignored))).name).to.equal('RpcError');
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
