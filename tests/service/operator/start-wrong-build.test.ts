// `curvekit start` with the fee receiver of another build of the program: it refuses, and names what to set.
import { expect } from 'chai';
import { KEY_HELD_DEPLOYMENT } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { runCommand } from '#tests/service/cli.js';
import { useCluster, useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { clusterEnvironment } from '#tests/service/service-context.js';

describe('curvekit start with the fee receiver of another build', function () {
  this.timeout(60_000);
  const graduating = useCluster();
  const keyHeld = useKeyHeldCluster();

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

  it('names the graduation program’s PDA, when the service has a key’s address', async () => {
    const key = KEY_HELD_DEPLOYMENT.feeReceiver.toBase58();
    const { programId, graduation } = graduating().deployment;
    const said = await refusal(graduating(), { FEE_RECEIVER_ADDRESS: key });
    expect(said).to.equal(
      `curvekit: the program ${programId.toBase58()} does not have the fee receiver ${key}, but ` +
        `${graduation.feeReceiver.address.toBase58()} of the graduation program: ` +
        'remove FEE_RECEIVER_ADDRESS and FEE_RECEIVER_KEYPAIR',
    );
  });

  it('names the key, when the service has the PDA', async () => {
    const said = await refusal(keyHeld(), {
      FEE_RECEIVER_ADDRESS: undefined,
      FEE_RECEIVER_KEYPAIR: undefined,
      GRADUATION_PROGRAM_ID: undefined,
    });
    expect(said).to.contain(`set FEE_RECEIVER_ADDRESS to it`).and.to.contain('the development key');
  });

  it('refuses an address of a program without that program', async () => {
    // The address of an account that only a program controls.
    const pda = graduating().deployment.properties.address.toBase58();
    const said = await refusal(graduating(), {
      FEE_RECEIVER_ADDRESS: pda,
      GRADUATION_PROGRAM_ID: undefined,
    });
    expect(said).to.contain(`GRADUATION_PROGRAM_ID is missing: FEE_RECEIVER_ADDRESS is ${pda}`);
  });
});
