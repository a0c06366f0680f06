// The page when the service, the network, the token or a file is faulty. threat: burner-wallet, frozen-prices, false-deployment
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { buyTokens, fundedWallet, lamportsOf, launchToken } from '#tests/browser/chain.js';
import { allow, ask, connect, enter } from '#tests/browser/people.js';
import { changeConfig, stage, useVisits } from '#tests/browser/stage.js';
import { addWallet } from '#tests/browser/wallets.js';
import { eventually } from '#tests/service/service.js';

/** The longest poll interval is 8 s. */
const POLLED_MS = 20_000;
/** Far below the ten seconds for which a cache may return an old answer. */
const SOON_MS = 3_000;
/** While `frozen`, connections stay open and send nothing, as those of a process that has stopped. */
const FREEZABLE_STREAM = `
  globalThis.opened = 0;
  globalThis.frozen = false;
  globalThis.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      opened += 1;
    }
    set onopen(listener) {
      super.addEventListener('open', () => frozen || listener());
    }
    addEventListener(type, listener) {
      super.addEventListener(type, (event) => frozen || listener(event));
    }
  };
`;

/** While `lagMs` is set, the stream says that the index is so far behind. */
const LAGGING_STREAM = `
  globalThis.lagMs = 42_000;
  globalThis.EventSource = class extends EventSource {
    addEventListener(type, listener) {
      super.addEventListener(type, (event) =>
        listener(
          type === 'position' && lagMs > 0
            ? { data: JSON.stringify({ ...JSON.parse(event.data), ageMs: lagMs }), lastEventId: event.lastEventId }
            : event,
        ),
      );
    }
  };
`;

/** `hear` tells the page an event as the stream would. */
const TOLD_STREAM = `
  const listeners = new Map();
  let last = 2n ** 60n;
  globalThis.hear = (type, data) => listeners.get(type)({ data: JSON.stringify(data), lastEventId: String(++last) });
  globalThis.EventSource = class extends EventSource {
    addEventListener(type, listener) {
      listeners.set(type, listener);
      super.addEventListener(type, listener);
    }
  };
`;

describe('the page when something fails', function () {
  this.timeout(120_000);
  const visit = useVisits();

  async function at(...of: Parameters<typeof visit>): Promise<Page> {
    const { page } = await visit(...of);
    return page;
  }

  /** A page with a wallet and without live updates, with a changed market configuration. */
  async function withWallet(path: string, wallet: Keypair, config: object = {}): Promise<Page> {
    const page = await at('');
    await addWallet(page, { keypair: wallet });
    await changeConfig(page, config);
    await page.route('**/v1/market/stream**', (route) => route.abort());
    await page.goto(path);
    await connect(page);
    await allow(page, '3 %');
    return page;
  }

  it('says that it is offline, with no price, and is there again afterwards', async () => {
    const { page, complaints } = await visit('/', { serviceWorkers: 'allow' });
    await page.evaluate('navigator.serviceWorker.ready');
    const rows = page.locator('tr[data-mint]');
    await rows.first().waitFor();
    await page.context().setOffline(true);
    for (const path of ['/', '/rewards']) {
      await page.goto(path);
      await page.getByRole('heading', { name: 'You are offline' }).waitFor();
      expect(await page.locator('body').innerText())
        .to.match(/^Curvekit\n/)
        .and.not.match(/SOL/);
    }
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Rewards' }).waitFor();
    await page.goto('/');
    await rows.first().waitFor();
    expect(await page.evaluate('caches.keys()')).to.deep.equal([]);
    expect(complaints).to.deep.equal([]);
  });

  describe('explains a refusal of the program', () => {
    let path: string;
    let deployment: Record<string, unknown>;

    before(async () => {
      path = `/t/${(await launchToken('Refusing', 'NOPE')).address}`;
      const answer = await fetch(`${(await stage()).url}/v1/market/config`);
      ({ deployment } = (await answer.json()) as { deployment: Record<string, unknown> });
    });

    async function refused(page: Page, text: string, wallet: Keypair, lamports: number): Promise<void> {
      await page.getByTestId('submit').click();
      await page.getByTestId('problem').filter({ hasText: text }).waitFor();
      expect(await lamportsOf(wallet.publicKey)).to.equal(lamports);
    }

    it('6004: the page uses another fee receiver', async () => {
      const wallet = await fundedWallet(5n);
      const feeReceiver = Keypair.generate().publicKey.toBase58();
      const page = await withWallet(path, wallet, { deployment: { ...deployment, feeReceiver } });
      await ask(page, 'You pay', '0.1');
      await refused(page, 'not this launchpad’s fee address', wallet, 5_000_000_000);
    });
  });

  it('a lost connection that comes back misses no trade and shows none twice', async () => {
    const token = await launchToken('Off and On', 'OFFON');
    await buyTokens(token.mint, '0.1', await fundedWallet(2n));
    const page = await at(`/t/${token.address}`);
    const rows = page.getByTestId('trades').locator('tr[data-signature]');
    await rows.first().waitFor();
    await page.context().setOffline(true);
    await buyTokens(token.mint, '0.2', await fundedWallet(2n));
    await buyTokens(token.mint, '0.3', await fundedWallet(2n));
    await page.context().setOffline(false);
    await rows.nth(2).waitFor();
    await buyTokens(token.mint, '0.4', await fundedWallet(2n));
    await rows.nth(3).waitFor();
    const signatures = await rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-signature')));
    expect([signatures.length, new Set(signatures).size]).to.deep.equal([4, 4]);
  });

  it('seven windows share one connection, and the next one reads when its window closes', async () => {
    const token = await launchToken('Seven Windows', 'SEVEN');
    const first = await at(`/t/${token.address}`);
    const windows = [first];
    while (windows.length < 7) {
      const page = await first.context().newPage();
      await page.goto(windows.length % 2 === 0 ? `/t/${token.address}` : '/');
      windows.push(page);
    }
    const reading = async () => {
      const { registry } = (await stage()).launchpad.service.context.metrics;
      const { values } = await registry.getSingleMetric('curvekit_market_streams_open')!.get();
      return values[0]!.value;
    };
    for (const page of windows) await page.getByText('Live', { exact: true }).waitFor();
    // One for the board, and one for the token.
    await eventually(async () => (await reading()) === 2, 'two streams');
    const traded = async () => {
      const { signature } = await buyTokens(token.mint, '0.1', await fundedWallet(2n));
      for (const page of windows)
        if (page.url().endsWith(token.address))
          await page.locator(`tr[data-signature="${signature}"]`).waitFor();
    };
    await traded();
    await windows.shift()!.close();
    await traded();
    await windows.shift()!.close();
    await traded();
    await eventually(async () => (await reading()) === 2, 'two streams');
    await windows[0]!.context().close();
  });

  it('a frozen service is not shown as live, and its stream is opened again', async () => {
    const page = await at('');
    await page.clock.install();
    await page.addInitScript(FREEZABLE_STREAM);
    await page.goto('/');
    const live = page.getByText('Live', { exact: true });
    await live.waitFor();
    await page.evaluate('frozen = true');
    await page.clock.runFor(20_000);
    expect([await live.count(), await page.evaluate('opened')]).to.deep.equal([1, 1]);
    await page.clock.runFor(6_000);
    await page.getByText('Reconnecting…').first().waitFor();
    expect(await page.evaluate('opened')).to.equal(2);
    await page.evaluate('frozen = false');
    await page.clock.runFor(26_000);
    await live.waitFor();
  });

  it('an index that is behind is said with its seconds, until it is not', async () => {
    const page = await at('');
    await page.addInitScript(LAGGING_STREAM);
    await page.goto('/');
    await page.getByText('42 s behind').waitFor();
    await page.evaluate('lagMs = 0');
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('an older trade that comes after a newer price does not bring the old price back', async () => {
    const { mint, address } = await launchToken('Well Ahead', 'AHEAD');
    await buyTokens(mint, '0.1', await fundedWallet(5n));
    const page = await at('');
    await page.addInitScript(TOLD_STREAM);
    let trade: { readonly signature: string; readonly slot: number } | undefined;
    await eventually(async () => {
      const answer = await page.request.get(`/v1/market/tokens/${address}/trades`);
      [trade] = ((await answer.json()) as { items: NonNullable<typeof trade>[] }).items;
      return trade !== undefined;
    }, 'the trade in the index');
    await page.goto(`/t/${address}`);
    const row = (signature: string) => page.locator(`tr[data-signature="${signature}"]`);
    await row(trade!.signature).waitFor();
    const hear = (type: string, data: object) =>
      page.evaluate(`hear(${JSON.stringify(type)}, ${JSON.stringify({ mint: address, ...data })})`);
    const quote = () => page.locator('form').filter({ hasText: 'Buy' }).innerText();
    await page.getByLabel('You pay', { exact: true }).fill('1');
    const before = await quote();
    const aheadSlot = trade!.slot + 9;
    await hear('update', { virtualSol: '60000000000', virtualToken: '536500000000000', aheadSlot });
    await eventually(async () => (await quote()) !== before, 'another quote');
    const ahead = await quote();
    const signature = `1${trade!.signature.slice(1)}`;
    await hear('trade', { ...trade, signature, id: String(2 ** 52), slot: aheadSlot });
    await row(signature).waitFor();
    expect(await quote()).to.equal(ahead);
  });

  it('without its stream the page polls: for a trade, a new token and a holding', async () => {
    const wallet = await fundedWallet(5n);
    const known = await launchToken('Polled First', 'POLL');
    const polling = async (path: string) => {
      const page = await at('');
      await page.route('**/v1/market/stream**', (route) => route.abort());
      await page.goto(path);
      return page;
    };
    const token = await polling(`/t/${known.address}`);
    const board = await polling('/');
    const account = await polling(`/w/${wallet.publicKey.toBase58()}`);
    await token.getByRole('heading', { name: 'Polled First' }).waitFor();
    await account.getByRole('tab', { name: 'Holdings' }).waitFor();
    const { signature } = await buyTokens(known.mint, '0.1', wallet);
    const { address } = await launchToken('Polled Second', 'POL2');
    await token.locator(`tr[data-signature="${signature}"]`).waitFor({ timeout: POLLED_MS });
    await board.locator(`a[href="/t/${address}"]`).first().waitFor({ timeout: POLLED_MS });
    await account.locator(`a[href="/t/${known.address}"]`).first().waitFor({ timeout: POLLED_MS });
  });

  it('a page that is opened again shows the trades made in the meantime', async () => {
    const token = await launchToken('Homing Pigeon', 'HOME');
    const wallet = await fundedWallet(2n);
    const page = await at(`/t/${token.address}`);
    await page.getByText('Nobody has traded it yet').waitFor();
    await page.goto('about:blank');
    const { signature } = await buyTokens(token.mint, '0.01', wallet);
    const { url } = await stage();
    const trades = async () => (await fetch(`${url}/v1/market/tokens/${token.address}/trades`)).text();
    await eventually(async () => (await trades()).includes(signature), 'the trade in the index');
    await page.goto(`/t/${token.address}`);
    await page.locator(`tr[data-signature="${signature}"]`).waitFor({ timeout: SOON_MS });
  });

  it('the page waits after too many requests, and says so', async () => {
    const page = await at('');
    await page.route('**/v1/market/tokens?**', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '1' },
        json: { status: 'error', code: 'RATE_LIMITED', message: 'Too many requests' },
      }),
    );
    await page.goto('/');
    await page.getByText('Too many requests from your network').first().waitFor();
    await page.unroute('**/v1/market/tokens?**');
    await page.locator('tr[data-mint]').first().waitFor();
  });

  it('on other clusters the page does not load the burner wallet', async () => {
    const page = await at('');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await changeConfig(page, { chain: 'solana:mainnet' });
    await page.goto('/');
    await page.getByRole('button', { name: 'Connect wallet' }).first().click();
    await page.getByRole('dialog', { name: 'Connect a wallet' }).waitFor();
    expect(await page.getByRole('button', { name: 'Burner (localnet)' }).count()).to.equal(0);
    expect(asked.some((path) => path.endsWith('.js'))).to.equal(true);
    expect(asked.filter((path) => /burner|market\/faucet/i.test(path))).to.deep.equal([]);
  });

  it('a refused picture stops the launch until another one is chosen, or none', async () => {
    const page = await at('');
    await enter(page, '/launch', { keypair: await fundedWallet(5n) });
    await page.getByLabel('Name', { exact: true }).fill('Pictured');
    await page.getByLabel('Symbol', { exact: true }).fill('PIC');
    const field = page.getByLabel('Picture', { exact: true });
    const text = { name: 'art.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
    await field.setInputFiles(text);
    await page.getByText('This is not a PNG, JPEG, WebP or GIF picture.').waitFor();
    const uploads: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/uploads')) uploads.push(request.url());
    });
    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    expect(await field.evaluate((element) => element === document.activeElement)).to.equal(true);
    await page.waitForTimeout(500);
    expect(uploads).to.deep.equal([]);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Launch', exact: true }).click();
    await page.waitForURL(/\/t\//);
    expect(uploads).to.have.length(1);
  });

  it('a photo straight from a camera is made smaller before it is sent', async () => {
    const page = await at('/launch');
    const [width, height] = [3_000, 2_000];
    const noise = randomBytes(width * height * 3);
    const photo = await sharp(noise, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 100 })
      .toBuffer();
    expect(photo.length).to.be.greaterThan(7_000_000);
    const field = page.getByLabel('Picture', { exact: true });
    await field.setInputFiles({ name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo });
    const shown = page.locator('.preview img.art');
    await shown.waitFor();
    const url = (await shown.getAttribute('src')) ?? '';
    const sent = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
    expect(sent.length).to.be.lessThan(4 * 1024 * 1024);
    expect(await sharp(sent).metadata()).to.include({ width: 1_024, height: 683 });
  });

  for (const [name, options] of [
    ['without motion', { reducedMotion: 'reduce' }],
    ['at 200 % zoom', { viewport: { width: 640, height: 430 }, deviceScaleFactor: 2 }],
    ['read from right to left', { locale: 'ar-EG' }],
  ] as const) {
    it(`works ${name}`, async () => {
      const { launchpad } = await stage();
      const page = await at(`/t/${launchpad.tokens[0]!.mint.toBase58()}`, options);
      await page.getByTestId('trades').waitFor();
      if (name.includes('right')) await page.evaluate(() => (document.documentElement.dir = 'rtl'));
      const [wide, moving] = await page.evaluate(() => [
        document.documentElement.scrollWidth - innerWidth,
        document.getAnimations().filter(({ playState }) => playState === 'running').length,
      ]);
      expect(wide).to.be.at.most(0);
      if (name === 'without motion') expect(moving).to.equal(0);
      const open = page.getByRole('button', { name: 'Buy', exact: true });
      if (name.includes('zoom')) await open.first().click();
      await ask(page, 'You pay', '0.1');
      await page.getByTestId('out').filter({ hasText: /\d/ }).first().waitFor();
    });
  }
});
