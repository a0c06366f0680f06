// Wallet apps of Android, in the browser that people have there.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { fundedWallet, launchToken } from '#tests/browser/chain.js';
import { ask, connect, trade } from '#tests/browser/people.js';
import { changeConfig, stage, useVisits } from '#tests/browser/stage.js';
import { webcrypto } from 'node:crypto';
import { VersionedTransaction, type Keypair } from '@solana/web3.js';
import { WebSocketServer, type WebSocket } from 'ws';
import { signatureBy } from '#app/keys/ed25519.js';

// A simulator of a wallet app on Android: the wallet's side of Mobile Wallet Adapter 2. The page opens it by a link with a key
// and a port, and then talks to it through an encrypted WebSocket on that port.

const { subtle } = webcrypto;
const CURVE = { name: 'ECDH', namedCurve: 'P-256' };
const KEY_BYTES = 65;
const SEQUENCE_BYTES = 4;
const IV_BYTES = 12;

type Params = Readonly<Record<string, unknown>>;
interface Request {
  readonly id: number;
  readonly method: string;
  readonly params: Params;
}

interface WalletApp {
  /** Calls of the page, in order. */
  readonly calls: string[];
  stop(): void;
}

/** Answers the links of a page that open a wallet app, as the app of this account. Call it before opening the page. */
async function addWalletApp(page: Page, keypair: Keypair): Promise<WalletApp> {
  const calls: string[] = [];
  const servers: WebSocketServer[] = [];
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.enable');
  devtools.on('Page.frameRequestedNavigation', ({ url }) => {
    if (!url.startsWith('solana-wallet:')) return;
    const { searchParams } = new URL(url);
    const association = fromUrl(searchParams.get('association') ?? '');
    const server = new WebSocketServer({ port: Number(searchParams.get('port')), host: 'localhost' });
    servers.push(server);
    server.on('connection', (socket) => serve(socket, association, keypair, calls));
    // The app covers the browser.
    void page.evaluate(() => window.dispatchEvent(new Event('blur')));
  });
  return { calls, stop: () => servers.forEach((server) => server.close()) };
}

/** One session: the page's hello, this app's hello, then calls. */
function serve(socket: WebSocket, association: Buffer, keypair: Keypair, calls: string[]): void {
  let key: webcrypto.CryptoKey | undefined;
  let sequence = 0;
  const encrypted = async (value: unknown): Promise<Buffer> => {
    const number = Buffer.alloc(SEQUENCE_BYTES);
    number.writeUInt32BE((sequence += 1));
    const iv = webcrypto.getRandomValues(new Uint8Array(IV_BYTES));
    const algorithm = { name: 'AES-GCM', iv, additionalData: number };
    return Buffer.concat([
      number,
      iv,
      Buffer.from(await subtle.encrypt(algorithm, key!, Buffer.from(JSON.stringify(value)))),
    ]);
  };
  const answer = async (message: Buffer): Promise<Buffer> => {
    if (key === undefined) {
      const own = await subtle.generateKey(CURVE, false, ['deriveBits']);
      key = await sessionKey(message, association, own.privateKey);
      const hello = Buffer.from(await subtle.exportKey('raw', own.publicKey));
      return Buffer.concat([hello, await encrypted({ v: 'v1' })]);
    }
    const iv = message.subarray(SEQUENCE_BYTES, SEQUENCE_BYTES + IV_BYTES);
    const algorithm = { name: 'AES-GCM', iv, additionalData: message.subarray(0, SEQUENCE_BYTES) };
    const text = await subtle.decrypt(algorithm, key, message.subarray(SEQUENCE_BYTES + IV_BYTES));
    const { id, method, params } = JSON.parse(Buffer.from(text).toString()) as Request;
    calls.push(method);
    return encrypted({ jsonrpc: '2.0', id, result: resultOf(method, params, keypair) });
  };
  let turn = Promise.resolve();
  socket.on('message', (message: Buffer) => {
    turn = turn.then(async () => socket.send(await answer(message)));
  });
}

/** @throws Error when the page has not signed its hello with the key of the link */
async function sessionKey(hello: Buffer, association: Buffer, own: webcrypto.CryptoKey) {
  const bytes = hello.subarray(0, KEY_BYTES);
  const signed = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const by = await subtle.importKey('raw', association, signed, false, ['verify']);
  if (!(await subtle.verify(signed, by, hello.subarray(KEY_BYTES), bytes)))
    throw new Error('the hello is not signed with the key of the link');
  const other = await subtle.importKey('raw', bytes, CURVE, false, []);
  const secret = await subtle.deriveBits({ name: 'ECDH', public: other }, own, 256);
  const base = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  return subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: association, info: Buffer.alloc(0) },
    base,
    { name: 'AES-GCM', length: 128 },
    false,
    ['encrypt', 'decrypt'],
  );
}

function resultOf(method: string, params: Params, keypair: Keypair): object {
  const payloads = (params['payloads'] as readonly string[] | undefined)?.map((text) =>
    Buffer.from(text, 'base64'),
  );
  switch (method) {
    case 'get_capabilities':
      return { supported_transaction_versions: ['legacy', 0], features: ['solana:signTransactions'] };
    case 'authorize':
      return {
        auth_token: 'token',
        accounts: [{ address: keypair.publicKey.toBuffer().toString('base64') }],
      };
    case 'sign_transactions':
      return { signed_payloads: payloads!.map((bytes) => signed(bytes, keypair).toString('base64')) };
    case 'sign_messages':
      return {
        signed_payloads: payloads!.map((bytes) =>
          Buffer.concat([bytes, signatureBy(keypair, bytes)]).toString('base64'),
        ),
      };
    default:
      throw new Error(`the wallet app does not know ${method}`);
  }
}

function signed(bytes: Buffer, keypair: Keypair): Buffer {
  const transaction = VersionedTransaction.deserialize(bytes);
  transaction.sign([keypair]);
  return Buffer.from(transaction.serialize());
}

/** Base64 with other letters, as the protocol's links have it. */
const fromUrl = (text: string) =>
  Buffer.from(
    text.replace(/[-_.]/g, (letter) => ({ '-': '+', _: '/', '.': '=' })[letter]!),
    'base64',
  );

const NAME = 'Mobile Wallet Adapter';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';
const ANDROID = `Mozilla/5.0 (Linux; Android 10; K) ${CHROME}`;
const OTHERS = {
  'a computer': undefined,
  'an iPhone': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15',
  'Firefox on Android': 'Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
  "a wallet app's own browser": `Mozilla/5.0 (Linux; Android 10; K; wv) ${CHROME.replace('Chrome', 'Version/4.0 Chrome')}`,
};

describe('wallet apps of Android', function () {
  this.timeout(120_000);
  let path: string;
  const visit = useVisits();

  before(async () => {
    path = `/t/${(await launchToken('Pocket Money', 'POCKET')).address}`;
  });

  /** A visitor of a page for mainnet, with the scripts that were transferred. */
  async function visitor(userAgent: string | undefined) {
    const { page, complaints } = await visit('', userAgent === undefined ? {} : { userAgent });
    const scripts: string[] = [];
    page.on('response', (response) => scripts.push(new URL(response.url()).pathname));
    await changeConfig(page, { chain: 'solana:mainnet' });
    return { page, complaints, scripts: () => scripts.filter((script) => /\/mobile-/.test(script)) };
  }
  /** What the browser asks for before a page reaches an app on the device. */
  async function setPermission(page: Page, setting: 'granted' | 'denied'): Promise<void> {
    const { browser, url } = await stage();
    const ofPage = await page.context().newCDPSession(page);
    const { browserContextId } = (await ofPage.send('Target.getTargetInfo')).targetInfo;
    // Kept open, because its end takes the permission back.
    const devtools = await browser.newBrowserCDPSession();
    const permission = { name: 'loopback-network' };
    const { origin } = new URL(url);
    await devtools.send('Browser.setPermission', {
      permission,
      setting,
      origin,
      browserContextId: browserContextId!,
    });
  }
  const list = async (page: Page) => {
    await page.getByRole('button', { name: 'Connect wallet' }).first().click();
    await page.getByRole('dialog').getByText('Get Phantom').waitFor();
    return page.getByRole('dialog').getByRole('button', { name: NAME });
  };

  it('connect, sign messages and trade', async () => {
    const keypair = await fundedWallet(5n);
    const { page, complaints } = await visitor(ANDROID);
    const app = await addWalletApp(page, keypair);
    await setPermission(page, 'granted');
    try {
      await page.goto(path);
      expect(await connect(page, NAME)).to.equal(keypair.publicKey.toBase58());
      await ask(page, 'You pay', '0.1');
      await trade(page);
      await page.getByRole('link', { name: 'Rewards' }).first().click();
      await page.getByRole('button', { name: 'Sign to see my rewards' }).click();
      await page.getByTestId('claimable').waitFor();
      expect(app.calls).to.include.members(['authorize', 'sign_transactions', 'sign_messages']);
      // The library's own dialogs are refused, and nothing else.
      expect(complaints.filter((text) => !text.includes('TrustedHTML'))).to.deep.equal([]);
      // A page that is opened again has the wallet, without opening the app.
      const before = app.calls.length;
      await page.goto(path);
      await page.getByTestId('account').waitFor();
      expect(app.calls.length).to.equal(before);
    } finally {
      app.stop();
    }
  });

  it('are offered, and what to do without one is said', async () => {
    const { page, scripts } = await visitor(ANDROID);
    await page.goto('/terms');
    await page.getByRole('button', { name: 'Connect wallet' }).first().waitFor();
    expect(scripts()).to.deep.equal([]);
    await setPermission(page, 'denied');
    const choice = await list(page);
    await choice.click();
    await page
      .getByRole('alert')
      .filter({ hasText: 'Your browser does not let this page reach wallet apps.' })
      .waitFor();
    await setPermission(page, 'granted');
    await choice.click();
    await page.getByRole('alert').filter({ hasText: 'No wallet app on this device has answered.' }).waitFor();
    await page.getByRole('link', { name: 'Open in Phantom' }).waitFor();
    expect(scripts().length).to.equal(1);
  });

  for (const [where, userAgent] of Object.entries(OTHERS))
    it(`are not offered to ${where}, and none of their code is transferred`, async () => {
      const { page, scripts } = await visitor(userAgent);
      await page.goto('/terms');
      const offered = await list(page);
      expect(await offered.count()).to.equal(0);
      expect(scripts()).to.deep.equal([]);
    });
});
