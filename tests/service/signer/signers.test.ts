// Keys that are elsewhere: what names them, and signers that fail in every way. threat: wrong-signer, hanging-signer
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { ConfigError, readConfig } from '#app/config/config.js';
import { localSigner } from '#app/keys/local-signer.js';
import { remoteSigner } from '#app/keys/remote-signer.js';
import { SignerError } from '#app/keys/signer.js';
import { parseSignerUrl, type SignerUrl } from '#app/keys/signer-url.js';
import { socketService } from '#app/keys/socket-service.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { rejection } from '#tests/mocha/failures.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const key = Keypair.generate();
const address = key.publicKey.toBase58();
const ARN = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd';
const VERSION = 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1';

describe('the URL of a signer', () => {
  const valid: readonly (readonly [url: string, parsed: SignerUrl])[] = [
    [
      `unix:///run/a b.sock?address=${address}`,
      { kind: 'unix', socket: '/run/a b.sock', address, paysClaims: false },
    ],
    [
      `unix:///run/a.sock?address=${address}&pays=claims`,
      { kind: 'unix', socket: '/run/a.sock', address, paysClaims: true },
    ],
    [
      `aws-kms://eu-central-1/alias/treasury?address=${address}`,
      { kind: 'aws-kms', region: 'eu-central-1', key: 'alias/treasury', endpoint: undefined, address },
    ],
    [
      `aws-kms://eu-central-1/${ARN}?address=${address}&endpoint=https://vpce.example`,
      { kind: 'aws-kms', region: 'eu-central-1', key: ARN, endpoint: 'https://vpce.example', address },
    ],
    [
      `gcp-kms://${VERSION}?address=${address}`,
      { kind: 'gcp-kms', key: VERSION, endpoint: undefined, address },
    ],
  ];
  for (const [url, parsed] of valid)
    it(`is read: ${parsed.kind}, ${url.length} characters`, () => {
      expect(parseSignerUrl(url)).to.deep.equal(parsed);
      const { treasury, keyFiles, signers } = readConfig({ TREASURY_KEYPAIR: url });
      expect(treasury!.publicKey.equals(key.publicKey)).to.equal(true);
      expect(keyFiles).to.deep.equal([]);
      expect(signers).to.deep.equal([{ variable: 'TREASURY_KEYPAIR', signer: treasury }]);
    });

  const refused: readonly (readonly [url: string, problem: RegExp])[] = [
    ['unix:///run/signer.sock', /must end with \?address= and the base58 address/],
    [`unix://run/signer.sock?address=${address}`, /with the whole path of the socket/],
    [`unix:///run/signer.sock?address=${address}&endpoint=http://a`, /with the whole path of the socket/],
    [`unix:///run/signer.sock?address=${address}&adress=1`, /has \?adress=, which is unknown/],
    [`unix:///run/signer.sock?address=${address}&pays=all`, /&pays=claims may follow/],
    [`aws-kms://eu-central-1/k?address=${address}&pays=claims`, /has \?pays=, which is unknown/],
    [`aws-kms://eu-central-1?address=${address}`, /KEY is an id, an ARN or alias\/NAME/],
    [
      `aws-kms://eu-central-1/k?address=${address}&endpoint=ftp://a`,
      /endpoint= that is no http or https URL/,
    ],
    [`gcp-kms://${VERSION.replace('/1', '/x')}?address=${address}`, /with the version of the key/],
  ];
  for (const [url, problem] of refused)
    it(`is refused: ${url.replace(address, 'ADDRESS')}`, () => {
      expect(() => readConfig({ DEX_OWNER_KEYPAIR: url }))
        .to.throw(ConfigError)
        .with.property('problems')
        .that.satisfies(
          (problems: ConfigError['problems']) =>
            problems.length === 1 &&
            problems[0]!.variable === 'DEX_OWNER_KEYPAIR' &&
            problem.test(problems[0]!.problem),
        );
    });
});

it('a signer on a socket that signs something else, or with another key, is not believed', async () => {
  const folder = temporaryFolder('signer');
  const socket = join(folder, 'signer.sock');
  let lie = '';
  const liar = createServer((_request, response) => response.end(JSON.stringify({ signature: lie })));
  liar.listen(socket);
  await once(liar, 'listening');
  const signer = remoteSigner(
    key.publicKey,
    socketService({ kind: 'unix', socket, address, paysClaims: false }),
    300,
  );
  const signature = async (by: Keypair, message: string) =>
    Buffer.from(await localSigner(by).sign(Buffer.from(message))).toString('base64');
  atEnd(() => liar.close());
  atEnd(() => liar.closeAllConnections());
  const lies = [
    await signature(key, 'another message'),
    await signature(Keypair.generate(), 'a message'),
    ...['', 'AAAA', '!!!'],
  ];
  for (lie of lies) {
    const error = await rejection<SignerError>(signer.sign(Buffer.from('a message')), SignerError);
    expect(error.failure).to.equal('wrong');
    expect(error.message).to.match(/no signature of \w+ over the transaction; nothing was sent/);
  }
  expect(signer.failures.wrong).to.equal(lies.length);
});
