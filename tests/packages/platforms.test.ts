// The published package on platforms that lack what Node and browsers have.
import { expect } from 'chai';
import { keypairWallet } from '@curvekit/sdk';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { ed25519Signature } from '#tests/package/ed25519.js';
import { packed, readManifest, usePackages } from '#tests/package/consumer.js';
import { reward, startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';
import { createContext, runInContext, type Context } from 'node:vm';
import { build } from 'esbuild';

// A realm with React Native's globals: what Hermes and React Native 0.76 define, and nothing of Node's or a browser's.

/**
 * React Native's AbortController is the package `abort-controller`: its signals keep no reason, and its classes have no
 * `any`, `timeout`, `abort` and `throwIfAborted`. Its URL has no `canParse`.
 */
const CLASSES = `
globalThis.AbortSignal = class AbortSignal {
  aborted = false;
  #listeners = new Map();
  addEventListener(type, listener, options) { if (type === 'abort') this.#listeners.set(listener, options); }
  removeEventListener(type, listener) { this.#listeners.delete(listener); }
  dispatch() {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of [...this.#listeners.keys()]) listener({ type: 'abort' });
  }
};
globalThis.AbortController = class AbortController {
  signal = new AbortSignal();
  abort() { this.signal.dispatch(); }
};
globalThis.URL = class extends URL { static canParse = undefined; };
globalThis.global = globalThis;
`;

/** React Native's fetch takes the signals of its own AbortController. */
async function fetchOfReactNative(url: string, { signal, ...init }: RequestInit = {}): Promise<Response> {
  const controller = new AbortController();
  signal?.addEventListener('abort', () => controller.abort());
  if (signal?.aborted === true) controller.abort();
  return fetch(url, { ...init, signal: controller.signal });
}

function reactNative(): Context {
  const context = createContext({
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, queueMicrotask, performance },
    ...{ console, URL, URLSearchParams, Headers, FormData, Blob, TextEncoder, atob, btoa },
    // Of the package react-native-get-random-values, which web3.js needs.
    crypto: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) },
    fetch: fetchOfReactNative,
  });
  runInContext(CLASSES, context);
  return context;
}

/**
 * Bundles a module of the project as Metro does, and runs it.
 *
 * @param code sets `globalThis.result`
 * @param given further globals @returns the result
 */
async function runInReactNative(code: string, given: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: packed().project },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'neutral',
    target: 'es2022',
    // `browser`, because the packages of web3.js have no condition of their own for React Native.
    conditions: ['react-native', 'browser'],
    mainFields: ['react-native', 'browser', 'module', 'main'],
    logLevel: 'silent',
  });
  const context = reactNative();
  Object.assign(context, given);
  runInContext(outputFiles[0]!.text, context);
  return runInContext('result', context) as Promise<unknown>;
}

describe('the published package in React Native', function () {
  this.timeout(300_000);
  const cluster = useCluster();
  let scene: RewardsScene;

  usePackages();
  before('start the service', async () => (scene = await startRewardsScene(cluster())));
  after(() => scene?.stop());

  /** Globals of the app: the wallet is another app, or a key. */
  async function given() {
    const keypair = await cluster().fundedWallet(SOL);
    await reward(scene.database, keypair.publicKey, scene.mint, 'SOL', SOL);
    const wallet = keypairWallet(keypair);
    const { rpcUrl, deployment } = cluster();
    return {
      address: wallet.address,
      secretKey: Array.from(keypair.secretKey),
      // The bytes are those of another realm.
      signMessage: (bytes: Uint8Array) => wallet.signMessage(Uint8Array.from(bytes)),
      mintText: scene.mint,
      baseUrl: scene.service.url,
      rpcUrl,
      deploymentText: JSON.stringify({
        programId: deployment.programId.toBase58(),
        feeReceiver: deployment.feeReceiver.toBase58(),
      }),
    };
  }

  it('launches, trades, claims and refers with a Keypair, without crypto.subtle', async () => {
    const code = `import { Connection, Keypair, PublicKey } from '@solana/web3.js';
import { createDeployment, keypairWallet } from '@curvekit/sdk';
import { PartnerClient } from '@curvekit/sdk/partner';
import { RewardsClient } from '@curvekit/sdk/rewards';
import { launch, trade } from '@curvekit/sdk/trade';
const wallet = Keypair.fromSecretKey(Uint8Array.from(secretKey));
async function use() {
  const deployment = createDeployment(JSON.parse(deploymentText));
  const rewards = new RewardsClient({ baseUrl });
  const [{ unclaimedRewards }] = await rewards.rewards(keypairWallet(wallet));
  const { amount } = await rewards.initiate(keypairWallet(wallet), { tokenAddress: mintText, claimType: 'SOL' });
  const partner = new PartnerClient({ baseUrl, apiKey: 'curvekit_' + '0'.repeat(16) + '_' + '0'.repeat(72) });
  const referred = await partner.registerUser(keypairWallet(wallet)).catch(({ name, code }) => name + ' ' + code);
  const connection = new Connection(rpcUrl, 'confirmed');
  const bought = await trade(connection, { wallet, mint: new PublicKey(mintText), solToSpend: 1_000_000n, deployment });
  const token = { name: 'Native', symbol: 'NTV', uri: 'https://example.org/native.json' };
  const launched = await launch(connection, { wallet, ...token, deployment });
  return JSON.stringify({
    launched: typeof launched.signature,
    subtle: typeof crypto.subtle,
    signature: Array.from(await keypairWallet(wallet).signMessage(Uint8Array.of(1, 2, 3))),
    unclaimed: String(unclaimedRewards.sol),
    amount: String(amount),
    referred,
    spent: String(bought.solAmount),
  });
}
globalThis.result = use();`;
    const globals = await given();
    const result = JSON.parse((await runInReactNative(code, globals)) as string) as unknown;
    expect(result).to.deep.equal({
      launched: 'string',
      subtle: 'undefined',
      signature: ed25519Signature(Uint8Array.from(globals.secretKey), Uint8Array.of(1, 2, 3)),
      unclaimed: String(SOL),
      amount: String(SOL - 10_000n),
      // Any key of another launchpad. The service has checked it after the client signed.
      referred: 'ApiError INVALID_API_KEY',
      spent: '1000000',
    });
  });

  it('throws an AbortError when a signal without a reason is aborted', async () => {
    const code = `import { Connection, PublicKey } from '@solana/web3.js';
import { fetchMarket } from '@curvekit/sdk';
import { MarketClient } from '@curvekit/sdk/market';
const name = (work) => work.then(() => 'answered', (error) => error.name);
const aborted = new AbortController();
aborted.abort();
const later = new AbortController();
setTimeout(() => later.abort(), 20);
const never = () => new Promise(() => {});
const connection = new Connection(rpcUrl, { commitment: 'confirmed', fetch: never });
const mint = new PublicKey(mintText);
globalThis.result = Promise.all([
  name(new MarketClient({ baseUrl }).token(mintText, { signal: aborted.signal })),
  name(fetchMarket(connection, mint, { signal: aborted.signal })),
  name(fetchMarket(connection, mint, { signal: later.signal })),
]).then(JSON.stringify);`;
    const names = JSON.parse((await runInReactNative(code, await given())) as string) as unknown;
    expect(names).to.deep.equal(['AbortError', 'AbortError', 'AbortError']);
  });

  it('loads every entry, and quotes with Kit', async () => {
    const entries = Object.keys((await readManifest()).exports).filter((name) => name !== './package.json');
    const imports = entries.map((name, i) => `import * as entry${i} from '@curvekit/sdk${name.slice(1)}';`);
    const code = `${imports.join('\n')}
import { quoteBuy } from '@curvekit/sdk/kit';
const entries = [${entries.map((_, i) => `entry${i}`).join()}];
const curve = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n, platformFeeBps: 100 };
globalThis.result = JSON.stringify({
  loaded: entries.filter((entry) => Object.keys(entry).length > 0).length,
  tokenOut: String(quoteBuy(curve, 1_000_000_000n).tokenOut),
});`;
    const result = JSON.parse((await runInReactNative(code, {})) as string) as unknown;
    expect(result).to.deep.equal({ loaded: entries.length, tokenOut: '34277831558567' });
  });
});
