// Every exported function of every entry, called with values of the wrong type: what it throws is an error of the SDK.
import { inspect } from 'node:util';
import { Keypair } from '@solana/web3.js';
import BN from 'bn.js';
import { expect } from 'chai';
import * as sdk from '@curvekit/sdk';
import * as feed from '@curvekit/sdk/feed';
import * as launch from '@curvekit/sdk/launch';
import * as launchpad from '@curvekit/sdk/launchpad';
import * as market from '@curvekit/sdk/market';
import * as partner from '@curvekit/sdk/partner';
import * as quotes from '@curvekit/sdk/quotes';
import * as rewards from '@curvekit/sdk/rewards';
import * as trade from '@curvekit/sdk/trade';
import { kitFeed, kitLaunchpad, kitTrading } from '../../../tests/support/kit/kit-entry.js';
import { nowhere } from '../../../tests/support/program/trader.js';

type AnyFunction = (...given: unknown[]) => unknown;

const WRONG = [undefined, null, 'text', 5, {}] as const;
const ENTRIES: Record<string, () => Promise<object>> = {
  main: () => Promise.resolve(sdk),
  feed: () => Promise.resolve(feed),
  launch: () => Promise.resolve(launch),
  launchpad: () => Promise.resolve(launchpad),
  market: () => Promise.resolve(market),
  partner: () => Promise.resolve(partner),
  quotes: () => Promise.resolve(quotes),
  rewards: () => Promise.resolve(rewards),
  trade: () => Promise.resolve(trade),
  'kit and kit/trade': () => kitTrading('@solana/kit'),
  'kit/feed': () => kitFeed('@solana/kit'),
  'kit/launchpad': () => kitLaunchpad('@solana/kit'),
};

for (const [entry, load] of Object.entries(ENTRIES)) {
  it(`functions of ${entry} refuse wrong arguments with errors of the SDK`, async () => {
    const raw: string[] = [];
    for (const [name, value] of Object.entries(await load())) {
      if (typeof value !== 'function' || /^[A-Z]/.test(name)) continue;
      for (const one of WRONG) {
        const error = await failureOf(value as AnyFunction, [one, one, one]);
        if (error !== undefined && !isOfSdk(error)) raw.push(`${name}(${inspect(one)}): ${inspect(error)}`);
      }
    }
    expect(raw).to.deep.equal([]);
  });
}

const SERVICE = { baseUrl: 'http://127.0.0.1:9', retries: 0 };
const API_KEY = `curvekit_${'0'.repeat(16)}_${'0'.repeat(72)}`;

it('classes of the entries refuse wrong arguments with errors of the SDK', async () => {
  const { RewardsClient } = rewards;
  for (const Class of [RewardsClient, partner.PartnerClient, market.MarketClient, feed.TransactionQueue])
    for (const one of WRONG) {
      const error = await failureOf(() => new Class(one as never), []);
      const is = `${Class.name}(${inspect(one)}): ${inspect(error)}`;
      expect(error === undefined || isOfSdk(error), is).to.equal(true);
    }
  const client = new RewardsClient(SERVICE);
  const request = { tokenAddress: Keypair.generate().publicKey, claimType: 'SOL' } as const;
  for (const wallet of [...WRONG, { address: 'abc' }, Keypair.generate()] as never[]) {
    const calls = [
      () => client.rewards(wallet),
      () => client.rewardsOf(wallet, request.tokenAddress),
      () => client.initiate(wallet, request),
      () => client.claim(wallet, request, { connection: nowhere }),
      () => new partner.PartnerClient({ ...SERVICE, apiKey: API_KEY }).registerUser(wallet),
      () => market.uploadPicture(wallet, { image: new Blob([]), name: 'a', symbol: 'b' }, SERVICE),
    ];
    for (const call of calls) {
      const error = await failureOf(call, []);
      expect(error).to.have.property('name', 'InvalidArgumentError');
      expect((error as Error).message).to.include('keypairWallet(keypair)');
    }
  }
});

it('swapped arguments, a BN, a deployment as options and a slippage without a limit are named', async () => {
  const { publicKey: mint } = Keypair.generate();
  const says = async (call: () => unknown, words: string) => {
    const error = await Promise.resolve()
      .then(call)
      .catch((failure: unknown) => failure);
    expect(error).to.be.instanceOf(sdk.InvalidArgumentError);
    expect((error as Error).message).to.equal(words);
  };
  const buying = { wallet: Keypair.generate(), mint, solToSpend: 1n };
  await says(
    () => trade.trade(buying as never, nowhere as never),
    'params is a Connection; the connection is the first argument',
  );
  await says(
    () => sdk.fetchMarket(nowhere, mint, mint as never),
    'options is a public key; are the arguments swapped?',
  );
  await says(
    () => trade.trade(nowhere, { ...buying, solToSpend: new BN(1) as never }),
    'solToSpend is a BN; pass BigInt(bn.toString())',
  );
  await says(
    () => trade.trade(nowhere, { ...buying, slippageBps: 10_000 }),
    'slippageBps is 10000, which accepts any price; it must be from 0 to 9999',
  );
  const message = { accountKeys: [], instructions: [] };
  const none = { slot: 1, transaction: { signatures: [], message }, meta: null };
  await says(
    () => sdk.decodeRecords(none, sdk.DEFAULT_DEPLOYMENT as never),
    'options is a deployment; pass it as { deployment }',
  );
});

it('a launch takes only a URI that wallets can read', async () => {
  const launching = (uri: unknown) =>
    failureOf(
      () =>
        trade.launch(nowhere, {
          ...{ name: 'Kitten', symbol: 'KIT', uri: uri as string, wallet: Keypair.generate() },
          readTimeoutMs: 50,
        }),
      [],
    );
  const bad = [undefined, '', 'not a uri', 'example.org/a', 'https://', 'https:// a', 'ftp://a/b'];
  for (const uri of [...bad, 'javascript:alert(1)', `https://a/${'b'.repeat(200)}`, 'https://a/\n'])
    expect(await launching(uri), String(uri)).to.have.property('argument', 'uri');
  const cid = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
  const good = ['https://a.b/c.json', 'http://127.0.0.1/a', `ipfs://${cid}`, 'ar://abc'];
  for (const uri of [...good, 'data:application/json,{}'])
    expect(await launching(uri), uri).to.be.instanceOf(sdk.RpcError);
});

function isOfSdk(error: unknown): boolean {
  return error instanceof sdk.CurvekitError;
}

async function failureOf(call: AnyFunction, given: unknown[]): Promise<unknown> {
  try {
    await call(...given);
    return undefined;
  } catch (error) {
    return error;
  }
}
