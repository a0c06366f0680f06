// Runs the programs in examples/ on the cluster, as their first lines say, and checks their length.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ComputeBudgetProgram, Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  createToken,
  fetchMarket,
  graduate,
  GRADUATE_COMPUTE_UNITS,
  formatSol,
  formatTokens,
  parseTokens,
  quoteSell,
  type CurveMarket,
} from '@curvekit/sdk';
import { fetchHistory } from '@curvekit/sdk/feed';
import { PartnerClient } from '@curvekit/sdk/partner';
import { issueKey } from '#app/partners/keys.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { openTestDatabase } from '#tests/database/database.js';
import { signText, startPartnerService } from '#tests/service/partner-service.js';
import { startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { MINT_RENT, SOL } from '#tests/constants.js';
import { buyTokens, launch, TERMS, tokensOf } from '#tests/program/tokens.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { outputOf } from '#tests/process/output.js';
import { ROOT, run } from '#tests/process/run.js';

describe('the examples', () => {
  const cluster = useCluster();
  let wallet: Keypair;
  let scene: RewardsScene;
  const folder = temporaryFolder('examples');

  before(async () => {
    const { rpcUrl, wsUrl } = cluster();
    scene = await startRewardsScene(cluster(), {
      environment: { CLIENT_RPC_URL: rpcUrl, CLIENT_WS_URL: wsUrl },
    });
    wallet = await cluster().fundedWallet(5n * SOL);
    await writeFile(join(folder, 'id.json'), JSON.stringify([...wallet.secretKey]));
  });

  after(() => scene?.stop());

  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    ...process.env,
    LAUNCHPAD_URL: scene.service.url,
    KEYPAIR: join(folder, 'id.json'),
    ...more,
  });
  const commandOf = (name: string, ...args: string[]) => [
    '--import',
    'tsx',
    join(ROOT, 'examples', name),
    ...args,
  ];

  async function example(name: string, args: readonly string[] = []): Promise<string> {
    const options = { cwd: ROOT, env: environment({}) };
    const { stdout } = await run(process.execPath, commandOf(name, ...args), options);
    return stdout;
  }

  const children: ChildProcess[] = [];
  after(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  /** Starts an example that does not end, and waits until its output matches `says`. */
  async function started(
    name: string,
    env: Readonly<Record<string, string>>,
    says: RegExp,
  ): Promise<{ readonly child: ChildProcess; readonly said: () => string }> {
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const child = spawn(process.execPath, commandOf(name), {
      cwd: ROOT,
      env: environment(env),
      stdio: [...stdio],
    });
    children.push(child);
    const { printed, until } = outputOf(child);
    await until(says);
    return { child, said: printed };
  }

  const held = (mint: PublicKey) =>
    tokensOf(cluster().connection, associatedTokenAddress(wallet.publicKey, mint).address);

  it('launch a token, and buy more of it', async () => {
    const [, mint, first] = /^(\w+): bought ([\d.]+) tokens$/m.exec(await example('launch.ts'))!;
    const [, second] = /^([\d.]+) tokens: \w+$/m.exec(await example('buy.ts', [mint!]))!;
    const amount = parseTokens(first!) + parseTokens(second!);
    expect(await held(new PublicKey(mint!))).to.equal(amount);

    const market = (await fetchMarket(cluster().connection, new PublicKey(mint!))) as CurveMarket;
    const { solOut } = quoteSell(market, amount);
    const lamports = await lamportsOf(cluster().connection, wallet.publicKey);
    expect(await example('portfolio.ts', [wallet.publicKey.toBase58()])).to.equal(
      `SOL ${formatSol(lamports)}\n` +
        `${mint} ${formatTokens(amount)} tokens, ${formatSol(solOut)} SOL (curve)\n` +
        `worth ${formatSol(lamports + solOut)} SOL\n`,
    );
  });

  it('buy and sell exactly', async () => {
    const { mint } = await launch(cluster());
    const said = await example('exact-out.ts', [mint.toBase58()]);
    const [, bought] = /^bought ([\d.]+) tokens/m.exec(said)!;
    const [, sold, received] = /^sold ([\d.]+) tokens for ([\d.]+) SOL$/m.exec(said)!;
    expect(parseTokens(bought!) >= parseTokens('1000')).to.equal(true);
    expect(Number(received)).to.be.within(0.00001, 0.0000101);
    expect(await held(mint)).to.equal(parseTokens(bought!) - parseTokens(sold!));
  });

  async function launchWithFirstBuy(creator: Keypair): Promise<PublicKey> {
    const token = Keypair.generate();
    const firstBuy = { solToSpend: SOL, minTokenToReceive: 0n };
    const who = { mint: token.publicKey, payer: creator.publicKey };
    const instructions = createToken({ ...TERMS, ...who, mintRentLamports: MINT_RENT, firstBuy });
    await cluster().send(instructions, [creator, token]);
    return token.publicKey;
  }

  it('trade by a rule: the bot buys when the creator buys, and sells at a gain', async () => {
    const { child } = await started('bot.ts', { ROUNDS: '1' }, /watching/);
    const ended = once(child, 'exit');
    const creator = await cluster().fundedWallet(100n * SOL);
    await launch(cluster());
    const mint = await launchWithFirstBuy(creator);
    const lives = async () => {
      const traders: string[] = [];
      for await (const { data } of fetchHistory(cluster().connection, { mints: [mint], kinds: ['trade'] }))
        traders.push(`${data.isBuy ? 'buy' : 'sell'} ${data.trader.toBase58()}`);
      return traders;
    };
    while ((await lives()).length < 2) await sleep(50);
    await buyTokens(cluster(), { mint } as Parameters<typeof buyTokens>[1], creator, 20n * SOL);
    expect(await ended).to.deep.equal([0, null]);
    const [maker, bot] = [creator.publicKey.toBase58(), wallet.publicKey.toBase58()];
    expect(await lives()).to.deep.equal([`buy ${maker}`, `buy ${bot}`, `buy ${maker}`, `sell ${bot}`]);
    expect(await held(mint)).to.equal(0n);
  });

  it('trade by a rule: the bot sells in the pool what graduates', async () => {
    const { child, said } = await started('bot.ts', { ROUNDS: '1' }, /watching/);
    const ended = once(child, 'exit');
    const creator = await cluster().fundedWallet(200n * SOL);
    const mint = await launchWithFirstBuy(creator);
    while ((await held(mint).catch(() => 0n)) === 0n) await sleep(50);
    await buyTokens(cluster(), { mint } as Parameters<typeof buyTokens>[1], creator, 100n * SOL);
    await sleep(200);
    const { deployment, payer } = cluster();
    const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: GRADUATE_COMPUTE_UNITS });
    await cluster().send([limit, ...graduate({ mint, payer: payer.publicKey, deployment })], [payer]);
    // The pool opens after a second, and a local cluster's clock moves with its transactions only.
    await cluster().timeTravelToTimestamp((await cluster().clock()).unixTimestamp + 2n);
    expect(await ended).to.deep.equal([0, null]);
    expect(said()).to.contain(`sold ${mint.toBase58()}`);
    expect(await held(mint)).to.equal(0n);
  });

  it('register a partner’s user', async () => {
    const database = await openTestDatabase();
    const service = await startPartnerService({ database, cluster: cluster() });
    const payoutWallet = Keypair.generate().publicKey.toBase58();
    const { key } = await issueKey(service.keys, { partner: 'Example', payoutWallet });
    const env = { LAUNCHPAD_URL: service.url, API_KEY: key, PORT: '0' };
    const { child, said } = await started('partner-server.ts', env, /http:\S+\n/);
    try {
      const url = said().trim();
      const { message, nonce } = (await (await fetch(`${url}/message`)).json()) as Record<string, string>;
      const publicKey = wallet.publicKey.toBase58();
      const signature = Buffer.from(bs58.decode(signText(wallet, message!))).toString('base64');
      const body = JSON.stringify({ publicKey, signature, nonce });
      const register = () => fetch(`${url}/register`, { method: 'POST', body });
      for (let times = 0; times < 2; times += 1) expect((await register()).status).to.equal(200);
      const { users } = await new PartnerClient({ baseUrl: service.url, apiKey: key }).users();
      expect(users.map((user) => user.publicKey)).to.deep.equal([publicKey]);
      expect(await (await fetch(`${url}/stats`)).json()).to.include({ users: '1' });
    } finally {
      child.kill();
      await service.close();
      await database.close();
    }
  });

  it('verify a partner’s webhooks', async () => {
    const { url, context } = scene.service;
    const keys = { database: scene.database, now: context.now };
    const { key } = await issueKey(keys, { partner: 'Told', payoutWallet: wallet.publicKey.toBase58() });
    const { child, said } = await started('webhooks.ts', { API_KEY: key, PORT: '0' }, /http:\S+\n/);
    const [, id] = /^added the webhook (\w+)$/m.exec(said())!;
    const partner = new PartnerClient({ baseUrl: url, apiKey: key });
    const event = await partner.testWebhook(id!);
    const receiver = /http:\S+/.exec(said())![0];
    expect((await fetch(receiver, { method: 'POST', body: '{"type":"webhook.test"}' })).status).to.equal(400);
    while (!said().includes('webhook.test')) await sleep(50);
    expect(await partner.rotateWebhookSecret(id!, { overlapSeconds: 60 })).to.match(/^whsec_/);
    expect(await partner.replayWebhook(id!, event)).to.equal(1);
    expect(await partner.replayWebhook(id!, new Date(0))).to.equal(1);
    const webhooks = await partner.webhooks();
    expect(webhooks).to.have.length(1);
    expect(webhooks[0]).to.deep.include({ id, url: receiver, types: null, state: 'active', deadLetters: [] });
    await partner.removeWebhook(id!);
    expect(await partner.webhooks()).to.deep.equal([]);
    child.kill();
    expect(said()).to.match(
      new RegExp(`^${event} {"type":"webhook.test","timestamp":"[^"]+","data":{}}$`, 'm'),
    );
  });

  it('launch and buy with Kit', async () => {
    const [, mint, bought] = /^(\w+): bought ([\d.]+) tokens$/m.exec(await example('kit.ts'))!;
    const { address } = associatedTokenAddress(wallet.publicKey, new PublicKey(mint!));
    expect(await tokensOf(cluster().connection, address)).to.equal(parseTokens(bought!));
  });
});
