// migrations/deploy.ts: what an operator runs after a deployment, by itself or through `anchor migrate`.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createDeployment, fetchProperties } from '@curvekit/sdk';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { Connection, Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { completeDeployment, type DeployReport } from '../migrations/deployment.js';
import { parseCommandLine, type Settings } from '../migrations/settings.js';
import { CommandError, UsageError } from '../scripts/command-line.js';
import { NoProgramError } from '../scripts/deployed-program.js';
import { rejection } from '#tests/mocha/failures.js';
import { startRpcProxy } from '#tests/node/rpc-proxy.js';

const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const PROGRAM_SO = 'artifacts/bonding_curve.so';
const OTHER_SO = '.cache/mpl_token_metadata.so';
const DEFAULTS = {
  initialVirtualSol: 30_000_000_000n,
  initialVirtualToken: 1_073_000_000_000_000n,
  platformFeeBps: 100,
};

describe('migrations/deploy.ts', () => {
  let cluster: LocalCluster;

  beforeEach('start a cluster without properties', async () => {
    cluster = await startLocalCluster({ properties: false });
  });
  afterEach('stop it', () => cluster.stop());

  function settings(changes: Partial<Settings> = {}): Settings {
    const { deployment } = cluster;
    return { deployment, properties: {}, programSo: undefined, checkOnly: false, ...changes };
  }

  function run(changes?: Partial<Settings>): Promise<DeployReport> {
    return completeDeployment(cluster.connection, cluster.admin, settings(changes));
  }

  async function properties() {
    const found = await fetchProperties(cluster.connection);
    if (found === null) return null;
    const { initialVirtualSol, initialVirtualToken, platformFeeBps } = found;
    return { initialVirtualSol, initialVirtualToken, platformFeeBps };
  }

  /** Transactions that the admin has signed. */
  async function sent(): Promise<number> {
    return (await cluster.connection.getSignaturesForAddress(cluster.admin.publicKey)).length;
  }

  describe('Given curves that graduate by themselves', () => {
    const feeReceiver = () => cluster.deployment.feeReceiver;
    const held = () => cluster.connection.getBalance(feeReceiver());

    beforeEach('start a cluster with the graduation program', async () => {
      await cluster.stop();
      cluster = await startLocalCluster({ properties: false, graduation: true });
      await cluster.setAccount(feeReceiver(), { lamports: 0n });
    });

    it('when it runs, then it brings the fee receiver to its rent exemption, once', async () => {
      const { ok, findings } = await run();
      expect(ok).to.equal(true);
      const found = new Map(findings.map((finding) => [finding.what, finding.found]));
      expect(found.get('graduation program')).to.contain('is artifacts/graduation.so');
      expect(found.get('program')).to.contain('is artifacts/bonding_curve_graduating.so');
      expect(found.get('fee receiver')).to.contain('is sent 0.00089088 SOL');
      expect([...found.keys()]).to.include.members(['its upgrade authority', 'its treasury', 'AMM']);
      expect(await held()).to.equal(890_880);
      expect((await run()).signature).to.equal(undefined);
      expect(await held()).to.equal(890_880);
    });

    it('when it only checks, then it sends nothing and says what the fee receiver lacks', async () => {
      const { ok, findings } = await run({ checkOnly: true });
      expect(ok).to.equal(false);
      expect(findings.find(({ what }) => what === 'fee receiver')?.problem).to.contain('send it that once');
      expect(await held()).to.equal(0);
    });

    it('when a curve could not graduate at its closing price, then it refuses, by one token', async () => {
      const most = 1_073_061_951_000_000n;
      const refused = await rejection(
        run({ properties: { initialVirtualToken: most + 1_000_000n } }),
        CommandError,
      );
      expect(refused.message).to.contain('above the closing price').and.to.contain('lower the virtual token');
      const poor = await rejection(run({ properties: { initialVirtualSol: 400_000_000n } }), CommandError);
      expect(poor.message).to.contain('too little for a pool').and.to.contain('raise the virtual reserves');
      expect(await properties()).to.equal(null);
      expect((await run({ properties: { initialVirtualToken: most } })).ok).to.equal(true);
    });
  });

  describe('Given a program without properties', () => {
    it('when it runs, then they are the defaults, and everything is found right', async () => {
      const { ok, signature, findings } = await run({ programSo: PROGRAM_SO });
      expect(ok).to.equal(true);
      expect(signature).to.be.a('string');
      expect(await properties()).to.deep.equal(DEFAULTS);
      const found = new Map(findings.map((finding) => [finding.what, finding.found]));
      expect(found.get('program'))
        .to.contain(cluster.programId.toBase58())
        .and.to.contain(`is ${PROGRAM_SO}`);
      expect(found.get('admin')).to.equal(cluster.admin.publicKey.toBase58());
      expect(found.get('launch and buy')).to.match(/^simulated, [\d,]+ compute units$/);
      expect([...found.keys()]).to.include.members(['upgrade authority', 'fee receiver', 'DEX owner']);
    });

    it('when it runs twice, then the second time sends nothing', async () => {
      await run();
      const before = await sent();
      const { ok, signature } = await run();
      expect({ ok, signature }).to.deep.equal({ ok: true, signature: undefined });
      expect(await sent()).to.equal(before);
    });

    it('when it only checks, then it sends nothing and says what is missing', async () => {
      const before = await sent();
      const { ok, findings } = await run({ checkOnly: true });
      expect(ok).to.equal(false);
      expect(problems(findings)).to.have.keys('properties');
      expect(await properties()).to.equal(null);
      expect(await sent()).to.equal(before);
    });

    it('when another binary must be there, then it sends nothing and says so', async () => {
      const { ok, findings } = await run({ programSo: OTHER_SO });
      expect(ok).to.equal(false);
      expect(problems(findings).get('program')).to.contain(OTHER_SO);
      expect(await properties()).to.equal(null);
    });

    it('when the fee receiver or the DEX owner is not the compiled-in one, then it sends nothing and says which', async () => {
      const other = Keypair.generate().publicKey;
      for (const [name, account] of [
        ['feeReceiver', 'fee_account'],
        ['dexOwner', 'dex_owner'],
      ] as const) {
        const before = await sent();
        await cluster.fund(other, 1_000_000n);
        const { findings, signature } = await run({
          deployment: createDeployment({ ...cluster.deployment, [name]: other }),
        });
        expect(problems(findings).get('launch and buy'), name).to.contain(`account ${account}`);
        expect([signature, await properties(), await sent()]).to.deep.equal([undefined, null, before]);
      }
    });

    it('when somebody else than the admin runs it, then the program says so and nothing is set', async () => {
      const stranger = await cluster.fundedWallet();
      const deployment = createDeployment({ ...cluster.deployment, admin: stranger.publicKey });
      const error = await rejection(
        completeDeployment(cluster.connection, stranger, settings({ deployment })),
        CommandError,
      );
      expect(error.message)
        .to.contain(stranger.publicKey.toBase58())
        .and.to.contain('built with another key');
      expect(await properties()).to.equal(null);
    });

    it('when there is no program at the address, then it says so', async () => {
      const programId = Keypair.generate().publicKey;
      const deployment = createDeployment({ ...cluster.deployment, programId });
      const error = await rejection(run({ deployment }), NoProgramError);
      expect(error.message).to.contain(programId.toBase58());
    });

    it('when the cluster is mainnet and the keys are the development ones, then it refuses before sending', async () => {
      const proxy = await startRpcProxy(cluster.rpcUrl);
      try {
        proxy.rewrite(({ method }, result) => (method === 'getGenesisHash' ? MAINNET_GENESIS : result));
        const error = await rejection(
          completeDeployment(new Connection(proxy.url, 'confirmed'), cluster.admin, settings()),
          CommandError,
        );
        expect(error.message).to.contain('development key');
        expect(proxy.calls.get('sendTransaction')).to.equal(undefined);
        expect(await properties()).to.equal(null);
      } finally {
        await proxy.stop();
      }
    });
  });

  describe('Given properties', () => {
    it('when one is wanted otherwise, then it alone changes; when nothing is wanted, then all stay', async () => {
      await run({ properties: { initialVirtualSol: 40_000_000_000n } });
      await run({ properties: { platformFeeBps: 25 } });
      const changed = { ...DEFAULTS, initialVirtualSol: 40_000_000_000n, platformFeeBps: 25 };
      expect(await properties()).to.deep.equal(changed);
      expect((await run()).signature).to.equal(undefined);
      expect(await properties()).to.deep.equal(changed);
    });

    it('when the fee receiver or the DEX owner is not the compiled-in one, then the simulated launch tells', async () => {
      const other = Keypair.generate().publicKey;
      for (const [name, account] of [
        ['feeReceiver', 'fee_account'],
        ['dexOwner', 'dex_owner'],
      ] as const) {
        const { ok, findings } = await run({
          deployment: createDeployment({ ...cluster.deployment, [name]: other }),
        });
        expect(ok, name).to.equal(false);
        expect(problems(findings).get('launch and buy'), name)
          .to.contain(`account ${account}`)
          .and.to.contain('another key');
      }
    });

    it('when the fee receiver has too little to be exempt from rent, then it says how much to send where', async () => {
      await run();
      await cluster.setAccount(cluster.feeReceiver.publicKey, { lamports: 1_000n });
      const { ok, findings } = await run();
      expect(ok).to.equal(false);
      expect(problems(findings).get('fee receiver'))
        .to.contain('holds 0.000001 SOL')
        .and.to.match(/send it/);
    });

    it('when the admin is too poor for the simulation, then it says how much is missing where', async () => {
      await run();
      await cluster.setAccount(cluster.admin.publicKey, { lamports: 10_000_000n });
      const { ok, findings } = await run();
      expect(ok).to.equal(false);
      expect(problems(findings).get('launch and buy'))
        .to.contain('0.05 SOL')
        .and.to.contain(cluster.admin.publicKey.toBase58());
    });
  });

  describe('Given the command line', () => {
    it('when it is run by itself, then it prints what it found, and the second time that nothing has changed', () => {
      const command = ['--import=tsx', 'migrations/deploy.ts', '--url', cluster.rpcUrl];
      const [first, second] = [1, 2].map(() => spawnSync(process.execPath, command, { encoding: 'utf8' }));
      expect(first?.status, first?.stderr).to.equal(0);
      expect(first?.stdout).to.contain('set now: ').and.to.contain('all as it must be');
      expect(second?.status, second?.stderr).to.equal(0);
      expect(second?.stdout).to.contain('unchanged').and.to.not.contain('set now');
    });

    it('when `anchor migrate` runs it, through the script that Anchor writes, then it does the same', async () => {
      const script = join('.anchor', `deploy-${randomUUID()}.ts`);
      mkdirSync('.anchor', { recursive: true });
      writeFileSync(script, anchorScript(cluster.rpcUrl));
      try {
        const env = { ...process.env, ANCHOR_WALLET: 'keys/localnet/admin.json' };
        const command = ['run', 'ts-node', script];
        const { status, stdout, stderr } = spawnSync('npm', command, { encoding: 'utf8', env });
        expect(status, stderr).to.equal(0);
        expect(stdout).to.contain('all as it must be');
        expect(await properties()).to.deep.equal(DEFAULTS);
      } finally {
        rmSync(script);
      }
    });
  });
});

describe('anchor migrate in a clone without packages', () => {
  it('installs them before it runs what needs them', () => {
    const tree = mkdtempSync(join(tmpdir(), 'curvekit-clone-'));
    try {
      mkdirSync(join(tree, 'scripts'));
      mkdirSync(join(tree, 'bin'));
      for (const name of ['package.json', 'package-lock.json', 'scripts/setup.mjs', 'scripts/build-page.mjs'])
        copyFileSync(name, join(tree, name));
      // `npm ci` brings tsx; both note that they ran.
      const npm = `#!/bin/sh
echo "npm $1" >> ran
mkdir -p node_modules/.bin && touch node_modules/.package-lock.json
printf '#!/bin/sh\necho "tsx $2" >> ran\n' > node_modules/.bin/tsx && chmod +x node_modules/.bin/tsx
`;
      writeFileSync(join(tree, 'bin', 'npm'), npm, { mode: 0o755 });
      const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
        scripts: Record<string, string>;
      };
      const { status, stderr } = spawnSync('sh', ['-c', `${scripts['ts-node']} .anchor/deploy.ts`], {
        cwd: tree,
        encoding: 'utf8',
        // As `npm run` does.
        env: { PATH: `${tree}/node_modules/.bin:${tree}/bin:${dirname(process.execPath)}:/usr/bin:/bin` },
      });
      expect(status, stderr).to.equal(0);
      expect(readFileSync(join(tree, 'ran'), 'utf8')).to.equal('npm ci\ntsx .anchor/deploy.ts\n');
    } finally {
      rmSync(tree, { recursive: true });
    }
  });
});

describe('migrations/deploy.ts, its options', () => {
  const parse = (args: string[], environment: Record<string, string> = {}) =>
    parseCommandLine(args, environment)!;

  it('Given none, then they are the development build on a local node, and no property is wanted otherwise', () => {
    const { url, deployment, properties, checkOnly } = parse([]);
    expect(url).to.equal('http://127.0.0.1:8899');
    expect(deployment.admin.toBase58()).to.equal('2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q');
    expect({ properties, checkOnly }).to.deep.equal({ properties: {}, checkOnly: false });
  });

  it('Given variables and options, then the options count', () => {
    const environment = {
      CURVE_PLATFORM_FEE_BPS: '50',
      CURVE_INITIAL_VIRTUAL_SOL: '0.5',
      ANCHOR_PROVIDER_URL: 'http://a',
    };
    const { url, properties } = parse(
      ['--platform-fee-bps', '75', '--initial-virtual-token', '1000000000.000001'],
      environment,
    );
    expect(url).to.equal('http://a');
    expect(properties).to.deep.equal({
      platformFeeBps: 75,
      initialVirtualSol: 500_000_000n,
      initialVirtualToken: 1_000_000_000_000_001n,
    });
  });

  it('Given PROGRAM_ID, then it counts as for the service, and so does its former name where it is not set', () => {
    const [own, former] = [Keypair.generate(), Keypair.generate()].map(({ publicKey }) =>
      publicKey.toBase58(),
    );
    const authorities = { CURVE_FEE_RECEIVER: own!, CURVE_DEX_OWNER: own! };
    const programOf = (environment: Record<string, string>) =>
      parse([], { ...authorities, ...environment }).deployment.programId.toBase58();
    expect(programOf({ PROGRAM_ID: own!, CURVE_PROGRAM_ID: former! })).to.equal(own);
    expect(programOf({ CURVE_PROGRAM_ID: former! })).to.equal(former);
    expect(() => parse([], { CURVE_PROGRAM_ID: 'x' })).to.throw("CURVE_PROGRAM_ID is 'x'");
  });

  it('Given another program without what is compiled into it, then the missing options are named', () => {
    const key = Keypair.generate().publicKey.toBase58();
    const program = ['--program-id', key];
    expect(() => parse(program)).to.throw(
      UsageError,
      `${key} is not the development program; give --fee-receiver (CURVE_FEE_RECEIVER) and --dex-owner (CURVE_DEX_OWNER) as`,
    );
    expect(() => parse([...program, '--dex-owner', key])).to.throw(UsageError, 'give --fee-receiver (CURVE');
    const graduation = ['--graduation-program', key];
    expect(() => parse(graduation)).to.throw(
      UsageError,
      'give --graduation-treasury (GRADUATION_TREASURY) as compiled into it',
    );
    graduation.push('--graduation-treasury', key);
    // The PDA of the graduation program receives the fees.
    const { deployment } = parse([...program, '--dex-owner', key, ...graduation]);
    expect(deployment.feeReceiver).to.deep.equal(deployment.graduation.feeReceiver.address);
    expect(deployment.graduation.treasury.toBase58()).to.equal(key);
  });

  it('Given nonsense, then the option or the variable is named', () => {
    const nonsense: [string, string][] = [
      ['--url', 'localhost'],
      ['--keypair', 'Anchor.toml'],
      ['--program-id', '0OIl'],
      ['--fee-receiver', 'me'],
      ['--initial-virtual-sol', '-1'],
      ['--initial-virtual-token', '1.0000001'],
      ['--platform-fee-bps', '1001'],
    ];
    for (const [option, value] of nonsense)
      expect(() => parse([`${option}=${value}`]), option).to.throw(`${option} is '${value}'`);
    expect(() => parse([], { CURVE_DEX_OWNER: 'x' })).to.throw("CURVE_DEX_OWNER is 'x'");
  });
});

function problems(findings: DeployReport['findings']): Map<string, string> {
  return new Map(findings.flatMap(({ what, problem }) => (problem === undefined ? [] : [[what, problem]])));
}

/** What Anchor 1.2.1 writes to .anchor/deploy.ts. */
function anchorScript(url: string): string {
  return `import * as anchor from '@anchor-lang/core';

// Deploy script defined by the user.
const userScript = require("${join(process.cwd(), 'migrations', 'deploy.ts')}");

async function main() {
    const connection = new anchor.web3.Connection(
      "${url}",
      anchor.AnchorProvider.defaultOptions().commitment
    );
    const wallet = anchor.Wallet.local();
    const provider = new anchor.AnchorProvider(connection, wallet);

    // Run the user's deploy script.
    userScript(provider);
}
main();
`;
}
