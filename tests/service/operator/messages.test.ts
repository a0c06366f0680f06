// The operator's commands explain a refusal, and never print a key.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { buyTokens, launch, WHOLE_CURVE_LAMPORTS } from '#tests/program/tokens.js';
import { keyFile, useCli } from '#tests/service/cli-cluster.js';
import { keyVariable } from '#tests/service/service-context.js';

interface IssuedDocument {
  readonly id: string;
  readonly key: string;
}

describe('messages of `curvekit`', function () {
  this.timeout(120_000);

  const { cluster, cli } = useCli();
  const secret = keyVariable(Keypair.generate());
  /** Not a key, because its last number is missing. */
  const malformed = secret.replace(/,\d+\]$/, ']');

  before(async () => {
    const { exitCode, err } = await cli().run(['migrate-db']);
    expect(exitCode, err).to.equal(0);
  });

  const issue = () =>
    cli().json<IssuedDocument>([
      ...['key', 'issue', '--partner', 'Acme', '--wallet', cluster().payer.publicKey.toBase58()],
    ]);

  it('names a key without SOL', async () => {
    const poor = Keypair.generate();
    const path = await keyFile(poor);
    const token = await launch(cluster());
    await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
    for (const args of [
      ['properties', 'set', '--fee-bps', '100', '--admin', path],
      ['fees', 'sweep', '--admin', path],
      ['graduate', token.mint.toBase58(), '--payer', path],
    ]) {
      const { exitCode, err } = await cli().run(args);
      expect(exitCode).to.equal(1);
      expect(err).to.contain(`the account ${poor.publicKey.toBase58()} has no SOL to pay the network fee`);
    }
  });

  const pasted: Record<string, string[]> = {
    'a malformed key as --admin': ['properties', 'set', '--fee-bps', '1', '--admin', malformed],
    'a malformed key with quotes and lines': ['fees', 'sweep', '--admin', `${malformed}\n' is invalid. '`],
    'a key as --wallet': ['key', 'issue', '--partner', 'x', '--wallet', secret],
    'a key as a mint': ['migrate', secret],
    'a key as a command': ['key', secret],
    'a key after an unknown option': ['key', 'list', `--admi=${secret}`],
  };
  for (const [what, args] of Object.entries(pasted)) {
    it(`does not quote ${what}`, async () => {
      const { exitCode, err, out } = await cli().run(args);
      expect(exitCode).to.equal(2);
      expect(err).to.contain('error: ');
      expect(err + out).not.to.contain(secret.slice(1, 20));
    });
  }

  it('`key rotate` and `key revoke` accept a whole key, and print nothing of its secret', async () => {
    const { id, key } = await issue();
    const rotated = await cli().json<{ issued: IssuedDocument; replaced: { id: string } }>([
      ...['key', 'rotate', key, '--overlap', '1h'],
    ]);
    expect(rotated.replaced.id).to.equal(id);
    const revoked = await cli().run(['key', 'revoke', key]);
    expect(revoked).to.include({ exitCode: 0, out: `Revoked the key ${id} of Acme.` });
    const again = await cli().run(['key', 'revoke', key]);
    expect(again.err).to.contain(`the key ${id} is revoked already`).and.not.to.contain(key.slice(30));
  });

  it('`key revoke` prints nothing of a secret that it does not know', async () => {
    const { key } = await issue();
    const [, , secretAndSum = ''] = key.split('_');
    const unknown = await cli().run(['key', 'revoke', `curvekit_0123456789abcdef_${secretAndSum}`]);
    expect(unknown.exitCode).to.equal(1);
    expect(unknown.err).to.contain('there is no key 0123456789abcdef;');
    for (const text of [secretAndSum, key.replace('curvekit', 'curve-kit')]) {
      const { exitCode, err } = await cli().run(['key', 'revoke', text]);
      expect(exitCode).to.equal(1);
      expect(err).to.contain('there is no key with this id').and.not.to.contain(secretAndSum.slice(0, 8));
    }
  });
});
