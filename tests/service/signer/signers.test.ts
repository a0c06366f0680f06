// Keys that are elsewhere: what names them, and signers that fail in every way. threat: wrong-signer, hanging-signer
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { ConfigError, readConfig } from '#app/config/config.js';
import { localSigner } from '#app/keys/local-signer.js';
import { remoteSigner } from '#app/keys/remote-signer.js';
import { SignerError, type Signer, type SignerFailure } from '#app/keys/signer.js';
import { parseSignerUrl, type SignerUrl } from '#app/keys/signer-url.js';
import { socketService } from '#app/keys/socket-service.js';
import { rejection } from '#tests/mocha/failures.js';
import { startLyingSigner, type LyingSigner } from '#tests/signers/lying-signer.js';

const key = Keypair.generate();
const address = key.publicKey.toBase58();
const MESSAGE = Buffer.from('a message');
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
    [`unix:///run/signer.sock?address=${address}1`, /must end with \?address=/],
    [`unix://run/signer.sock?address=${address}`, /with the whole path of the socket/],
    [`unix:///?address=${address}`, /with the whole path of the socket/],
    [`unix:///run/signer.sock?address=${address}&endpoint=http://a`, /with the whole path of the socket/],
    [`unix:///run/signer.sock?address=${address}&adress=1`, /has \?adress=, which is unknown/],
    [`unix:///run/signer.sock?address=${address}&pays=all`, /&pays=claims may follow/],
    [`aws-kms://eu-central-1/k?address=${address}&pays=claims`, /has \?pays=, which is unknown/],
    [`aws-kms://eu-central-1?address=${address}`, /KEY is an id, an ARN or alias\/NAME/],
    [
      `aws-kms://eu-central-1/k?address=${address}&endpoint=ftp://a`,
      /endpoint= that is no http or https URL/,
    ],
    [`gcp-kms://projects/p/cryptoKeys/k?address=${address}`, /with the version of the key/],
    [`gcp-kms://${VERSION.replace('/1', '/x')}?address=${address}`, /with the version of the key/],
    ['unix:', /must end with \?address=/],
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

describe('a signer on a socket that', () => {
  let liar: LyingSigner;
  let signer: Signer;
  before(async () => {
    liar = await startLyingSigner();
    const service = socketService({ kind: 'unix', socket: liar.socket, address, paysClaims: false });
    signer = remoteSigner(key.publicKey, service, 300);
  });
  after(() => liar.stop());

  const signature = async (by: Keypair, message: Uint8Array = MESSAGE) =>
    Buffer.from(await localSigner(by).sign(message)).toString('base64');
  const says = (status: number, body: object | string) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    liar.says = () => ({ status, body: text });
  };
  async function fails(
    failure: SignerFailure,
    message: RegExp,
    ask: () => Promise<unknown> = () => signer.sign(MESSAGE),
  ): Promise<void> {
    const before = signer.failures[failure];
    const error = await rejection<SignerError>(ask(), SignerError);
    expect([error.failure, signer.failures[failure]]).to.deep.equal([failure, before + 1]);
    expect(error.message).to.match(message).and.to.contain(liar.socket);
  }

  it('signs something else, or with another key, is not', async () => {
    says(200, { signature: await signature(key, Buffer.from('another message')) });
    await fails('wrong', /no signature of \w+ over the transaction; nothing was sent/);
    says(200, { signature: await signature(Keypair.generate()) });
    await fails('wrong', /no signature of/);
    for (const text of ['', 'AAAA', '!!!']) {
      says(200, { signature: text });
      await fails('wrong', /no signature of/);
    }
  });
});
