// Keys in the clouds, against servers with their published protocols, also in the compiled service, where a bundled package is imported in
// another way than from the sources. threat: wrong-signer, hanging-signer
import { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { verifySignature } from '#app/keys/ed25519.js';
import { signerOf } from '#app/keys/signer-of.js';
import { SignerError, type Signer } from '#app/keys/signer.js';
import { parseSignerUrl } from '#app/keys/signer-url.js';
import { rejection } from '#tests/mocha/failures.js';
import { bundled } from '#tests/process/bundled.js';
import { run } from '#tests/process/run.js';
import { AWS, GCP_KEY, startAwsKms, startGcpKms, type KmsServer } from '#tests/signers/kms-servers.js';

const MESSAGE = Buffer.from('a message');

interface Cloud {
  readonly name: string;
  readonly start: () => Promise<KmsServer>;
  readonly environment: (server: KmsServer) => Readonly<Record<string, string>>;
  /** Without the address. */
  readonly url: string;
  readonly wrongUrl: string;
}

const CLOUDS: readonly Cloud[] = [
  {
    name: 'AWS KMS',
    start: startAwsKms,
    environment: () => AWS.environment,
    url: `aws-kms://${AWS.region}/${AWS.key}`,
    wrongUrl: `aws-kms://${AWS.region}/alias/other`,
  },
  {
    name: 'Google Cloud KMS',
    start: startGcpKms,
    environment: ({ url }) => ({
      GCE_METADATA_HOST: new URL(url).host,
      METADATA_SERVER_DETECTION: 'assume-present',
    }),
    url: `gcp-kms://${GCP_KEY}`,
    wrongUrl: `gcp-kms://${GCP_KEY.replace('treasury', 'other')}`,
  },
];

/** What `curvekit doctor` of the compiled service says of the signers. It fails, since there is no node. */
async function signersOf(environment: Readonly<Record<string, string>>): Promise<string> {
  const main = await bundled('app/src/operator/main.ts');
  const env = { ...process.env, DATABASE_FOLDER: 'memory', RPC_URL: 'http://127.0.0.1:1', ...environment };
  const { stdout } = await run(process.execPath, [main, 'doctor'], { env }).catch(
    (failed: { readonly stdout: string }) => failed,
  );
  return /^signers.*$/m.exec(stdout)?.[0] ?? stdout;
}

for (const cloud of CLOUDS)
  describe(`a key in ${cloud.name}`, () => {
    const before_: Record<string, string | undefined> = {};
    let server: KmsServer;
    let signer: Signer;
    const signerAt = (url: string, address: string) =>
      signerOf(parseSignerUrl(`${url}?address=${address}&endpoint=${server.url}`));

    before(async () => {
      server = await cloud.start();
      for (const [name, value] of Object.entries(cloud.environment(server))) {
        before_[name] = process.env[name];
        process.env[name] = value;
      }
      signer = signerAt(cloud.url, server.address);
    });
    after(async () => {
      for (const [name, value] of Object.entries(before_))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      await server.stop();
    });

    it('signs', async () => {
      await signer.check();
      const signature = await signer.sign(MESSAGE);
      expect(verifySignature(new PublicKey(server.address).toBytes(), MESSAGE, signature)).to.equal(true);
    });

    it('is asked by the compiled service', async () => {
      const TREASURY_KEYPAIR = `${cloud.url}?address=${server.address}&endpoint=${server.url}`;
      expect(await signersOf({ TREASURY_KEYPAIR })).to.match(new RegExp(`^signers +ok +${cloud.name}`));
    });

    it('a key that is another one is found out, by the check and by its signature', async () => {
      const stranger = PublicKey.unique().toBase58();
      const other = signerAt(cloud.url, stranger);
      const checked = await rejection<SignerError>(other.check(), SignerError);
      expect(checked.message).to.contain(`must have the key ${stranger} and has ${server.address}`);
      expect((await rejection<SignerError>(other.sign(MESSAGE), SignerError)).failure).to.equal('wrong');
    });

    it('a key that hung signs again as soon as it answers, after more calls than its client has connections', async () => {
      server.hangs = true;
      const failures = await Promise.all(
        Array.from(
          { length: 60 },
          async () => (await rejection<SignerError>(signer.sign(MESSAGE), SignerError)).failure,
        ),
      );
      server.hangs = false;
      expect(new Set(failures)).to.deep.equal(new Set(['timeout']));
      await signer.sign(MESSAGE);
    });
  });
