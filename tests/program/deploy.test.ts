// migrations/deploy.ts, which an operator runs after a deployment, directly or through `anchor migrate`. threat: development-keys, deployed-binary
import { readFileSync } from 'node:fs';
import { createDeployment, DEFAULT_DEPLOYMENT, TOKEN_METADATA_PROGRAM_ADDRESS } from '@curvekit/sdk';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { Connection, Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { findGraduation } from '../../migrations/graduation.js';
import { completeDeployment, type DeployReport } from '../../migrations/deployment.js';
import { requireOwnKeys } from '../../migrations/findings.js';
import type { Settings } from '../../migrations/settings.js';
import { CommandError } from '../../scripts/command-line.js';
import { NoProgramError } from '../../scripts/deployed-program.js';
import { DEFAULTS, propertiesOf } from '#tests/program/set-properties.js';
import { rejection } from '#tests/mocha/failures.js';
import { startRpcProxy } from '#tests/node/rpc-proxy.js';

const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const PROGRAM_SO = 'programs/artifacts/bonding_curve.so';
const OTHER_SO = '.cache/mpl_token_metadata.so';

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

  /** How many transactions the admin has signed. */
  async function sent(): Promise<number> {
    return (await cluster.connection.getSignaturesForAddress(cluster.admin.publicKey)).length;
  }

  describe('Given a fee receiver of the graduation program', () => {
    const feeReceiver = () => cluster.deployment.feeReceiver;
    const held = () => cluster.connection.getBalance(feeReceiver());

    beforeEach('take its lamports', () => cluster.setAccount(feeReceiver(), { lamports: 0n }));

    it('when it runs, then it sends the fee receiver its rent exemption, once', async () => {
      const { ok, findings } = await run();
      expect(ok).to.equal(true);
      const found = new Map(findings.map((finding) => [finding.what, finding.found]));
      expect(found.get('graduation program')).to.contain('is programs/artifacts/graduation.so');
      expect(found.get('program')).to.contain('is programs/artifacts/bonding_curve.so');
      expect(found.get('fee receiver')).to.contain('is sent 0.00089088 SOL');
      expect([...found.keys()]).to.include.members([
        'its upgrade authority',
        'its curve program',
        'its admin and treasury',
        'AMM',
      ]);
      expect(await held()).to.equal(890_880);
      expect((await run()).signature).to.equal(undefined);
      expect(await held()).to.equal(890_880);
    });

    it('when the graduation program was built with another treasury or curve program, then it sends nothing and says which', async () => {
      const { connection, deployment } = cluster;
      const { programId } = deployment.graduation;
      const treasury = Keypair.generate().publicKey;
      const { ok, signature, findings } = await run({
        deployment: createDeployment({ ...deployment, graduation: { programId, treasury } }),
      });
      expect([ok, signature, await propertiesOf(cluster)]).to.deep.equal([false, undefined, null]);
      expect(problems(findings).get('its admin and treasury')).to.contain('built with another treasury');
      // Any other program shows the same as another CURVE_PROGRAM in the build.
      const other = createDeployment({ ...deployment, programId: TOKEN_METADATA_PROGRAM_ADDRESS });
      const found = problems(await findGraduation(connection, other));
      expect(found.get('its curve program')).to.contain('built with another curve_program');
    });

    it('when a curve could not graduate at its closing price, then it refuses, already by one token too many', async () => {
      const most = 1_073_061_951_000_000n;
      const refused = await rejection(
        run({ properties: { initialVirtualToken: most + 1_000_000n } }),
        CommandError,
      );
      expect(refused.message).to.contain('above the closing price').and.to.contain('lower the virtual token');
      const poor = await rejection(run({ properties: { initialVirtualSol: 400_000_000n } }), CommandError);
      expect(poor.message).to.contain('too little for a pool').and.to.contain('raise the virtual reserves');
      expect(await propertiesOf(cluster)).to.equal(null);
      expect((await run({ properties: { initialVirtualToken: most } })).ok).to.equal(true);
    });
  });

  describe('Given a program without properties', () => {
    it('when it runs, then it sets the default properties, every check passes, and a second run sends nothing', async () => {
      const { ok, signature, findings } = await run({ programSo: PROGRAM_SO });
      expect(ok).to.equal(true);
      expect(signature).to.be.a('string');
      expect(await propertiesOf(cluster)).to.deep.equal(DEFAULTS);
      const found = new Map(findings.map((finding) => [finding.what, finding.found]));
      expect(found.get('program'))
        .to.contain(cluster.programId.toBase58())
        .and.to.contain(`is ${PROGRAM_SO}`);
      expect(found.get('admin')).to.equal(cluster.admin.publicKey.toBase58());
      expect(found.get('launch and buy')).to.match(/^simulated, [\d,]+ compute units$/);
      expect([...found.keys()]).to.include.members(['upgrade authority', 'fee receiver', 'DEX owner']);
      const before = await sent();
      expect(await run()).to.deep.include({ ok: true, signature: undefined });
      expect(await sent()).to.equal(before);
    });

    it('when it only checks, then it sends nothing and says what is missing', async () => {
      const before = await sent();
      const { ok, findings } = await run({ checkOnly: true });
      expect(ok).to.equal(false);
      expect(problems(findings)).to.have.keys('properties');
      await cluster.setAccount(cluster.deployment.feeReceiver, { lamports: 0n });
      const poor = problems((await run({ checkOnly: true })).findings);
      expect(poor.get('fee receiver')).to.contain('send it that once');
      expect([await propertiesOf(cluster), await sent()]).to.deep.equal([null, before]);
    });

    it('when the deployed binary is not the expected one, then it sends nothing and says so', async () => {
      const { ok, findings } = await run({ programSo: OTHER_SO });
      expect(ok).to.equal(false);
      expect(problems(findings).get('program')).to.contain(OTHER_SO);
      expect(await propertiesOf(cluster)).to.equal(null);
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
        expect(problems(findings).get('launch and buy'), name)
          .to.contain(`account ${account}`)
          .and.to.contain('another key');
        expect([signature, await propertiesOf(cluster), await sent()]).to.deep.equal([
          undefined,
          null,
          before,
        ]);
      }
    });

    it('when the admin is a multisig, then it sends nothing and prints what the multisig must sign, until that has landed', async () => {
      const { admin, connection } = cluster;
      const asMultisig = () => completeDeployment(connection, admin.publicKey, settings());
      await cluster.setAccount(cluster.deployment.feeReceiver, { lamports: 0n });
      const before = await sent();
      const { ok, signature, proposal, findings } = await asMultisig();
      expect([ok, signature, await sent()]).to.deep.equal([false, undefined, before]);
      expect([...problems(findings).keys()]).to.deep.equal(['properties']);
      expect(problems(findings).get('properties')).to.contain(
        `multisig ${admin.publicKey.toBase58()} must make it 30 SOL`,
      );
      const transaction = VersionedTransaction.deserialize(bs58.decode(proposal!));
      transaction.sign([admin]);
      await cluster.sendSigned(transaction);
      expect(await propertiesOf(cluster)).to.deep.equal(DEFAULTS);
      const after = await asMultisig();
      expect([after.ok, after.proposal]).to.deep.equal([true, undefined]);
    });

    it('when a wallet other than the admin runs it, then the error says so and nothing is set', async () => {
      const stranger = await cluster.fundedWallet();
      const deployment = createDeployment({ ...cluster.deployment, admin: stranger.publicKey });
      const error = await rejection(
        completeDeployment(cluster.connection, stranger, settings({ deployment })),
        CommandError,
      );
      expect(error.message)
        .to.contain(stranger.publicKey.toBase58())
        .and.to.contain('built with another key');
      expect(await propertiesOf(cluster)).to.equal(null);
    });

    it('when there is no program at the address, then the error names the address', async () => {
      const programId = Keypair.generate().publicKey;
      const deployment = createDeployment({ ...cluster.deployment, programId });
      const error = await rejection(run({ deployment }), NoProgramError);
      expect(error.message).to.contain(programId.toBase58());
    });

    it('when an authority is an address that nobody can sign for, then it refuses on every cluster but a local one', async () => {
      const own = () => Keypair.generate().publicKey;
      const programId = own();
      const keys = { programId, admin: own(), feeReceiver: own(), dexOwner: own() };
      const real = { rpcEndpoint: 'https://rpc.example', getGenesisHash: () => Promise.resolve('other') };
      const check = (changes: Partial<typeof keys>) =>
        requireOwnKeys(real as unknown as Connection, createDeployment({ ...keys, ...changes }));
      await check({});
      // A deployment with the first, the System program, is refused before.
      const [, ...nobody] = rustAddresses('NOBODY');
      for (const address of [...nobody, programId.toBase58()])
        expect((await rejection(check({ admin: new PublicKey(address) }), CommandError)).message).to.contain(
          `the admin ${address} is an address that nobody can sign for`,
        );
      for (const address of rustAddresses('DEVELOPMENT'))
        expect((await rejection(check({ admin: new PublicKey(address) }), CommandError)).message).to.contain(
          `the admin ${address} is a development key`,
        );
      const { graduation } = DEFAULT_DEPLOYMENT;
      const development = await rejection(
        check({ feeReceiver: graduation.feeReceiver.address }),
        CommandError,
      );
      for (const role of ['fee receiver', 'graduation program', 'treasury'])
        expect(development.message).to.contain(`the ${role} `);
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
        expect(await propertiesOf(cluster)).to.equal(null);
      } finally {
        await proxy.stop();
      }
    });
  });

  describe('Given properties', () => {
    it('when one property is given, then only this one changes; when none is given, then none changes', async () => {
      await run({ properties: { initialVirtualSol: 40_000_000_000n } });
      await run({ properties: { platformFeeBps: 25 } });
      const changed = { ...DEFAULTS, initialVirtualSol: 40_000_000_000n, platformFeeBps: 25 };
      expect(await propertiesOf(cluster)).to.deep.equal(changed);
      expect((await run()).signature).to.equal(undefined);
      expect(await propertiesOf(cluster)).to.deep.equal(changed);
    });

    it('when the fee receiver is a key with too little to be exempt from rent, then it says how many lamports to send to which address', async () => {
      await cluster.stop();
      cluster = await startLocalCluster({ properties: false, graduation: false });
      await run();
      await cluster.setAccount(cluster.feeReceiver.publicKey, { lamports: 1_000n });
      const { ok, findings } = await run();
      expect(ok).to.equal(false);
      expect(problems(findings).get('fee receiver'))
        .to.contain('holds 0.000001 SOL')
        .and.to.match(/send it/);
    });

    it('when the admin is too poor for the simulation, then it says how much SOL is missing at which address', async () => {
      await run();
      await cluster.setAccount(cluster.admin.publicKey, { lamports: 10_000_000n });
      const { ok, findings } = await run();
      expect(ok).to.equal(false);
      expect(problems(findings).get('launch and buy'))
        .to.contain('0.05 SOL')
        .and.to.contain(cluster.admin.publicKey.toBase58());
    });
  });
});

function problems(findings: DeployReport['findings']): Map<string, string> {
  return new Map(findings.flatMap(({ what, problem }) => (problem === undefined ? [] : [[what, problem]])));
}

/** A list of addresses in the programs' interface crate, which refuses them as a build for mainnet does. */
function rustAddresses(list: 'NOBODY' | 'DEVELOPMENT'): string[] {
  const source = ['constants', 'development']
    .map((file) => readFileSync(`programs/interface/src/${file}.rs`, 'utf8'))
    .join('');
  const address = String.raw`Address::from_str_const\("(\w+)"\)`;
  const named = new Map(
    [...source.matchAll(new RegExp(`const (\\w+): Address = ${address}`, 'g'))].map(([, name, text]) => [
      name,
      text!,
    ]),
  );
  const [, length, items = ''] = new RegExp(`const ${list}: \\[Address; (\\d+)\\] =\\s*\\[([^\\]]*)\\]`).exec(
    source,
  )!;
  const addresses = items
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
    .map((item) => named.get(item) ?? new RegExp(address).exec(item)![1]!);
  expect(addresses).to.have.length(Number(length));
  return addresses;
}
