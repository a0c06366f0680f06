// `claim`, and `launch` with a picture, against a running service.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { startHttpProxy } from '#tests/network/http-proxy.js';
import { picture } from '#tests/service/pictures.js';
import { ledgerProblems, reward, startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';
import { eventually, finalize } from '#tests/service/service.js';
import { unpackTradeCli, type TradeCli } from '#tests/trade/program.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

interface Claimed {
  readonly mint: string;
  readonly claimType: string;
  readonly unclaimed: string;
  readonly amount: string;
}

interface Portfolio {
  readonly holdings: readonly Record<'mint' | 'saleValue' | 'paid' | 'profit' | 'untraded', string>[];
}

describe('curvekit-trade with a service', () => {
  const cluster = useCluster();
  let scene: RewardsScene;
  let cli: TradeCli;
  const uploads = temporaryFolder('uploads');
  let service: string[];

  before('start the service', async () => {
    scene = await startRewardsScene(cluster(), { environment: { UPLOADS_FOLDER: uploads } });
    cli = await unpackTradeCli();
    cli.environment['RPC_URL'] = cluster().rpcUrl;
    service = ['--service', scene.service.url];
  });
  after(() => scene?.stop());

  it('launches a token whose fees go where its creator says, and says it of the token', async () => {
    const wallet = await cluster().fundedWallet(3n * SOL);
    const keypair = await cli.keypairFile('creator.json', wallet);
    const [one, two] = [Keypair.generate(), Keypair.generate()].map(({ publicKey }) => publicKey.toBase58());
    const named = [
      'launch',
      '--name',
      'Shared',
      '--symbol',
      'SHR',
      '--uri',
      'https://a.example/b.json',
      '--keypair',
      keypair,
    ];
    const refused = await cli.run(...named, '--fee-share', `${one}=60%,${two}=30%`, ...service);
    expect(refused.err).to.contain('parts that sum to 10000 basis points, not to 9000');
    expect((await cli.run(...named, '--fee-share', 'traders')).err).to.contain('needs a service');
    const [launched] = await cli.json<{ mint: string }>(
      ...named,
      '--fee-share',
      `${one}=60%,${two}=40%`,
      ...service,
    );
    const shown = () => cli.run('token', launched!.mint, '--launchpad', scene.service.url, '--json');
    await eventually(async () => (await shown()).code === 0, 'the token');
    expect((await shown()).out).to.contain('"feeShare":{"bps":0,"kind":"split"}');
  });

  it('needs nothing but the URL of the launchpad: it tells the node, the programs and the service', async () => {
    const wallet = await cluster().fundedWallet(3n * SOL);
    cli.environment['KEYPAIR'] = await cli.keypairFile('trader.json', wallet);
    const { RPC_URL, ...environment } = cli.environment;
    delete cli.environment['RPC_URL'];
    try {
      const { url } = scene.service;
      const [bought] = await cli.json<{ venue: string; solAmount: string }>(
        ...['buy', scene.mint, '--sol', '0.5', '--launchpad', url],
      );
      expect(bought).to.include({ venue: 'curve', solAmount: String(SOL / 2n) });
      cli.environment['LAUNCHPAD_URL'] = url;
      const [sold] = await cli.json<{ tokenAmount: string }>('sell', scene.mint, 'all');
      expect(BigInt(sold!.tokenAmount) > 0n).to.equal(true);
      expect(await cli.run('claim')).to.include({ code: 0, err: 'nothing is unclaimed' });
      const wrong = await cli.run('buy', scene.mint, '--sol', '0.5', '--deployment', 'key-held');
      expect(wrong.code).to.equal(1);
      expect(wrong.err)
        .to.contain('the fee receiver of program')
        .and.to.contain(cluster().deployment.feeReceiver.toBase58());
      cli.environment['LAUNCHPAD_URL'] = 'http://127.0.0.1:1';
      const none = await cli.run('buy', scene.mint, '--sol', '0.5');
      expect(none.err).to.match(
        /^curvekit-trade: the service cannot be reached at http:\/\/127\.0\.0\.1:1\/v1\/launchpad: bad port/,
      );
      delete cli.environment['LAUNCHPAD_URL'];
      expect((await cli.run('buy', scene.mint, '--sol', '0.5')).err).to.contain('--launchpad is missing');
    } finally {
      Object.assign(cli.environment, environment, { RPC_URL });
    }
  });

  it('sends its requests through the proxy of HTTP_PROXY', async () => {
    const proxy = await startHttpProxy({ 'launchpad.invalid': scene.service.url });
    const { RPC_URL, ...environment } = cli.environment;
    delete cli.environment['RPC_URL'];
    const url = ['--launchpad', 'http://launchpad.invalid'];
    try {
      const direct = await cli.run('quote', 'buy', scene.mint, '--sol', '0.5', ...url);
      expect(direct.err).to.match(
        /cannot be reached at http:\/\/launchpad\.invalid\/v1\/launchpad: getaddrinfo/,
      );
      cli.environment['HTTP_PROXY'] = proxy.url;
      const quoted = await cli.run('quote', 'buy', scene.mint, '--sol', '0.5', ...url);
      expect(quoted, quoted.err).to.include({ code: 0 });
      expect([...proxy.asked]).to.deep.equal(['launchpad.invalid']);
      cli.environment['HTTP_PROXY'] = 'proxy';
      expect(await cli.run('quote', 'buy', scene.mint, '--sol', '0.5', ...url)).to.include({
        code: 2,
        err: 'curvekit-trade: HTTP_PROXY is not a URL such as http://proxy.example.com:8080',
      });
    } finally {
      delete cli.environment['HTTP_PROXY'];
      Object.assign(cli.environment, environment, { RPC_URL });
      await proxy.stop();
    }
  });

  it('shows unclaimed rewards, and claims them, with an empty wallet', async () => {
    const wallet = Keypair.generate();
    cli.environment['KEYPAIR'] = await cli.keypairFile('holder.json', wallet);
    await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', SOL);
    const unclaimed = { mint: scene.mint, claimType: 'SOL', unclaimed: String(SOL) };
    const [shown] = await cli.json<Claimed>('claim', ...service, '--simulate');
    expect(shown).to.include({ ...unclaimed, simulated: true });
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(0n);

    const command = cli.start('claim', scene.mint, ...service, '--kind', 'sol', '--json');
    await command.untilSaid('submitted');
    await finalize(cluster());
    const claimed = JSON.parse(await command.nextLine()) as Claimed;
    expect(claimed).to.include({ ...unclaimed, amount: String(SOL - 10_000n) });
    expect(await command.end('SIGCONT')).to.equal(0);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - 10_000n);
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
    expect(await cli.run('claim', ...service)).to.include({ code: 0, out: '', err: 'nothing is unclaimed' });
  });

  it('explains why the service refuses a claim', async () => {
    const wallet = Keypair.generate();
    cli.environment['KEYPAIR'] = await cli.keypairFile('small.json', wallet);
    // Less than the network fee of the claim transaction.
    await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', 1n);
    const { code, out, err } = await cli.run('claim', scene.mint, ...service);
    expect({ code, out }).to.deep.equal({ code: 1, out: '' });
    expect(err).to.match(/^curvekit-trade: 0\.000000001 SOL of CURV \(\w+\): .{10}/);
    const all = await cli.run('claim', ...service);
    expect(all).to.include({ code: 0, out: '' });
    expect(all.err).to.match(/^left {5}0\.000000001 SOL of CURV \(\w+\): .{10}/);
  });

  it('launches a token with a picture that the service stores', async () => {
    cli.environment['KEYPAIR'] = await cli.keypairFile(
      'creator.json',
      await cluster().fundedWallet(5n * SOL),
    );
    const image = join(cli.folder, 'token.png');
    await writeFile(image, await picture('png'));
    const words = ['--name', 'Picture', '--symbol', 'PIC', '--description', 'A picture.'];
    const args = ['launch', ...words, '--image', image, ...service];
    const [{ uri, mint } = { uri: '', mint: '' }] = await cli.json<{ uri: string; mint: string }>(
      ...args,
      '--first-buy',
      '0.5',
    );
    expect(mint).not.to.equal('');
    const untilBooked = async () => {
      const [{ holdings }] = (await cli.json<Portfolio>('portfolio', '--launchpad', scene.service.url)) as [
        Portfolio,
      ];
      return holdings.find((one) => one.mint === mint && one.untraded === '0');
    };
    await eventually(async () => (await untilBooked()) !== undefined, 'the trade in the portfolio');
    const { paid, profit, saleValue } = (await untilBooked())!;
    // Bought and sold back: the two fees of 1 % are lost.
    expect(paid).to.equal(String(SOL / 2n));
    expect(profit).to.equal(String(BigInt(saleValue) - SOL / 2n));
    expect(Number(profit)).to.be.within(-0.011 * Number(SOL), -0.009 * Number(SOL));
    // As long as the index does not know the token.
    await scene.service.context.database.queries.execute(sql`delete from tokens where mint = ${mint}`);
    const [{ holdings }] = (await cli.json<Portfolio>('portfolio', '--launchpad', scene.service.url)) as [
      Portfolio,
    ];
    const unknown = { paid: null, received: null, untraded: null, profit: null };
    expect(holdings.find((one) => one.mint === mint)).to.include({ ...unknown, saleValue });
    const document = (await (await fetch(uri)).json()) as Record<string, unknown>;
    expect(document).to.include({ name: 'Picture', symbol: 'PIC', description: 'A picture.' });
    expect((await fetch(String(document['image']))).headers.get('content-type')).to.equal('image/webp');

    const refused = await cli.run(...args, '--website', 'ftp://example.org');
    expect(refused.code).to.equal(1);
    expect(refused.err).to.contain('website');
  });
});
