import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { DEFAULT_DEPLOYMENT, fetchProperties } from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type LocalCluster } from '@curvekit/testing';
import { credit } from '#app/ledger/credit.js';
import { claims } from '#app/db/schema/index.js';
import { SCOPES } from '#app/partner/scopes.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { bundled } from '#tests/process/bundled.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
import { createCli, type Cli } from '#tests/service/cli.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import {
  finalize,
  startIndexer,
  testContext,
  untilIndexed,
  simulatedCluster,
} from '#tests/service/service.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';

/** A program that is not there, with the authorities that its operator names. */
const otherProgram = () =>
  Object.fromEntries(
    ['PROGRAM_ID', 'ADMIN_ADDRESS', 'FEE_RECEIVER_ADDRESS', 'DEX_OWNER_ADDRESS'].map((name) => [
      name,
      Keypair.generate().publicKey.toBase58(),
    ]),
  );
const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

const COMMANDS = [
  ['start'],
  ['migrate-db'],
  ['doctor'],
  ['key', 'issue'],
  ['key', 'list'],
  ['key', 'rotate'],
  ['key', 'revoke'],
  ['properties', 'show'],
  ['properties', 'set'],
  ['token', 'list'],
  ['token', 'show'],
  ['token', 'hide'],
  ['token', 'unhide'],
  ['claims', 'list'],
  ['claims', 'show'],
  ['claims', 'recheck'],
  ['ledger', 'check'],
  ['reindex'],
];

interface KeyDocument {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly expiresAt: string | null;
}

interface DoctorDocument {
  readonly findings: readonly { subject: string; state: string; detail: string; fix?: string }[];
}

describe('curvekit', () => {
  const cluster = useCluster();
  let cli: Cli;
  let token: Token;

  before(async () => {
    cli = await createCli({
      RPC_URL: cluster().rpcUrl,
      WS_URL: cluster().wsUrl,
      SIMULATED_CLUSTER: simulatedCluster(cluster()),
    });
  });
  after(() => cli.remove());

  describe('help and usage', () => {
    for (const command of COMMANDS) {
      it(`explains \`${command.join(' ')}\` and its --json`, async () => {
        const { exitCode, out } = await cli.run([...command, '--help']);
        expect(exitCode).to.equal(0);
        expect(out)
          .to.contain(`Usage: curvekit ${command.join(' ')}`)
          .and.to.contain('--json');
      });
    }

    // A default is shown as it could be given.
    const defaults: readonly (readonly [command: string[], option: string, shown: string])[] = [
      [['key', 'issue'], '--scopes', SCOPES.join(',')],
      [['key', 'rotate'], '--overlap', '24h'],
      [['token', 'list'], '--limit', '50'],
      [['claims', 'list'], '--limit', '50'],
    ];
    for (const [command, option, shown] of defaults) {
      it(`says what \`${command.join(' ')} ${option}\` is without it`, async () => {
        const { out } = await cli.run([...command, '--help']);
        const [, described = ''] = out.replace(/\s+/g, ' ').split(`${option} <`);
        expect(/\(default: ([^)]*)\)/.exec(described)?.[1]).to.equal(shown);
      });
    }

    it('lists every command', async () => {
      const { exitCode, out } = await cli.run(['--help']);
      expect(exitCode).to.equal(0);
      for (const [name = ''] of COMMANDS) expect(out).to.contain(`  ${name}`);
    });

    const mistakes: Record<string, [string[], string]> = {
      'no command': [[], 'Usage: curvekit'],
      'an unknown command': [['nonsense'], "unknown command 'nonsense'"],
      'an unknown option': [['key', 'list', '--nonsense'], "unknown option '--nonsense'"],
      'no partner': [['key', 'issue'], "'--partner <name>' not specified"],
      'a wallet that is none': [
        ['key', 'issue', '--partner', 'x', '--wallet', 'x'],
        'base58 address of 32 bytes',
      ],
      'an unknown scope': [['key', 'issue', '--partner', 'x', '--scopes', 'all'], "'all' is not a scope"],
      'a duration without its unit': [['key', 'rotate', 'x', '--overlap', '24'], 'such as 24h'],
      'a key that expires as it is made': [
        ['key', 'issue', '--partner', 'x', '--expires', '0d'],
        'It must be at least 1s',
      ],
      'a fee over the maximum': [['properties', 'set', '--fee-bps', '1001'], '0 to 1000'],
      'a keypair that is none': [['properties', 'set', '--admin', 'none.json'], 'cannot be read (ENOENT)'],
      'a mint that is none': [['token', 'show', 'x'], 'base58 address of 32 bytes'],
      'a state that is none': [['claims', 'list', '--state', 'DONE'], 'Allowed choices are IN_PROGRESS'],
      'too many': [['token', 'list', '--limit', '0'], 'from 1 to 10000'],
      'an argument too many': [['reindex', 'now'], 'too many arguments'],
    };
    for (const [what, [args, message]] of Object.entries(mistakes)) {
      it(`refuses ${what} with exit code 2`, async () => {
        const { exitCode, err, out } = await cli.run(args);
        expect(err).to.contain(message);
        expect(exitCode).to.equal(2);
        expect(out).to.equal('');
      });
    }

    it('names every variable that cannot be used', async () => {
      const { exitCode, err } = await cli.run(['key', 'list'], { PORT: 'x', RPC_URL: 'x' });
      expect(exitCode).to.equal(1);
      expect(err).to.contain('PORT must be').and.to.contain('RPC_URL must be');
    });
  });

  describe('start', () => {
    it('says with --json where it listens, in one line, until it is interrupted', async function () {
      this.timeout(180_000);
      const folder = await mkdtemp(join(tmpdir(), 'curvekit-start-'));
      const { PATH = '' } = process.env;
      const started = spawn(process.execPath, [await bundled('app/src/cli/main.ts'), 'start', '--json'], {
        cwd: folder,
        env: {
          PATH,
          PORT: '0',
          RPC_URL: cluster().rpcUrl,
          SIMULATED_CLUSTER: simulatedCluster(cluster()),
          WS_URL: cluster().wsUrl,
          DATABASE_FOLDER: 'database',
          LOG_LEVEL: 'silent',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(started, 'exit');
      try {
        const signal = AbortSignal.timeout(120_000);
        const said = once(createInterface(started.stdout), 'line', { signal });
        const [line] = (await Promise.race([said, ended])) as [string | number];
        const { url, docs, ...rest } = JSON.parse(String(line)) as Record<string, string>;
        expect(rest).to.deep.equal({});
        expect(docs).to.equal(`${url}/docs`);
        expect((await fetch(docs!)).status).to.equal(200);
        started.kill('SIGINT');
        expect(await ended).to.deep.equal([0, null]);
      } finally {
        started.kill('SIGKILL');
        await rm(folder, { recursive: true, force: true });
      }
    });
  });

  describe('migrate-db', () => {
    it('is asked for by other commands, applies what is missing, and then finds nothing to do', async () => {
      const refused = await cli.run(['key', 'list']);
      expect(refused.exitCode).to.equal(1);
      expect(refused.err).to.contain('run `curvekit migrate-db` first');
      const { applied } = await cli.json<{ applied: string[] }>(['migrate-db']);
      expect(applied).to.include('0000_tables');
      expect(await cli.json(['migrate-db'])).to.deep.include({ applied: [] });
    });
  });

  describe('key', () => {
    const wallet = Keypair.generate().publicKey.toBase58();
    let issued: KeyDocument;

    it('issues a key and shows it once', async () => {
      issued = await cli.json(['key', 'issue', '--partner', 'Acme', '--wallet', wallet, '--expires', '90d']);
      expect(issued).to.include({ partner: 'Acme', payoutWallet: wallet, state: 'active' });
      expect(issued.key).to.match(/^curvekit_[0-9a-f]{16}_[0-9a-f]{72}$/);
      const listed = await cli.run(['key', 'list']);
      expect(listed.out)
        .to.contain(issued.id)
        .and.to.contain('Acme')
        .and.not.to.contain(issued.key.slice(30));
    });

    it('gives a key a limit of its own', async () => {
      const limited = await cli.json<KeyDocument & { readonly requestLimit: number | null }>([
        ...['key', 'issue', '--partner', 'Acme', '--limit', '10000'],
      ]);
      expect(limited.requestLimit).to.equal(10_000);
      expect((await cli.run(['key', 'list'])).out).to.match(new RegExp(`${limited.id}.*10000`));
      const { exitCode, err } = await cli.run(['key', 'issue', '--partner', 'Acme', '--limit', '0']);
      expect([exitCode, err.includes('from 1 to')]).to.deep.equal([2, true]);
      await cli.run(['key', 'revoke', limited.id]);
    });

    const unusable: Record<string, [string[], string]> = {
      'a new partner without a wallet': [['--partner', 'New'], '--wallet ADDRESS'],
      'another wallet for a known partner': [
        ['--partner', 'Acme', '--wallet', Keypair.generate().publicKey.toBase58()],
        'has the payout wallet',
      ],
      'a name with a line break': [['--partner', 'A\nNonce: 1', '--wallet', wallet], "partner's name"],
      'an empty name': [['--partner', '', '--wallet', wallet], "partner's name"],
      'a name of 65 letters': [['--partner', 'a'.repeat(65), '--wallet', wallet], "partner's name"],
    };
    for (const [what, [args, message]] of Object.entries(unusable)) {
      it(`refuses ${what}`, async () => {
        const { exitCode, err } = await cli.run(['key', 'issue', ...args]);
        expect(err).to.contain(message);
        expect(exitCode).to.equal(1);
      });
    }

    it('refuses a payout wallet that cannot sign', async () => {
      const offCurve = cluster().deployment.properties.address.toBase58();
      const { exitCode, err } = await cli.run(['key', 'issue', '--partner', 'Pda', '--wallet', offCurve]);
      expect(exitCode).to.equal(1);
      expect(err).to.contain('a wallet that can sign');
    });

    it('rotates it: the old one ends after the overlap', async () => {
      const before = Date.now();
      const rotated = await cli.json<{ issued: KeyDocument; replaced: KeyDocument }>([
        'key',
        'rotate',
        issued.id,
        '--overlap',
        '2h',
      ]);
      expect(rotated.replaced.id).to.equal(issued.id);
      expect(rotated.issued.id).not.to.equal(issued.id);
      expect(Date.parse(rotated.replaced.expiresAt!) - before).to.be.within(7_200_000, 7_260_000);
    });

    it('revokes it, once', async () => {
      expect(await cli.json(['key', 'revoke', issued.id])).to.include({ id: issued.id, state: 'revoked' });
      const again = await cli.run(['key', 'revoke', issued.id]);
      expect(again.exitCode).to.equal(1);
      expect(again.err).to.contain('revoked already');
      const rotated = await cli.run(['key', 'rotate', issued.id]);
      expect(rotated.err).to.contain('is revoked and cannot be rotated');
    });

    it('names a key that is not there', async () => {
      const { exitCode, err } = await cli.run(['key', 'revoke', '0123456789abcdef']);
      expect(exitCode).to.equal(1);
      expect(err).to.contain('there is no key 0123456789abcdef');
    });
  });

  describe('properties', () => {
    it('shows what is set on chain', async () => {
      expect(await cli.json(['properties', 'show'])).to.deep.include({
        properties: {
          initialVirtualSol: String(DEFAULT_PROPERTIES.initialVirtualSol),
          initialVirtualToken: String(DEFAULT_PROPERTIES.initialVirtualToken),
          platformFeeBps: 100,
        },
      });
      const { out } = await cli.run(['properties', 'show']);
      expect(out)
        .to.match(/virtual SOL +30 SOL/)
        .and.to.match(/platform fee +1 %/);
    });

    it('changes what is given and leaves the rest', async () => {
      const admin = await keyFile(cluster().admin);
      const { out, exitCode } = await cli.run(['properties', 'set', '--admin', admin, '--fee-bps', '150']);
      expect(exitCode).to.equal(0);
      expect(out).to.match(/platform fee +1 % +1\.5 %/);
      expect(await propertiesOf(cluster())).to.include({ ...DEFAULT_PROPERTIES, platformFeeBps: 150 });
      await cli.json(['properties', 'set', '--admin', admin, '--fee-bps', '100']);
    });

    it('is refused to anybody but the admin', async () => {
      const stranger = await keyFile(await cluster().fundedWallet());
      const { exitCode, err } = await cli.run(['properties', 'set', '--admin', stranger, '--fee-bps', '0']);
      expect(exitCode).to.equal(1);
      expect(err)
        .to.match(/^curvekit: /)
        .and.not.to.contain('at ');
      expect(await propertiesOf(cluster())).to.include(DEFAULT_PROPERTIES);
    });
  });

  describe('token, claims, ledger and reindex', () => {
    before(async function () {
      this.timeout(120_000);
      token = await launch(cluster(), { name: 'Listed', symbol: 'LIST' });
      await buyTokens(cluster(), token, cluster().payer, 1_000_000_000n);
      await finalize(cluster());
      await index(cluster(), cli);
    });

    it('lists tokens with price and progress', async () => {
      const { out } = await cli.run(['token', 'list']);
      expect(out).to.contain(token.mint.toBase58()).and.to.contain('LIST').and.to.contain('trading');
    });

    it('shows one token, its amounts as strings in JSON', async () => {
      const mint = token.mint.toBase58();
      const { curve } = await cli.json<{ curve: Record<string, unknown> }>(['token', 'show', mint]);
      expect(curve).to.include({ mint, buys: 1, solPaid: '1000000000', fees: '10000000' });
      const { out } = await cli.run(['token', 'show', mint]);
      expect(out).to.match(/platform fees +0\.01 SOL/);
    });

    it('hides a token and shows it again', async () => {
      const mint = token.mint.toBase58();
      const hidden = async () =>
        (await cli.json<{ hidden: { reason: string } | null }>(['token', 'show', mint])).hidden;
      expect(await hidden()).to.equal(null);
      const document = await cli.json(['token', 'hide', mint, '--reason', 'a trademark']);
      expect(document).to.deep.equal({ mint, hidden: true, reason: 'a trademark' });
      expect(await hidden()).to.include({ mint, reason: 'a trademark' });
      expect((await cli.run(['token', 'hide', mint])).out).to.contain('was hidden before');
      expect((await cli.run(['token', 'show', mint])).out).to.match(/hidden +since \d{4}-.*: not given/);
      expect(await cli.json(['token', 'unhide', mint])).to.deep.equal({ mint, hidden: false });
      expect(await hidden()).to.equal(null);
      const again = await cli.run(['token', 'unhide', mint]);
      expect([again.exitCode, again.err]).to.deep.equal([
        1,
        `curvekit: the token ${mint} is not hidden; \`curvekit token show ${mint}\` shows it`,
      ]);
    });

    it('names a token that is not indexed', async () => {
      const { exitCode, err } = await cli.run(['token', 'show', cluster().payer.publicKey.toBase58()]);
      expect(exitCode).to.equal(1);
      expect(err).to.contain('is not indexed');
    });

    it('lists and shows claims', async () => {
      const signature = 'S1gnature';
      const wallet = Keypair.generate().publicKey.toBase58();
      const mint = token.mint.toBase58();
      const database = await cli.database();
      await database.transaction(async (tx) => {
        const credits = [{ wallet, amount: 7_000_000_000n }];
        await credit(tx, 'settlement', { key: 'test', mint, asset: 'SOL', credits });
      });
      await openPaymentsGate(database);
      await new ClaimsRepository(database).store(
        {
          ...{ signature, wallet, mint, asset: 'SOL', amount: 7_000_000_000n, referral: 0n },
          ...{ networkFee: 10_000n, burn: false, opensAccount: false, rent: 0n },
          ...{ transaction: 'AAAA', blockhashSlot: 1, lastValidBlockHeight: 150 },
        },
        undefined,
      );
      const listed = await cli.run(['claims', 'list', '--wallet', wallet, '--state', 'IN_PROGRESS']);
      expect(listed.out).to.contain(signature).and.to.contain('7 SOL').and.to.contain('IN_PROGRESS');
      expect((await cli.run(['claims', 'list', '--state', 'FAILED'])).out).to.contain('no such claims');
      expect(await cli.json(['claims', 'show', signature])).to.include({ signature, amount: '7000000000' });
      const missing = await cli.run(['claims', 'show', 'none']);
      expect(missing.exitCode).to.equal(1);
      expect(missing.err).to.contain('there is no claim none');
    });

    it('proves that the ledger adds up', async () => {
      const { exitCode, out } = await cli.run(['ledger', 'check']);
      expect(out)
        .to.contain('The ledger adds up.')
        .and.to.match(/SOL +7 +0 +7 +0/);
      expect(exitCode).to.equal(0);
    });

    it('finds a ledger that does not add up, with exit code 1', async () => {
      await (await cli.database()).queries.update(claims).set({ amount: 1n });
      const { exitCode, out } = await cli.run(['ledger', 'check']);
      expect(out).to.contain('NOT').and.to.contain('7000000000 reserved, 1 in claims');
      expect(exitCode).to.equal(1);
      await (await cli.database()).queries.update(claims).set({ amount: 7_000_000_000n });
    });

    it('reads the chain anew after a reindex', async function () {
      this.timeout(60_000);
      await cli.run(['reindex']);
      expect((await cli.run(['token', 'list'])).out).to.equal('No token is indexed yet.');
      await index(cluster(), cli);
      expect((await cli.run(['token', 'list'])).out).to.contain(token.mint.toBase58());
    });
  });

  describe('doctor', () => {
    const DEX_OWNER = DEFAULT_DEPLOYMENT.dexOwner.toBase58();
    const treasury = Keypair.generate();
    const findings = async (environment: Record<string, string> = {}) => {
      const { out } = await cli.run(['doctor', '--json'], environment);
      return (JSON.parse(out) as DoctorDocument).findings;
    };
    const keyOf = ({ secretKey }: Keypair) => JSON.stringify([...secretKey]);

    it('finds nothing broken where nothing is, and warns of what is left out', async () => {
      await cluster().fund(treasury.publicKey, 20_000_000_000n);
      const { exitCode, out } = await cli.run(['doctor'], {
        TREASURY_KEYPAIR: keyOf(treasury),
        LP_ADDRESS: treasury.publicKey.toBase58(),
        DEX_OWNER_KEYPAIR: keyOf(cluster().dexOwner),
      });
      expect(out).to.contain('Nothing is broken').and.not.to.contain('set FEE_RECEIVER_KEYPAIR');
      expect(out).to.contain('holds 20 SOL and owes 7 SOL').and.not.to.contain(keyOf(treasury).slice(1, 40));
      expect(exitCode).to.equal(0);
    });

    const broken: Record<string, [Record<string, string>, string, RegExp]> = {
      'a variable that cannot be used': [{ REFERRAL_SHARE_BPS: '20000' }, 'REFERRAL_SHARE_BPS', /0 to 10000/],
      'a node that is not there': [{ RPC_URL: 'http://127.0.0.1:1' }, 'RPC node', /RPC_URL/],
      'a websocket that is not there': [{ WS_URL: 'ws://127.0.0.1:1' }, 'websocket', /WS_URL/],
      'a program that is not there': [otherProgram(), 'program', /PROGRAM_ID/],
      'a database that is not there': [
        { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
        'database',
        /DATABASE_URL/,
      ],
      'a Redis that is not there': [{ REDIS_URL: 'redis://127.0.0.1:1' }, 'rate limits', /REDIS_URL/],
      'a treasury that owes more than it holds': [
        { TREASURY_KEYPAIR: keyOf(Keypair.generate()) },
        'treasury',
        /send at least 7\.01 SOL/,
      ],
      'a DEX owner that the program was not built with': [
        { DEX_OWNER_KEYPAIR: keyOf(Keypair.generate()) },
        'DEX owner',
        new RegExp(`built with ${DEX_OWNER}.* set DEX_OWNER_KEYPAIR to the key of ${DEX_OWNER}`),
      ],
      'a liquidity share without an address': [
        { DEX_OWNER_KEYPAIR: keyOf(Keypair.generate()) },
        'settlement',
        /set LP_ADDRESS/,
      ],
    };
    const stateOf = async (subject: string, environment: Record<string, string>) =>
      (await findings(environment)).filter((finding) => finding.subject === subject);

    describe('of a cluster that says it is mainnet', () => {
      let proxy: RpcProxy;
      before(async () => {
        proxy = await startRpcProxy(cluster().rpcUrl);
        proxy.rewrite(({ method }, result) => (method === 'getGenesisHash' ? MAINNET_GENESIS : result));
      });
      after(() => proxy.stop());
      const own = () => ({ RPC_URL: proxy.url, ...otherProgram() });

      it('asks an API server for no key that it does not use', async () => {
        const [found] = await stateOf('development keys', own());
        expect(found).to.include({ state: 'ok', detail: 'none is used' });
      });

      it('finds a development key that is configured', async () => {
        const feeReceiver = { FEE_RECEIVER_ADDRESS: '', FEE_RECEIVER_KEYPAIR: keyOf(cluster().feeReceiver) };
        const environment = { ...own(), ...feeReceiver };
        const [found] = await stateOf('development keys', environment);
        expect(found?.state).to.equal('failure');
        expect(found?.detail).to.match(/^FEE_RECEIVER_KEYPAIR:/);
      });

      it('finds a service that is called as all others are', async () => {
        expect((await stateOf('service name', own()))[0]?.fix).to.match(/set PUBLIC_URL.* or SERVICE_NAME/);
        for (const named of [{ SERVICE_NAME: 'Moon' }, { PUBLIC_URL: 'https://api.moon.example/v1' }])
          expect((await stateOf('service name', { ...own(), ...named }))[0]?.state).to.equal('ok');
      });
    });

    it('compares the fee receiver with the one that the program was built with', async () => {
      const stranger = await cluster().fundedWallet();
      const [wrong] = await stateOf('migration', { FEE_RECEIVER_KEYPAIR: keyOf(stranger) });
      expect(wrong?.state).to.equal('failure');
      expect(wrong?.detail).to.contain(`is ${stranger.publicKey.toBase58()}, but the program was built with`);
      await cluster().fund(cluster().feeReceiver.publicKey, 1_000_000_000n);
      const [right] = await stateOf('migration', { FEE_RECEIVER_KEYPAIR: keyOf(cluster().feeReceiver) });
      expect(right?.state, right?.detail).to.equal('ok');
      // The program says who its DEX owner is, where that is another than the SDK's.
      const [other] = await stateOf('migration', {
        FEE_RECEIVER_KEYPAIR: keyOf(cluster().feeReceiver),
        DEX_OWNER_KEYPAIR: keyOf(stranger),
      });
      expect(other?.state, other?.detail).to.equal('ok');
    });

    it('counts each token that the treasury owes', async () => {
      const database = await cli.database();
      const mint = token.mint.toBase58();
      const credits = [{ wallet: Keypair.generate().publicKey.toBase58(), amount: 5_000_000n }];
      await database.transaction((tx) =>
        credit(tx, 'settlement', { key: 'doctor', mint, asset: 'TOKEN', credits }),
      );
      const environment = { TREASURY_KEYPAIR: keyOf(treasury) };
      const [short] = await stateOf('treasury tokens', environment);
      expect(short?.state).to.equal('failure');
      expect(short?.fix).to.equal(`send at least 5 of ${mint} to ${treasury.publicKey.toBase58()}`);
      await buyTokens(cluster(), token, treasury, 1_000_000_000n);
      expect((await stateOf('treasury tokens', environment))[0]?.state).to.equal('ok');
    });

    it('counts what the holders of settlements found on chain are still to be credited', async () => {
      const { queries } = await cli.database();
      const mint = Keypair.generate().publicKey.toBase58();
      await queries.execute(sql`
        insert into settlements (id, mint, creator, state, signature, sol, sol_holders, token, token_holders)
        values (1000, ${mint}, 'creator', 'done', 'signature', 50, 50, 3000000, 3000000)
      `);
      await queries.execute(sql`
        insert into recovered_settlements (settlement_id, mint, slot, sol, token, sol_left, token_left)
        values (1000, ${mint}, 1, 6000000000, 3000000, 5000000000, 2000000)
      `);
      try {
        const environment = { TREASURY_KEYPAIR: keyOf(treasury) };
        expect((await stateOf('recovered settlements', environment))[0]).to.include({ state: 'warning' });
        expect((await stateOf('treasury', environment))[0]?.detail).to.contain('owes 12 SOL');
        expect((await stateOf('treasury tokens', environment))[0]?.fix).to.contain(
          `send at least 2 of ${mint}`,
        );
      } finally {
        await queries.execute(sql`delete from recovered_settlements`);
        await queries.execute(sql`delete from settlements where id = 1000`);
      }
      expect((await stateOf('recovered settlements', {}))[0]?.state).to.equal('ok');
    });

    it('is content with 0.01 SOL for fees, as the documents are', async () => {
      const [payer, poor] = [Keypair.generate(), Keypair.generate()];
      await cluster().fund(payer.publicKey, 7_010_000_000n);
      await cluster().fund(poor.publicKey, 7_009_999_999n);
      expect((await stateOf('treasury', { TREASURY_KEYPAIR: keyOf(payer) }))[0]?.state).to.equal('ok');
      expect((await stateOf('treasury', { TREASURY_KEYPAIR: keyOf(poor) }))[0]?.state).to.equal('failure');
    });

    it('names key files that others can open, and shows nothing of them', async () => {
      const path = await keyFile(treasury);
      try {
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
          expect(JSON.stringify(found)).not.to.contain(keyOf(treasury).slice(1, 40));
        }
        const [given] = await stateOf('key files', { TREASURY_KEYPAIR: keyOf(treasury) });
        expect(given).to.include({ state: 'ok', detail: 'none' });
      } finally {
        await rm(path);
      }
    });

    for (const [what, [environment, subject, fix]] of Object.entries(broken)) {
      it(`finds ${what}, and how to fix it`, async () => {
        const found = (await findings(environment)).find((finding) => finding.subject === subject);
        expect(found?.state).to.equal('failure');
        expect(`${found?.detail} ${found?.fix}`).to.match(fix);
      });
    }

    it('warns of a proxy that is not trusted', async () => {
      const found = await findings({ PUBLIC_URL: 'https://api.example.com' });
      expect(found.find(({ subject }) => subject === 'proxies')).to.include({ state: 'warning' });
    });

    describe('of an empty database', () => {
      let fresh: Cli;
      before(async () => {
        fresh = await createCli({
          RPC_URL: cluster().rpcUrl,
          WS_URL: cluster().wsUrl,
          SIMULATED_CLUSTER: simulatedCluster(cluster()),
        });
      });
      after(() => fresh.remove());

      it('asks for the tables first', async () => {
        const { exitCode, out } = await fresh.run(['doctor']);
        expect(exitCode).to.equal(1);
        expect(out).to.contain('run `curvekit migrate-db`');
      });

      it('compares the DEX owner by a simulated launch, for no token tells', async () => {
        await fresh.run(['migrate-db']);
        const dexOwner = async (key: Keypair) => {
          const { out } = await fresh.run(['doctor', '--json'], { DEX_OWNER_KEYPAIR: keyOf(key) });
          return (JSON.parse(out) as DoctorDocument).findings.find(({ subject }) => subject === 'DEX owner');
        };
        const stranger = await cluster().fundedWallet();
        const wrong = await dexOwner(stranger);
        expect(wrong?.state).to.equal('failure');
        expect(wrong?.detail).to.contain(`is ${stranger.publicKey.toBase58()}`).and.to.contain(DEX_OWNER);
        await cluster().fund(cluster().dexOwner.publicKey, 1_000_000_000n);
        expect((await dexOwner(cluster().dexOwner))?.state).to.equal('ok');
      });
    });
  });
});

/** Runs the indexer until the creation and the purchase are final. */
async function index(cluster: LocalCluster, cli: Cli): Promise<void> {
  const context = await testContext(cluster, await cli.database());
  const indexer = startIndexer(context);
  await untilIndexed(context, { records: 2, finalized: 2 });
  await indexer.stop();
}

async function keyFile({ secretKey }: Keypair): Promise<string> {
  const path = join(tmpdir(), `curvekit-cli-${Keypair.generate().publicKey.toBase58()}.json`);
  await writeFile(path, JSON.stringify([...secretKey]), { mode: 0o600 });
  return path;
}

function propertiesOf({ connection, deployment }: LocalCluster) {
  return fetchProperties(connection, { deployment });
}
