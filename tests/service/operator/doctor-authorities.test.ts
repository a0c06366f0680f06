// `curvekit doctor` compares every authority that the service uses with the one in the programs.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { AMM, KEY_HELD_DEPLOYMENT, TOKEN_METADATA_PROGRAM_ADDRESS } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { atEnd } from '#tests/mocha/at-end.js';
import { useCluster, useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { startRpcProxy } from '#tests/node/rpc-proxy.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { runCommand, type Cli } from '#tests/service/cli.js';
import { cliOf, keyFile } from '#tests/service/cli-cluster.js';
import { findingsOf, type Finding } from '#tests/service/doctor.js';
import { clusterEnvironment, keyVariable } from '#tests/service/service-context.js';

function useDoctor(cluster: () => LocalCluster) {
  let cli: Cli;
  before('create the tables', async () => {
    cli = await cliOf(cluster());
    await cli.run(['migrate-db']);
  });
  after(() => cli.close());
  const find = async (subject: string, environment: Record<string, string> = {}) =>
    (await findingsOf(cli, environment)).filter((finding) => finding.subject === subject);
  /** Expects a failure that names the variable, both addresses and the fix. */
  const expectWrong = async (
    subject: string,
    environment: Record<string, string>,
    { wrong, right, fix }: { wrong: string; right: string; fix: string },
  ) => {
    const [variable] = Object.keys(environment);
    const failed = (await find(subject, environment)).find(({ state }) => state === 'failure');
    expect(failed?.detail)
      .to.contain(`${variable} is ${wrong}`)
      .and.to.match(new RegExp(`built with ${right}`));
    expect(failed?.fix).to.contain(`${fix} ${right}`);
  };
  return { cli: () => cli, find, expectWrong };
}

/** Expects that `curvekit start` refuses. @returns what it says */
async function refusal(
  cluster: LocalCluster,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const { exitCode, err } = await runCommand(['start'], {
    ...clusterEnvironment(cluster),
    ...{ DATABASE_FOLDER: 'memory', PORT: '0', INDEXER: 'off' },
    ...environment,
  });
  expect(exitCode).to.equal(1);
  return err;
}

describe('the authorities that `curvekit doctor` compares', () => {
  const stranger = Keypair.generate();
  const wrong = stranger.publicKey.toBase58();

  describe('where a key migrates', () => {
    const cluster = useKeyHeldCluster();
    const { find, expectWrong } = useDoctor(cluster);
    const address = (name: 'admin' | 'dexOwner' | 'feeReceiver') => cluster().deployment[name].toBase58();

    it('says which ones it cannot compare, because no key has SOL', async () => {
      const proxy = await startRpcProxy(cluster().rpcUrl);
      atEnd(() => proxy.stop());
      proxy.rewrite(({ method }, result) => {
        if (method !== 'getMultipleAccounts') return result;
        const { value, ...rest } = result as { value: unknown[] };
        return { ...rest, value: value.map(() => null) };
      });
      const unfunded = { FEE_RECEIVER_ADDRESS: wrong, DEX_OWNER_ADDRESS: wrong, ADMIN_ADDRESS: wrong };
      for (const subject of ['fee receiver', 'DEX owner', 'admin']) {
        const [found] = await find(subject, { ...unfunded, RPC_URL: proxy.url });
        expect(found?.state, found?.detail).to.equal('warning');
        expect(found?.detail).to.contain(`${wrong} could not be compared with the program's: no key has`);
      }
    });

    it('accepts the right ones, as addresses and as keys', async () => {
      const addresses = {
        FEE_RECEIVER_ADDRESS: address('feeReceiver'),
        DEX_OWNER_ADDRESS: address('dexOwner'),
        ADMIN_ADDRESS: address('admin'),
      };
      const { FEE_RECEIVER_ADDRESS } = addresses;
      const key = { FEE_RECEIVER_ADDRESS, ADMIN_KEYPAIR: keyVariable(cluster().admin) };
      for (const environment of [addresses, key])
        for (const subject of ['fee receiver', 'DEX owner', 'admin']) {
          const [found] = await find(subject, environment);
          expect(found?.state, found?.detail).to.equal('ok');
        }
    });

    it('reports that the service uses the graduation program’s fee receiver by default', async () => {
      const found = (await find('fee receiver')).find(({ state }) => state === 'failure');
      expect(found?.detail)
        .to.contain('FEE_RECEIVER_ADDRESS is not set')
        .and.to.contain(`built with ${address('feeReceiver')}`);
    });

    const WRONG = [
      ['fee receiver', 'FEE_RECEIVER_ADDRESS', 'feeReceiver'],
      ['DEX owner', 'DEX_OWNER_ADDRESS', 'dexOwner'],
      ['admin', 'ADMIN_ADDRESS', 'admin'],
      ['migration', 'FEE_RECEIVER_KEYPAIR', 'feeReceiver'],
      ['admin', 'ADMIN_KEYPAIR', 'admin'],
    ] as const;
    for (const [subject, variable, role] of WRONG)
      it(`reports a wrong ${variable} with both addresses, before the first trade`, async () => {
        const isKey = variable.endsWith('KEYPAIR');
        const fix = `set ${variable} to${isKey ? ' the key of' : ''}`;
        const expected = { wrong, right: address(role), fix };
        await expectWrong(subject, { [variable]: isKey ? keyVariable(stranger) : wrong }, expected);
      });

    it('`curvekit start` refuses the fee receiver of another build, and says what to set', async () => {
      const said = await refusal(cluster(), {
        FEE_RECEIVER_ADDRESS: undefined,
        FEE_RECEIVER_KEYPAIR: undefined,
        GRADUATION_PROGRAM_ID: undefined,
      });
      expect(said).to.contain(`set FEE_RECEIVER_ADDRESS to it`).and.to.contain('the development key');
    });
  });

  describe('where curves graduate by themselves', () => {
    const cluster = useCluster();
    const { cli, find, expectWrong } = useDoctor(cluster);
    const environment = () => ({ DEX_OWNER_KEYPAIR: keyVariable(cluster().dexOwner) });
    const treasury = () => cluster().deployment.graduation.treasury.toBase58();

    it('accepts the right treasury, with nothing to sweep', async () => {
      for (const variables of [{}, { GRADUATION_TREASURY: treasury() }]) {
        const [found] = await find('fees', { ...environment(), ...variables });
        expect(found?.state, found?.detail).to.equal('ok');
      }
    });

    it('reports a graduation program that was built for another curve program', async () => {
      const graduation = async (environment: Record<string, string>) =>
        (await find('graduation program', environment))[0];
      const right = await graduation(environment());
      expect(right?.state, right?.detail).to.equal('ok');
      // Any other program at PROGRAM_ID shows the same as another CURVE_PROGRAM in the build.
      const other = TOKEN_METADATA_PROGRAM_ADDRESS.toBase58();
      const mismatched = await graduation({
        ...environment(),
        PROGRAM_ID: other,
        ADMIN_ADDRESS: cluster().admin.publicKey.toBase58(),
        FEE_RECEIVER_ADDRESS: cluster().deployment.feeReceiver.toBase58(),
        GRADUATION_PROGRAM_ID: cluster().deployment.graduation.programId.toBase58(),
        GRADUATION_TREASURY: treasury(),
      });
      expect(mismatched?.state).to.equal('failure');
      expect(mismatched?.detail).to.contain(`built with another curve program than ${other}`);
      expect(mismatched?.fix).to.contain('CURVE_PROGRAM');
    });

    it('reports an AMM that opens no pools, and one that asks more than a migration pays', async () => {
      const config = AMM.addresses(cluster().programId, cluster().programId).config;
      const { data } = (await cluster().connection.getAccountInfo(config))!;
      const withConfig = async (change: (data: Buffer) => void): Promise<Finding> => {
        const changed = Buffer.from(data);
        change(changed);
        await cluster().setAccount(config, { data: changed });
        try {
          return (await find('AMM', environment()))[0]!;
        } finally {
          await cluster().setAccount(config, { data });
        }
      };
      const closed = await withConfig((bytes) => bytes.writeUInt8(1, 9));
      expect(`${closed.state}, ${closed.detail}`).to.match(/^failure, .* opens no pools at the moment/);
      const dear = await withConfig((bytes) => bytes.writeBigUInt64LE(350_000_000n, 36));
      expect(`${dear.state}, ${dear.detail}`).to.match(/^failure, .* asks 0.35 SOL/);
      const { address } = cluster().deployment.graduation.poolCreator;
      expect(dear.fix).to.contain(`give 0.05 SOL a token: lamports at ${address.toBase58()}`);
    });

    it('reports that the service uses another fee receiver than the graduation program', async () => {
      const right = cluster().deployment.graduation.feeReceiver.address.toBase58();
      const key = KEY_HELD_DEPLOYMENT.feeReceiver.toBase58();
      const expected = { wrong: key, right, fix: 'set FEE_RECEIVER_ADDRESS to' };
      await expectWrong('fee receiver', { FEE_RECEIVER_ADDRESS: key, ...environment() }, expected);
      const { programId } = cluster().deployment.graduation;
      const graduating = { GRADUATION_PROGRAM_ID: programId.toBase58(), GRADUATION_TREASURY: treasury() };
      for (const variables of [{}, graduating]) {
        const [found] = await find('fee receiver', { ...environment(), ...variables });
        expect(found?.state, found?.detail).to.equal('ok');
      }
    });

    it('`curvekit start` refuses the address of a key, and names the program’s', async () => {
      const key = KEY_HELD_DEPLOYMENT.feeReceiver.toBase58();
      const right = cluster().deployment.graduation.feeReceiver.address.toBase58();
      const said = await refusal(cluster(), { FEE_RECEIVER_ADDRESS: key });
      expect(said)
        .to.contain(`does not have the fee receiver ${key}, but ${right} of the graduation program`)
        .and.to.contain('remove FEE_RECEIVER_ADDRESS and FEE_RECEIVER_KEYPAIR');
    });

    it('reports a wrong GRADUATION_TREASURY that is the own treasury, before and after a sweep', async () => {
      const own = { GRADUATION_TREASURY: wrong, TREASURY_KEYPAIR: keyVariable(stranger), ...environment() };
      const expected = { wrong, right: treasury(), fix: 'set GRADUATION_TREASURY to' };
      await expectWrong('fees', own, expected);
      await buyTokens(cluster(), await launch(cluster()), cluster().payer, 1_000_000_000n);
      await expectWrong('fees', own, expected);
      await cli().json(['fees', 'sweep', '--admin', await keyFile(cluster().admin)]);
      await expectWrong('fees', own, expected);
      const [found] = await find('fees', environment());
      expect(found?.state, found?.detail).to.equal('ok');
    });
  });
});
