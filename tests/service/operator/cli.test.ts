// The command `curvekit`: its help, its records, and what it says of a mistake. It never prints a key.
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { useCli, index, storeClaim, indexToken, keyFile } from '#tests/service/cli-cluster.js';
import { Keypair } from '@solana/web3.js';
import { DEFAULT_DEPLOYMENT, fetchProperties } from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type LocalCluster } from '@curvekit/testing';
import { claims } from '#app/db/schema/index.js';
import { launch, TERMS, type Token, buyTokens, WHOLE_CURVE_LAMPORTS } from '#tests/program/tokens.js';
import { finalizeAll, keyVariable } from '#tests/service/service-context.js';

interface KeyDocument {
  readonly id: string;
  readonly key: string;
  readonly state: string;
  readonly expiresAt: string | null;
}

/** All but line breaks. */
const CONTROLS = /[^\P{Cc}\n]|\p{Cf}/u;

describe('curvekit', () => {
  const { cluster, cli } = useCli();

  describe('help and usage', () => {
    /** Every command, as the help lists them, and its help. */
    async function commands(
      of: readonly string[] = [],
    ): Promise<{ command: readonly string[]; out: string }[]> {
      const { exitCode, out } = await cli().run([...of, '--help']);
      expect(exitCode, of.join(' ')).to.equal(0);
      const [, list = ''] = out.split('\nCommands:\n');
      const names = [...list.matchAll(/^ {2}(\S+)/gm)]
        .map(([, name]) => name!)
        .filter((name) => name !== 'help');
      if (names.length === 0) return [{ command: of, out }];
      return (await Promise.all(names.map((name) => commands([...of, name])))).flat();
    }

    /** Every command in the table of docs/run.md, where `key issue|list` stands for two. */
    async function documented(): Promise<string[][]> {
      const text = await readFile(new URL('../../../docs/run.md', import.meta.url), 'utf8');
      const [, table = ''] = text.split('| Command ');
      const cells = table.slice(0, table.indexOf('\n\n')).matchAll(/^\| (`.*?`) +\| /gm);
      return [...cells]
        .flatMap(([, cell]) => [...cell!.replaceAll('\\|', '|').matchAll(/`([^`]+)`/g)])
        .flatMap(([, code]) => {
          const [name, below = ''] = code!.split(' ');
          return /^[a-z|]+$/.test(below) ? below.split('|').map((each) => [name!, each]) : [[name!]];
        });
    }

    it('explains every command and its --json, and docs/run.md lists them', async () => {
      const all = await commands();
      expect(await documented()).to.have.deep.members(all.map(({ command }) => command));
      for (const { command, out } of all)
        expect(out)
          .to.contain(`Usage: curvekit ${command.join(' ')}`)
          .and.to.contain('--json');
    });

    const MISTAKES: readonly (readonly [command: string, message: string])[] = [
      ['', 'Usage: curvekit'],
      ['nonsense', "unknown command 'nonsense'"],
      ['key list --nonsense', "unknown option '--nonsense'"],
      ['key issue', "'--partner <name>' not specified"],
      ['key issue --partner x --wallet x', 'base58 address of 32 bytes'],
      ['key issue --partner x --scopes all', "'all' is not a scope"],
      ['key issue --partner x --expires 0d', 'It must be at least 1s'],
      ['key rotate x --overlap 24', 'such as 24h'],
      ['properties set --fee-bps 1001', '0 to 1000'],
      ['properties set --admin none.json', 'cannot be read (ENOENT)'],
      ['token show x', 'base58 address of 32 bytes'],
      ['token list --limit 0', 'from 1 to 10000'],
      ['claims list --state DONE', 'Allowed choices are IN_PROGRESS'],
      ['start --role indexer', 'one of all, api, worker; a worker also indexes.'],
      ['start --local --role api', "cannot be used with option '--local'"],
      ['reindex now', 'too many arguments'],
    ];
    for (const [command, message] of MISTAKES)
      it(`refuses \`curvekit ${command}\` with exit code 2`, async () => {
        const args = command === '' ? [] : command.split(' ');
        const { exitCode, err, out } = await cli().run(args);
        expect(err).to.contain(message);
        expect([exitCode, out]).to.deep.equal([2, '']);
      });
  });

  describe('migrate-db', () => {
    it('is required by other commands, applies the missing migrations, and then has nothing to do', async () => {
      const refused = await cli().run(['key', 'list']);
      expect(refused.exitCode).to.equal(1);
      expect(refused.err).to.contain('run `curvekit migrate-db` first');
      const { applied } = await cli().json<{ applied: string[] }>(['migrate-db']);
      expect(applied).to.include('0000_tables');
      expect(await cli().json(['migrate-db'])).to.deep.include({ applied: [] });
    });
  });

  describe('records', () => {
    let token: Token;

    before('index a token', async () => (token = await indexToken(cluster(), cli())));

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
      for (const [what, [args, message]] of Object.entries(unusable))
        it(`refuses ${what}`, async () => {
          const { exitCode, err } = await cli().run(['key', 'issue', ...args]);
          expect(err).to.contain(message);
          expect(exitCode).to.equal(1);
        });
    });

    describe('properties', () => {
      it('changes the given properties and keeps the others', async () => {
        const admin = await keyFile(cluster().admin);
        const { out, exitCode } = await cli().run([
          'properties',
          'set',
          '--admin',
          admin,
          '--fee-bps',
          '150',
        ]);
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
        expect(await cli().json(['claims', 'show', signature])).to.include({
          signature,
          amount: '7000000000',
        });
        const missing = await cli().run(['claims', 'show', 'none']);
        expect(missing.exitCode).to.equal(1);
        expect(missing.err).to.contain('there is no claim none');
      });

      it('proves that the ledger adds up', async () => {
        const { exitCode, out } = await cli().run(['ledger', 'check']);
        expect(out)
          .to.contain('The ledger adds up.')
          .and.to.match(/SOL +settlement +7 +0 +7 +0/);
        expect(exitCode).to.equal(0);
      });

      it('finds a ledger that does not add up, with exit code 1', async () => {
        await (await cli().database()).queries.update(claims).set({ amount: 1n });
        const { exitCode, out } = await cli().run(['ledger', 'check']);
        expect(out).to.contain('NOT').and.to.contain('7000000000 reserved, 1 in claims');
        expect(exitCode).to.equal(1);
        await (await cli().database()).queries.update(claims).set({ amount: 7_000_000_000n });
      });

      it('indexes the chain again after a reindex', async () => {
        await cli().run(['reindex']);
        expect((await cli().run(['token', 'list'])).out).to.equal('No token is indexed yet.');
        await index(cluster(), cli(), 3);
        expect((await cli().run(['token', 'list'])).out).to.contain(token.mint.toBase58());
      });
    });
  });

  describe('messages', () => {
    const secret = keyVariable(Keypair.generate());
    /** Not a key, because its last number is missing. */
    const malformed = secret.replace(/,\d+\]$/, ']');

    const issue = () => cli().json<KeyDocument>(['key', 'issue', '--partner', 'Acme']);

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
    for (const [what, args] of Object.entries(pasted))
      it(`does not quote ${what}`, async () => {
        const { exitCode, err, out } = await cli().run(args);
        expect(exitCode).to.equal(2);
        expect(err).to.contain('error: ');
        expect(err + out).not.to.contain(secret.slice(1, 20));
      });

    it('`key rotate` and `key revoke` accept a whole key, and print nothing of its secret', async () => {
      const { id, key } = await issue();
      const rotated = await cli().json<{ issued: KeyDocument; replaced: { id: string } }>([
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
});

function propertiesOf({ connection, deployment }: LocalCluster) {
  return fetchProperties(connection, { deployment });
}
