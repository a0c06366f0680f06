// The operator's commands for keys, properties, tokens, claims and the ledger.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { DEFAULT_DEPLOYMENT, fetchProperties } from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type LocalCluster } from '@curvekit/testing';
import { claims } from '#app/db/schema/index.js';
import { launch, TERMS, type Token } from '#tests/program/tokens.js';
import { finalizeAll } from '#tests/service/service-context.js';
import { index, storeClaim, indexToken, keyFile, useCli } from '#tests/service/cli-cluster.js';

interface KeyDocument {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly expiresAt: string | null;
}

/** All but line breaks. */
const CONTROLS = /[^\P{Cc}\n]|\p{Cf}/u;

describe('curvekit commands for records', () => {
  const { cluster, cli } = useCli();
  let token: Token;

  before('index a token', async function () {
    this.timeout(120_000);
    token = await indexToken(cluster(), cli());
  });

  describe('key', () => {
    const wallet = Keypair.generate().publicKey.toBase58();
    let issued: KeyDocument;

    it('issues a key and shows it once', async () => {
      issued = await cli().json([
        ...['key', 'issue', '--partner', 'Acme', '--wallet', wallet, '--expires', '90d'],
      ]);
      expect(issued).to.include({ partner: 'Acme', payoutWallet: wallet, state: 'active' });
      expect(issued.key).to.match(/^curvekit_[0-9a-f]{16}_[0-9a-f]{72}$/);
      const listed = await cli().run(['key', 'list']);
      expect(listed.out)
        .to.contain(issued.id)
        .and.to.contain('Acme')
        .and.not.to.contain(issued.key.slice(30));
    });

    it('issues a key with its own rate limit', async () => {
      const limited = await cli().json<KeyDocument & { readonly requestLimit: number | null }>([
        ...['key', 'issue', '--partner', 'Acme', '--limit', '10000'],
      ]);
      expect(limited.requestLimit).to.equal(10_000);
      expect((await cli().run(['key', 'list'])).out).to.match(new RegExp(`${limited.id}.*10000`));
      const { exitCode, err } = await cli().run(['key', 'issue', '--partner', 'Acme', '--limit', '0']);
      expect([exitCode, err.includes('from 1 to')]).to.deep.equal([2, true]);
      await cli().run(['key', 'revoke', limited.id]);
    });

    const unusable: Record<string, [string[], string]> = {
      'a new partner without a wallet': [['--partner', 'New'], '--wallet ADDRESS'],
      'another wallet for a known partner': [
        ['--partner', 'Acme', '--wallet', Keypair.generate().publicKey.toBase58()],
        'has the payout wallet',
      ],
      'a payout wallet that cannot sign': [
        ['--partner', 'Pda', '--wallet', DEFAULT_DEPLOYMENT.properties.address.toBase58()],
        'a wallet that can sign',
      ],
      'a name with a line break': [['--partner', 'A\nNonce: 1', '--wallet', wallet], "partner's name"],
      'an empty name': [['--partner', '', '--wallet', wallet], "partner's name"],
      'a name of 65 letters': [['--partner', 'a'.repeat(65), '--wallet', wallet], "partner's name"],
    };
    for (const [what, [args, message]] of Object.entries(unusable)) {
      it(`refuses ${what}`, async () => {
        const { exitCode, err } = await cli().run(['key', 'issue', ...args]);
        expect(err).to.contain(message);
        expect(exitCode).to.equal(1);
      });
    }

    it('rotates a key: the old one expires after the overlap', async () => {
      const before = Date.now();
      const rotated = await cli().json<{ issued: KeyDocument; replaced: KeyDocument }>([
        ...['key', 'rotate', issued.id, '--overlap', '2h'],
      ]);
      expect(rotated.replaced.id).to.equal(issued.id);
      expect(rotated.issued.id).not.to.equal(issued.id);
      expect(Date.parse(rotated.replaced.expiresAt!) - before).to.be.within(7_200_000, 7_260_000);
    });

    it('revokes a key, and then refuses to rotate it', async () => {
      expect(await cli().json(['key', 'revoke', issued.id])).to.include({ id: issued.id, state: 'revoked' });
      const rotated = await cli().run(['key', 'rotate', issued.id]);
      expect(rotated.err).to.contain('is revoked and cannot be rotated');
    });
  });

  describe('properties', () => {
    it('changes the given properties and keeps the others', async () => {
      const admin = await keyFile(cluster().admin);
      const { out, exitCode } = await cli().run(['properties', 'set', '--admin', admin, '--fee-bps', '150']);
      expect(exitCode).to.equal(0);
      expect(out).to.match(/platform fee +1 % +1\.5 %/);
      expect(await propertiesOf(cluster())).to.include({ ...DEFAULT_PROPERTIES, platformFeeBps: 150 });
      await cli().json(['properties', 'set', '--admin', admin, '--fee-bps', '100']);
    });
  });

  describe('token, claims, ledger and reindex', () => {
    it('shows one token, with amounts as strings in JSON', async () => {
      const mint = token.mint.toBase58();
      const { curve } = await cli().json<{ curve: Record<string, unknown> }>(['token', 'show', mint]);
      expect(curve).to.include({ mint, buys: 1, solPaid: '1000000000', fees: '10000000' });
      const { out } = await cli().run(['token', 'show', mint]);
      expect(out).to.match(/platform fees +0\.01 SOL/);
    });

    it('shows no control characters of a creator: they could clear the screen or forge a line', async () => {
      const terms = {
        name: 'Evil\u001b[31m\u202e',
        symbol: 'A\u001b[2J\nB',
        uri: 'https://a.example/\u009b2J\nhidden  no',
      };
      const evil = await launch(cluster(), { ...TERMS, ...terms });
      await finalizeAll(cluster());
      await index(cluster(), cli(), 3);
      const mint = evil.mint.toBase58();
      const listed = (await cli().run(['token', 'list'])).out;
      expect(listed).to.contain('A?[2J?B').and.not.to.match(CONTROLS);
      const shown = (await cli().run(['token', 'show', mint])).out;
      expect(shown)
        .to.contain('Evil?[31m? (A?[2J?B)')
        .and.to.contain('https://a.example/?2J?hidden  no')
        .and.not.to.match(CONTROLS);
      const { token: document } = await cli().json<{ token: { symbol: string } }>(['token', 'show', mint]);
      expect(document.symbol).to.equal(terms.symbol);
    });

    it('has metadata fetched again', async () => {
      const mint = token.mint.toBase58();
      const { out } = await cli().run(['token', 'refetch', mint]);
      expect(out).to.contain(`The running service fetches the metadata of ${mint} within seconds`);
      for (const command of ['refetch', 'show']) {
        const unknown = await cli().run(['token', command, Keypair.generate().publicKey.toBase58()]);
        expect(unknown.exitCode).to.equal(1);
        expect(unknown.err).to.match(/^curvekit: the token \w+ is not indexed; /);
      }
    });

    it('hides a token and shows it again', async () => {
      const mint = token.mint.toBase58();
      const hidden = async () =>
        (await cli().json<{ hidden: { reason: string } | null }>(['token', 'show', mint])).hidden;
      expect(await hidden()).to.equal(null);
      const document = await cli().json(['token', 'hide', mint, '--reason', 'a trademark']);
      expect(document).to.deep.equal({ mint, hidden: true, reason: 'a trademark' });
      expect(await hidden()).to.include({ mint, reason: 'a trademark' });
      expect((await cli().run(['token', 'hide', mint])).out).to.contain('was hidden before');
      expect((await cli().run(['token', 'show', mint])).out).to.match(/hidden +since \d{4}-.*: not given/);
      expect(await cli().json(['token', 'unhide', mint])).to.deep.equal({ mint, hidden: false });
      expect(await hidden()).to.equal(null);
      const again = await cli().run(['token', 'unhide', mint]);
      expect([again.exitCode, again.err]).to.deep.equal([
        1,
        `curvekit: the token ${mint} is not hidden; \`curvekit token show ${mint}\` shows it`,
      ]);
    });

    it('lists and shows claims', async () => {
      const signature = 'S1gnature';
      const wallet = await storeClaim(cli(), token, signature);
      const listed = await cli().run(['claims', 'list', '--wallet', wallet, '--state', 'IN_PROGRESS']);
      expect(listed.out).to.contain(signature).and.to.contain('7 SOL').and.to.contain('IN_PROGRESS');
      expect((await cli().run(['claims', 'list', '--state', 'FAILED'])).out).to.contain('no such claims');
      expect(await cli().json(['claims', 'show', signature])).to.include({ signature, amount: '7000000000' });
      const missing = await cli().run(['claims', 'show', 'none']);
      expect(missing.exitCode).to.equal(1);
      expect(missing.err).to.contain('there is no claim none');
    });

    it('proves that the ledger adds up', async () => {
      const { exitCode, out } = await cli().run(['ledger', 'check']);
      expect(out)
        .to.contain('The ledger adds up.')
        .and.to.match(/SOL +7 +0 +7 +0/);
      expect(exitCode).to.equal(0);
    });

    it('finds a ledger that does not add up, with exit code 1', async () => {
      await (await cli().database()).queries.update(claims).set({ amount: 1n });
      const { exitCode, out } = await cli().run(['ledger', 'check']);
      expect(out).to.contain('NOT').and.to.contain('7000000000 reserved, 1 in claims');
      expect(exitCode).to.equal(1);
      await (await cli().database()).queries.update(claims).set({ amount: 7_000_000_000n });
    });

    it('indexes the chain again after a reindex', async function () {
      this.timeout(60_000);
      await cli().run(['reindex']);
      expect((await cli().run(['token', 'list'])).out).to.equal('No token is indexed yet.');
      await index(cluster(), cli(), 3);
      expect((await cli().run(['token', 'list'])).out).to.contain(token.mint.toBase58());
    });
  });
});

function propertiesOf({ connection, deployment }: LocalCluster) {
  return fetchProperties(connection, { deployment });
}
