// Signers in the compiled service. A package that is bundled is imported there in another way than from the sources.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { bundled } from '#tests/process/bundled.js';
import { AWS, GCP_KEY, startAwsKms, startGcpKms, type KmsServer } from '#tests/signers/kms-servers.js';
import { startSignerProcess } from '#tests/signers/signer-process.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

/** Nothing answers there. */
const NO_NODE = 'http://127.0.0.1:1';

describe('the compiled service', () => {
  /** What `curvekit doctor` says of the signers. */
  async function doctorOf(environment: Readonly<Record<string, string>>): Promise<string> {
    const main = await bundled('app/src/operator/main.ts');
    const env = { ...process.env, DATABASE_FOLDER: 'memory', RPC_URL: NO_NODE, ...environment };
    // It fails, since there is no node.
    const out = await new Promise<string>((resolve) => {
      execFile(process.execPath, [main, 'doctor'], { env }, (_error, stdout) => resolve(stdout));
    });
    return /^signers.*$/m.exec(out)?.[0] ?? out;
  }

  async function doctorOfCloud(
    server: KmsServer,
    url: string,
    environment: Readonly<Record<string, string>>,
  ): Promise<string> {
    try {
      const TREASURY_KEYPAIR = `${url}?address=${server.address}&endpoint=${server.url}`;
      return await doctorOf({ ...environment, TREASURY_KEYPAIR });
    } finally {
      await server.stop();
    }
  }

  it('asks AWS KMS', async () => {
    const found = await doctorOfCloud(
      await startAwsKms(),
      `aws-kms://${AWS.region}/${AWS.key}`,
      AWS.environment,
    );
    expect(found).to.match(/^signers +ok +AWS KMS/);
  });

  it('asks Google Cloud KMS', async () => {
    const server = await startGcpKms();
    const found = await doctorOfCloud(server, `gcp-kms://${GCP_KEY}`, {
      GCE_METADATA_HOST: new URL(server.url).host,
      METADATA_SERVER_DETECTION: 'assume-present',
    });
    expect(found).to.match(/^signers +ok +Google Cloud KMS/);
  });

  it('asks a signer in another process', async () => {
    const folder = temporaryFolder('signer');
    const signer = await startSignerProcess(join(folder, 'signer.sock'), Keypair.generate());
    try {
      expect(await doctorOf({ TREASURY_KEYPAIR: signer.url })).to.match(/^signers +ok +the signer at /);
    } finally {
      await signer.end('SIGTERM');
    }
  });
});
