// The command line of migrations/deploy.ts: its options, a direct run, and a run through `anchor migrate`.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { DEFAULTS, propertiesOf } from '#tests/program/set-properties.js';
import { copySetup } from '#tests/process/setup-files.js';
import { parseCommandLine } from '../../migrations/settings.js';
import { UsageError } from '../../scripts/command-line.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

describe('migrations/deploy.ts, its command line', () => {
  let cluster: LocalCluster;

  beforeEach('start a cluster without properties', async () => {
    cluster = await startLocalCluster({ properties: false });
  });
  afterEach('stop it', () => cluster.stop());

  it('when it is run directly, then it prints its findings, and a second run prints that nothing has changed', () => {
    const command = ['--import=tsx', 'migrations/deploy.ts', '--url', cluster.rpcUrl];
    const [first, second] = [1, 2].map(() => spawnSync(process.execPath, command, { encoding: 'utf8' }));
    expect(first?.status, first?.stderr).to.equal(0);
    expect(first?.stdout).to.contain('set now: ').and.to.contain('all as it must be');
    expect(second?.status, second?.stderr).to.equal(0);
    expect(second?.stdout).to.contain('unchanged').and.to.not.contain('set now');
  });

  it('when `anchor migrate` runs it through a script like the one Anchor writes, then it sets the properties too', async () => {
    const script = join('.anchor', `deploy-${randomUUID()}.ts`);
    mkdirSync('.anchor', { recursive: true });
    writeFileSync(script, anchorScript(cluster.rpcUrl));
    try {
      const env = { ...process.env, ANCHOR_WALLET: 'programs/keys/localnet/admin.json' };
      const command = ['run', 'ts-node', script];
      const { status, stdout, stderr } = spawnSync('npm', command, { encoding: 'utf8', env });
      expect(status, stderr).to.equal(0);
      expect(stdout).to.contain('all as it must be');
      expect(await propertiesOf(cluster)).to.deep.equal(DEFAULTS);
    } finally {
      rmSync(script);
    }
  });
});

describe('anchor migrate in a clone without packages', () => {
  it('installs the packages before it runs the script', () => {
    const tree = temporaryFolder('clone');
    copySetup(tree);
    // A fake `npm ci` that installs a fake tsx. Both write their call to the file `ran`.
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
      // The same PATH as under `npm run`.
      env: { PATH: `${tree}/node_modules/.bin:${tree}/bin:${dirname(process.execPath)}:/usr/bin:/bin` },
    });
    expect(status, stderr).to.equal(0);
    expect(readFileSync(join(tree, 'ran'), 'utf8')).to.equal('npm ci\ntsx .anchor/deploy.ts\n');
  });
});

describe('migrations/deploy.ts, its options', () => {
  const parse = (args: string[], environment: Record<string, string> = {}) =>
    parseCommandLine(args, environment)!;

  it('Given no options, then the defaults are the development build, a local node and no changed property', () => {
    const { url, deployment, properties, checkOnly } = parse([]);
    expect(url).to.equal('http://127.0.0.1:8899');
    expect(deployment.admin.toBase58()).to.equal('2JtnRdG7nsPDvBRq4FfuzNLY7xoCaX9kD4bGutPHjH4Q');
    expect({ properties, checkOnly }).to.deep.equal({ properties: {}, checkOnly: false });
  });

  it('Given environment variables and options, then the options take precedence', () => {
    const programId = Keypair.generate().publicKey.toBase58();
    const environment = {
      CURVE_PLATFORM_FEE_BPS: '50',
      CURVE_INITIAL_VIRTUAL_SOL: '0.5',
      ANCHOR_PROVIDER_URL: 'http://a',
      ...{ PROGRAM_ID: programId, CURVE_FEE_RECEIVER: programId, CURVE_DEX_OWNER: programId },
    };
    const { url, properties, deployment } = parse(
      ['--platform-fee-bps', '75', '--initial-virtual-token', '1000000000.000001'],
      environment,
    );
    expect(url).to.equal('http://a');
    expect(deployment.programId.toBase58()).to.equal(programId);
    expect(properties).to.deep.equal({
      platformFeeBps: 75,
      initialVirtualSol: 500_000_000n,
      initialVirtualToken: 1_000_000_000_000_001n,
    });
  });

  it('Given another program without the addresses compiled into it, then the error names the missing options', () => {
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

  it('Given invalid values, then the error names the option or the variable', () => {
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
