import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { useCli } from '#tests/service/cli-cluster.js';

describe('curvekit', () => {
  const { cli } = useCli();

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
      for (const { command, out } of all) {
        expect(out)
          .to.contain(`Usage: curvekit ${command.join(' ')}`)
          .and.to.contain('--json');
      }
    });

    const mistakes: Record<string, [string[], string]> = {
      'no command': [[], 'Usage: curvekit'],
      'an unknown command': [['nonsense'], "unknown command 'nonsense'"],
      'an unknown option': [['key', 'list', '--nonsense'], "unknown option '--nonsense'"],
      'no partner': [['key', 'issue'], "'--partner <name>' not specified"],
      'an invalid wallet address': [
        ['key', 'issue', '--partner', 'x', '--wallet', 'x'],
        'base58 address of 32 bytes',
      ],
      'an unknown scope': [['key', 'issue', '--partner', 'x', '--scopes', 'all'], "'all' is not a scope"],
      'a duration without its unit': [['key', 'rotate', 'x', '--overlap', '24'], 'such as 24h'],
      'a key that expires at once': [
        ['key', 'issue', '--partner', 'x', '--expires', '0d'],
        'It must be at least 1s',
      ],
      'a fee over the maximum': [['properties', 'set', '--fee-bps', '1001'], '0 to 1000'],
      'a missing keypair file': [['properties', 'set', '--admin', 'none.json'], 'cannot be read (ENOENT)'],
      'an invalid mint address': [['token', 'show', 'x'], 'base58 address of 32 bytes'],
      'an unknown claim state': [['claims', 'list', '--state', 'DONE'], 'Allowed choices are IN_PROGRESS'],
      'a limit out of range': [['token', 'list', '--limit', '0'], 'from 1 to 10000'],
      'an unknown role': [['start', '--role', 'indexer'], 'one of all, api, worker; a worker also indexes.'],
      'a role beside --local': [
        ['start', '--local', '--role', 'api'],
        "cannot be used with option '--local'",
      ],
      'an argument too many': [['reindex', 'now'], 'too many arguments'],
    };
    for (const [what, [args, message]] of Object.entries(mistakes)) {
      it(`refuses ${what} with exit code 2`, async () => {
        const { exitCode, err, out } = await cli().run(args);
        expect(err).to.contain(message);
        expect(exitCode).to.equal(2);
        expect(out).to.equal('');
      });
    }
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
});
