// What `curvekit doctor` says about the variables, the node, the program, the database and the treasury.
// threat: development-keys, other-installation, open-key-files, foreign-signer
import { chmod, rm } from 'node:fs/promises';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { atEnd } from '#tests/mocha/at-end.js';
import { startYellowstone } from '#tests/node/yellowstone-server.js';
import { RpcFailure, startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { serveNode } from '#tests/node/serve.js';
import { keyFile } from '#tests/service/cli-cluster.js';
import { useDoctor } from '#tests/service/doctor.js';
import { keyVariable } from '#tests/service/service-context.js';
import { sql } from 'drizzle-orm';
import { statement } from '#app/db/database.js';
import { credit } from '#app/ledger/credit.js';
import { insertRecoveredSettlement } from '#tests/database/open-settlement.js';
import { buyTokens } from '#tests/program/tokens.js';
import { openPaymentsGate } from '#tests/database/database.js';

/** The address of a program that is not deployed, with new authorities. */
const otherProgram = () =>
  Object.fromEntries(
    ['PROGRAM_ID', 'ADMIN_ADDRESS', 'FEE_RECEIVER_ADDRESS', 'DEX_OWNER_ADDRESS'].map((name) => [
      name,
      Keypair.generate().publicKey.toBase58(),
    ]),
  );
const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

describe('curvekit doctor', () => {
  const { cluster, cli, findings, token, treasury, stateOf } = useDoctor();
  const DEX_OWNER = DEFAULT_DEPLOYMENT.dexOwner.toBase58();

  /** Stops with the test. */
  async function newProxy(): Promise<RpcProxy> {
    const proxy = await startRpcProxy(cluster().rpcUrl);
    atEnd(() => proxy.stop());
    return proxy;
  }

  it('reports no failure for a working setup, and warns about optional settings', async () => {
    await cluster().fund(treasury.publicKey, 20_000_000_000n);
    const { exitCode, out } = await cli().run(['doctor'], {
      TREASURY_KEYPAIR: keyVariable(treasury),
      LP_ADDRESS: treasury.publicKey.toBase58(),
      DEX_OWNER_KEYPAIR: keyVariable(cluster().dexOwner),
      FEE_RECEIVER_ADDRESS: cluster().deployment.feeReceiver.toBase58(),
    });
    expect(out).to.contain('Nothing is broken').and.not.to.contain('set FEE_RECEIVER_KEYPAIR');
    expect(out)
      .to.contain('holds 20 SOL and owes 7 SOL')
      .and.not.to.contain(keyVariable(treasury).slice(1, 40));
    expect(exitCode).to.equal(0);
  });

  it('names variables that are set and not used', async () => {
    const misspelt = { DATABSE_URL: 'postgres://u:Sesame@h/d' };
    const expected = { subject: 'DATABSE_URL', state: 'warning' };
    // Also when another variable is invalid.
    for (const more of [{}, { PORT: 'x' }]) {
      const found = (await findings({ ...misspelt, ...more })).find(
        ({ subject }) => subject === 'DATABSE_URL',
      );
      expect(found).to.include(expected);
      expect(found?.detail).to.equal('is not used; did you mean DATABASE_URL?');
    }
    const [proxy] = (await findings({ HTTPS_PROXY: 'http://proxy.example.com:8080', PORT: 'x' })).filter(
      ({ subject }) => subject === 'HTTPS_PROXY',
    );
    expect(proxy?.detail).to.equal('is not used: the service connects without a proxy');
  });

  const broken: Record<string, [Record<string, string>, string, RegExp]> = {
    'an invalid variable': [{ REFERRAL_SHARE_BPS: '20000' }, 'REFERRAL_SHARE_BPS', /0 to 10000/],
    'an RPC node that does not answer': [{ RPC_URL: 'http://127.0.0.1:1' }, 'RPC node', /RPC_URL/],
    'a websocket that does not answer': [{ WS_URL: 'ws://127.0.0.1:1' }, 'websocket', /WS_URL/],
    'a program that is not deployed': [otherProgram(), 'program', /PROGRAM_ID/],
    'a database that does not answer': [
      { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
      'database',
      /DATABASE_URL/,
    ],
    'a Redis that does not answer': [{ REDIS_URL: 'redis://127.0.0.1:1' }, 'rate limits', /REDIS_URL/],
    'a folder for uploads that cannot be made': [
      { UPLOADS_FOLDER: '/proc/curvekit/uploads' },
      'uploads',
      /\/proc\/curvekit\/uploads cannot be written .* set UPLOADS_FOLDER/,
    ],
    'a bucket that does not answer': [
      {
        UPLOADS_BUCKET: 'pictures',
        UPLOADS_BUCKET_ENDPOINT: 'http://127.0.0.1:1',
        AWS_ACCESS_KEY_ID: 'key',
        AWS_SECRET_ACCESS_KEY: 'secret',
      },
      'uploads',
      /the bucket pictures cannot be used .* create it/,
    ],
    'a treasury that owes more than it holds': [
      { TREASURY_KEYPAIR: keyVariable(Keypair.generate()) },
      'treasury',
      /send at least 7\.01 SOL/,
    ],
    "a DEX owner other than the program's": [
      { DEX_OWNER_KEYPAIR: keyVariable(Keypair.generate()) },
      'DEX owner',
      new RegExp(`built with ${DEX_OWNER}.* set DEX_OWNER_KEYPAIR to the key of ${DEX_OWNER}`),
    ],
    'a liquidity share without an address': [
      { DEX_OWNER_KEYPAIR: keyVariable(Keypair.generate()) },
      'settlement',
      /set LP_ADDRESS/,
    ],
  };

  describe('on a cluster with the genesis hash of mainnet', () => {
    let proxy: RpcProxy;
    before(async () => {
      proxy = await startRpcProxy(cluster().rpcUrl);
      proxy.rewrite(({ method }, result) => (method === 'getGenesisHash' ? MAINNET_GENESIS : result));
    });
    after(() => proxy.stop());
    const own = () => ({ RPC_URL: proxy.url, ...otherProgram() });

    it('accepts keys of the operator’s own', async () => {
      const [found] = await stateOf('development keys', own());
      expect(found).to.include({ state: 'ok', detail: 'none is used' });
    });

    it('reports every development key, whether its secret is configured or only its address', async () => {
      const { admin } = DEFAULT_DEPLOYMENT;
      const feeReceiver = {
        FEE_RECEIVER_ADDRESS: '',
        FEE_RECEIVER_KEYPAIR: keyVariable(cluster().feeReceiver),
      };
      const addresses = { ADMIN_ADDRESS: admin.toBase58(), DEX_OWNER_ADDRESS: DEX_OWNER };
      const [found] = await stateOf('development keys', { ...own(), ...feeReceiver, ...addresses });
      expect(found?.state).to.equal('failure');
      for (const role of ['admin', 'fee receiver', 'DEX owner'])
        expect(found?.detail).to.match(new RegExp(`${role} \\w+: a development key`));
    });

    it('reports a service that still has the default name', async () => {
      expect((await stateOf('service name', own()))[0]?.fix).to.match(/set PUBLIC_URL.* or SERVICE_NAME/);
      for (const named of [{ SERVICE_NAME: 'Moon' }, { PUBLIC_URL: 'https://api.moon.example/v1' }])
        expect((await stateOf('service name', { ...own(), ...named }))[0]?.state).to.equal('ok');
    });
  });

  describe('with a node that refuses requests', () => {
    const PAGE = `<html>${'blocked '.repeat(500)}</html>`;
    const answers: Record<string, [number, string, RegExp, RegExp]> = {
      'HTTP 401': [401, '{"error":"bad key"}', /answers getVersion with HTTP 401/, /access key in RPC_URL/],
      'a page with HTTP 200': [200, PAGE, /with a web page instead of JSON-RPC/, /address of an RPC node/],
    };
    for (const [name, [status, body, detail, fix]] of Object.entries(answers))
      it(`names ${name}, the node and what to do`, async () => {
        const node = await serveNode((_body, response) => void response.writeHead(status).end(body));
        atEnd(() => node.stop());
        const [found] = await stateOf('RPC node', { RPC_URL: `${node.url}/v2/secret-access-key` });
        expect(found?.state).to.equal('failure');
        expect(found?.detail)
          .to.match(detail)
          .and.contain(node.url)
          .and.not.match(/secret|blocked/);
        expect(found?.fix).to.match(fix).and.not.contain('start the node');
      });

    it('tries getProgramAccounts, and says what settlements and the page lack without it', async () => {
      const proxy = await newProxy();
      const settling = { RPC_URL: proxy.url, DEX_OWNER_KEYPAIR: keyVariable(cluster().dexOwner) };
      expect((await stateOf('holders', settling))[0]?.state).to.equal('ok');
      proxy.rewrite(({ method }, result) =>
        method === 'getProgramAccounts' ? new RpcFailure(-32_600, 'too many accounts, use V2') : result,
      );
      const [found] = await stateOf('holders', settling);
      expect(found?.state).to.equal('failure');
      expect(found?.detail).to.match(/^settlements cannot sample the holders: .*-32600: too many accounts/);
      expect(found?.fix).to.match(/set RPC_URL to a node that answers getProgramAccounts/);
      const [ofPage] = await stateOf('holders', { RPC_URL: proxy.url });
      expect([ofPage?.state, ofPage?.detail.slice(0, 25)]).to.deep.equal([
        'warning',
        'the page shows no holders',
      ]);
    });

    it('reports one method that is refused, and finishes the other checks', async () => {
      const proxy = await newProxy();
      const all = (await findings({ RPC_URL: proxy.url })).length;
      proxy.rewrite(({ method }, result) => {
        if (method === 'getAccountInfo') throw new Error('the connection breaks');
        return result;
      });
      const found = await findings({ RPC_URL: proxy.url });
      expect(found.find(({ subject }) => subject === 'program')?.detail).to.match(
        /cannot be reached for getAccountInfo/,
      );
      expect(found.length).to.be.within(all - 3, all);
    });
  });

  it('names key files that other users can read, and shows none of their content', async () => {
    const path = await keyFile(treasury);
    atEnd(() => rm(path));
    for (const [mode, state] of [
      [0o600, 'ok'],
      [0o640, 'warning'],
      [0o644, 'failure'],
    ] as const) {
      await chmod(path, mode);
      const found = await stateOf('key files', { TREASURY_KEYPAIR: path });
      expect(found.map((finding) => finding.state)).to.deep.equal([state]);
      if (state !== 'ok') {
        expect(found[0]?.detail).to.contain(`TREASURY_KEYPAIR: ${path} has mode ${mode.toString(8)}`);
        expect(found[0]?.fix).to.equal(`chmod 600 ${path}`);
      }
      expect(JSON.stringify(found)).not.to.contain(keyVariable(treasury).slice(1, 40));
    }
    const [given] = await stateOf('key files', { TREASURY_KEYPAIR: keyVariable(treasury) });
    expect(given).to.include({ state: 'ok', detail: 'none' });
  });

  for (const [what, [environment, subject, fix]] of Object.entries(broken))
    it(`reports ${what}, and how to fix it`, async () => {
      const found = (await findings(environment)).find((finding) => finding.subject === subject);
      expect(found?.state).to.equal('failure');
      expect(`${found?.detail} ${found?.fix}`).to.match(fix);
    });

  it("compares this machine's clock with a real cluster's blocks", async () => {
    const proxy = await newProxy();
    for (const [seconds, expected] of [
      [-15, 'near that of the cluster'],
      [-915, "this machine's clock is 900 s ahead of the newest finalized block"],
      [285, "this machine's clock is 300 s behind the newest finalized block"],
    ] as const) {
      const at = Math.round(Date.now() / 1_000) + seconds;
      proxy.rewrite(({ method }, result) =>
        method === 'getVersion'
          ? { 'solana-core': '3.0.0', 'feature-set': 1 }
          : method === 'getBlockTime'
            ? at
            : result,
      );
      const [clock] = await stateOf('clock', { RPC_URL: proxy.url, SIMULATED_CLUSTER: 'off' });
      expect(clock?.state).to.equal(expected.startsWith('near') ? 'ok' : 'failure');
      expect(clock?.detail.replace(/\b(299|301|899|901)\b/, (one) => (one < '500' ? '300' : '900'))).to.equal(
        expected,
      );
    }
  });

  it('warns about a proxy that is not trusted', async () => {
    const found = await findings({ PUBLIC_URL: 'https://api.example.com' });
    expect(found.find(({ subject }) => subject === 'proxies')).to.include({ state: 'warning' });
  });

  it('asks the gRPC feed for its slot, with its token', async () => {
    const feed = await startYellowstone('a-secret-of-the-feed');
    atEnd(() => feed.stop());
    const ask = async (token: string) =>
      (await stateOf('gRPC feed', { YELLOWSTONE_URL: feed.url, YELLOWSTONE_TOKEN: token }))[0];
    feed.slot = await cluster().connection.getSlot('confirmed');
    expect(await ask('a-secret-of-the-feed')).to.include({ state: 'ok' });
    feed.slot += 1_000_000;
    expect((await ask('a-secret-of-the-feed'))?.detail).to.match(/slots ahead of the RPC node$/);
    const refused = await ask('another-secret');
    expect(refused?.detail)
      .to.match(/No valid auth token/)
      .and.not.contain('another');
    expect(refused?.fix).to.match(/YELLOWSTONE_TOKEN/);
  });

  it('links the paragraph of the runbook below each finding', async () => {
    const { out } = await cli().run(['doctor'], { RPC_URL: 'http://127.0.0.1:1' });
    expect(out).to.match(/RPC node +FAILURE [^→]*→ [^→]*docs\/recover\.md#nodefails\n/);
    const { runbook } = (
      await stateOf('treasury', { TREASURY_KEYPAIR: keyVariable(Keypair.generate()) })
    )[0]!;
    expect(runbook).to.equal('docs/recover.md#treasuryshort');
  });

  it('asks a process with ROLE=api for no key of the worker', async () => {
    const of = async (role: string) =>
      (await findings({ ROLE: role })).find(({ subject }) => subject === 'settlement')?.state;
    expect([await of('worker'), await of('api')]).to.deep.equal(['warning', 'ok']);
  });

  it('counts each token that the treasury owes', async () => {
    const database = await cli().database();
    const mint = token().mint.toBase58();
    const credits = [{ wallet: Keypair.generate().publicKey.toBase58(), amount: 5_000_000n }];
    await database.transaction((tx) =>
      credit(tx, 'settlement', { key: 'doctor', mint, asset: 'TOKEN', credits }),
    );
    const environment = { TREASURY_KEYPAIR: keyVariable(treasury) };
    const [short] = await stateOf('treasury tokens', environment);
    expect(short?.state).to.equal('failure');
    expect(short?.fix).to.equal(`send at least 5 of ${mint} to ${treasury.publicKey.toBase58()}`);
    await buyTokens(cluster(), token(), treasury, 1_000_000_000n);
    expect((await stateOf('treasury tokens', environment))[0]?.state).to.equal('ok');
  });

  it('counts the amounts that recovered settlements still have to credit to holders', async () => {
    const { queries } = await cli().database();
    const mint = Keypair.generate().publicKey.toBase58();
    const paid = { sol: 6_000_000_000n, token: 3_000_000n };
    const left = { sol: 5_000_000_000n, token: 2_000_000n };
    const id = await insertRecoveredSettlement(queries, mint, paid, left);
    try {
      const environment = { TREASURY_KEYPAIR: keyVariable(treasury) };
      expect((await stateOf('recovered settlements', environment))[0]).to.include({ state: 'warning' });
      expect((await stateOf('treasury', environment))[0]?.detail).to.contain('owes 12 SOL');
      expect((await stateOf('treasury tokens', environment))[0]?.fix).to.contain(
        `send at least 2 of ${mint}`,
      );
    } finally {
      await queries.execute(sql`delete from recovered_settlements`);
      await queries.execute(sql`delete from settlements where id = ${id}`);
    }
    expect((await stateOf('recovered settlements', {}))[0]?.state).to.equal('ok');
  });

  it('counts what open settlements will credit and fees that back referral rewards, as claims do', async () => {
    const { queries } = await cli().database();
    const owes = async () =>
      (await stateOf('treasury', { TREASURY_KEYPAIR: keyVariable(treasury) }))[0]?.detail.replace(
        /.* owes /,
        '',
      );
    try {
      await statement(queries)`insert into settlements (mint, creator, state, signature, sol, sol_holders)
        values ('open', 'creator', 'paid', 'signature', 2000000000, 2000000000)`;
      expect(await owes()).to.equal('9 SOL');
      await statement(queries)`
        update treasury set referral_funded = 3000000000, referral_cover = 1000000000 where asset = 'SOL'`;
      expect(await owes()).to.equal('10 SOL');
    } finally {
      await queries.execute(sql`update treasury set referral_funded = 0, referral_cover = 0`);
      await queries.execute(sql`delete from settlements where mint = 'open'`);
    }
    expect(await owes()).to.equal('7 SOL');
  });

  it('says that payments are paused, and which pause needs the operator', async () => {
    const { queries } = await cli().database();
    const payments = async () => (await stateOf('payments', {}))[0];
    const set = (held: string | null) =>
      statement(queries)`
        update payments_gate set held = ${held}, incarnation = database_incarnation(), reconciled_at = now()`;
    expect(await payments()).to.include({ state: 'ok', detail: 'open' });
    atEnd(async () => openPaymentsGate(await cli().database()));
    atEnd(() => queries.execute(sql`delete from payer_marks where treasury = 'left'`));
    await set('a payment of the treasury is not understood');
    expect(await payments()).to.include({
      state: 'failure',
      detail: 'paused: a payment of the treasury is not understood',
    });
    await statement(queries)`update payments_gate set held = null, reconciled_at = now() - interval '1 hour'`;
    const old = await payments();
    expect(old).to.include({ state: 'warning' });
    expect(old?.fix).to.contain('start the service');
    await statement(queries)`insert into payer_marks (treasury, held, is_lost) values ('left', 'lost', true)`;
    const left = await payments();
    expect(left).to.include({ state: 'failure' });
    expect(left?.detail).to.contain('another database pays');
    expect(left?.fix).to.contain('set DATABASE_URL to the database that pays');
  });
});
