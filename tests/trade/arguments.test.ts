// Wrong arguments. The error names the argument and the rule, before any request to a node or a service.
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { runCli } from '../../trade/src/cli.js';
import { readKeypair } from '../../trade/src/files.js';
import { unpackTradeCli, type TradeCli } from '#tests/trade/program.js';

const MINT = Keypair.generate().publicKey.toBase58();
/** No server listens here, so a request would end with exit code 1. */
const NOWHERE = 'http://127.0.0.1:1';
const COMMANDS = ['quote', 'buy', 'sell', 'launch', 'watch', 'portfolio', 'history', 'claim'];

/** Runs a command in this process, because starting so many processes would be slow. */
async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const { signal } = new AbortController();
  const code = await runCli(args, {
    environment,
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    stopped: signal,
    outputClosed: signal,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

describe('curvekit-trade and its arguments', () => {
  let cli: TradeCli;
  const file = (name: string) => join(cli.folder, name);

  before('unpack it', async () => {
    cli = await unpackTradeCli();
    cli.environment['RPC_URL'] = NOWHERE;
    cli.environment['KEYPAIR'] = await cli.keypairFile('id.json', Keypair.generate());
    await writeFile(file('short.json'), '[1,2,3]');
    await writeFile(file('text.json'), 'secret words');
    const bytes = [...Keypair.generate().secretKey];
    await writeFile(file('mixed.json'), JSON.stringify([...bytes.slice(0, 63), bytes[63]! ^ 1]));
    await writeFile(file('list.json'), '[]');
    await writeFile(file('other.json'), JSON.stringify({ programId: MINT }));
    await writeFile(file('typo.json'), JSON.stringify({ program: MINT }));
    await writeFile(file('large.png'), Buffer.alloc(4 * 1024 * 1024 + 1));
  });

  /** The command, and a pattern of the error message. `@` stands before a file of the test. */
  const refused: [command: string, says: RegExp][] = [
    ['quote hold MINT --sol 1', /side is 'hold'; it must be one of buy, sell$/],
    ['quote buy abc --sol 1', /mint is 'abc'; it must be a base58 address of 32 bytes$/],
    ['sell MINT', /amount is given 0 times; give exactly one of --sol, --tokens and all$/],
    ['quote sell MINT', /give exactly one of --sol and --tokens$/],
    ['buy MINT', /amount is given 0 times; give exactly one of --sol and --tokens$/],
    ['buy MINT --sol 1 --tokens 2', /amount is given 2 times/],
    ['buy MINT --sol -1', /--sol is '-1'; it must be SOL as a decimal number above 0/],
    ['buy MINT --sol 0', /--sol is '0'; .* above 0/],
    ['buy MINT --sol 1e3', /--sol is '1e3'/],
    ['buy MINT --sol 0.0000000001', /with at most 9 digits after the point: 0\.5$/],
    ['buy MINT --sol 18446744073.709551616', /at most 18446744073\.709551615/],
    ['buy MINT --tokens 1,000', /--tokens is '1,000'; it must be tokens as a decimal number/],
    ['sell MINT half', /amount is 'half'; it must be the word all; --tokens half sells so many$/],
    ['sell MINT all --tokens 5', /amount is given 2 times/],
    ['buy MINT --sol 1 --slippage 1', /--slippage is '1'; .* with its unit: 0\.5% or 50bps$/],
    ['buy MINT --sol 1 --slippage 101%', /--slippage is '101%'; it must be from 0% to 100%/],
    ['buy MINT --sol 1 --slippage 1.5bps', /--slippage is '1\.5bps'/],
    [
      'buy MINT --sol 1 --priority-fee 0.5',
      /--priority-fee is '0\.5'; it must be a whole number of micro-lamports/,
    ],
    ['buy MINT --sol 1 --tip 0.1', /--tip needs both: --tip SOL --tip-to ADDRESS$/],
    ['buy MINT --sol 1 --max-priority-fee -1', /--max-priority-fee is '-1'/],
    [
      'buy MINT --sol 1 --rpc-url localhost',
      /--rpc-url is not a URL that can be used; it must begin with http:\/\/ or https:\/\/$/,
    ],
    [
      'watch --ws-url http://x',
      /--ws-url is not a URL that can be used; it must begin with ws:\/\/ or wss:\/\/$/,
    ],
    [
      'buy MINT --sol 1 --keypair /none.json',
      /--keypair \/none\.json cannot be read \(ENOENT\); check the path$/,
    ],
    [
      'buy MINT --sol 1 --keypair @short.json',
      /short\.json is no keypair; it must be a JSON array of 64 numbers from 0 to 255$/,
    ],
    [
      'buy MINT --sol 1 --keypair @text.json',
      /text\.json is not JSON; it must be a JSON array of 64 numbers/,
    ],
    ['buy MINT --sol 1 --keypair @mixed.json', /its public key does not belong to its secret key$/],
    ['quote buy MINT --sol 1 --deployment main', /--deployment main cannot be read \(ENOENT\)/],
    ['quote buy MINT --sol 1 --deployment @list.json', /list\.json must hold a JSON object$/],
    ['quote buy MINT --sol 1 --deployment @typo.json', /has a field program; it can have programId, admin/],
    [
      'quote buy MINT --sol 1 --deployment @other.json',
      /pass admin, feeReceiver, dexOwner as compiled into it$/,
    ],
    ['LAUNCH', /--uri or --image must be given, and not both$/],
    ['LAUNCH --image a.png', /--service is missing; --image needs/],
    ['LAUNCH --image a.svg --service NOWHERE', /--image is 'a\.svg'; it must end with \.png/],
    ['LAUNCH --image @large.png --service NOWHERE', /has 4194305 bytes; at most 4194304 are taken/],
    ['LAUNCH URI --community-fee 3%', /afterMigrationFee .*0, 25, 50, 100, 200/],
    ['LAUNCH URI --name xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', /name .*33.*32/],
    ['LAUNCH URI --suffix 0x', /suffix is '0x'; an address has no '0'/],
    ['LAUNCH URI --suffix z --mint @id.json', /--mint is given beside --prefix or --suffix/],
    ['watch --kind buy', /--kind is 'buy'; it must be one of create, trade, migrate, graduate$/],
    ['watch --count 0', /--count is '0'; it must be a whole number from 1 to/],
    ['history MINT --limit 1001', /--limit is '1001'; it must be a whole number from 1 to 1000$/],
    ['portfolio --wallet me', /--wallet is 'me'; it must be a base58 address of 32 bytes$/],
    ['claim --service ftp://x', /--service is not a URL that can be used/],
    ['claim --service NOWHERE --kind usd', /--kind is 'usd'; it must be one of sol, token$/],
    ['claim --service NOWHERE --kind sol --burn', /only tokens can be burned$/],
  ];

  it('refuses each wrong argument and explains its rule', async () => {
    for (const [command, says] of refused) {
      const args = command
        .replace('LAUNCH', 'launch --name n --symbol s')
        .replace('URI', '--uri https://example.org/n.json')
        .replace('MINT', MINT)
        .replace('NOWHERE', NOWHERE)
        .split(' ')
        .map((word) => (word.startsWith('@') ? file(word.slice(1)) : word));
      const { code, out, err } = await run(args, cli.environment);
      expect({ code, out }, command).to.deep.equal({ code: 2, out: '' });
      expect(err.split('\n').at(-1))
        .to.match(/^curvekit-trade: /)
        .and.to.match(says);
      expect(err).not.to.contain('secret words');
    }
  });

  it('reads a keypair file that may be JSON or base58, in the encodings of editors, and never quotes it', async () => {
    const path = file('saved.json');
    const keypair = Keypair.generate();
    for (const text of [JSON.stringify([...keypair.secretKey]), bs58.encode(keypair.secretKey)]) {
      const marked = Buffer.from(`\uFEFF${text}\r\n`, 'utf16le');
      const forms = [text, `${text}\n`, `\uFEFF${text}\r\n`, marked, Buffer.from(marked).swap16()];
      for (const form of forms) {
        await writeFile(path, form);
        expect(readKeypair('--keypair', path).publicKey.toBase58()).to.equal(keypair.publicKey.toBase58());
      }
    }
    for (const wrong of [bs58.encode(Buffer.alloc(64, 7)), 'z'.repeat(88), 'I'.repeat(88)]) {
      await writeFile(path, wrong);
      expect(() => readKeypair('--keypair', path))
        .to.throw(/is no keypair|is not JSON/)
        .with.property('message')
        .that.does.not.contain(wrong.slice(0, 10));
    }
  });

  it('prints the error as JSON with --json', async () => {
    const { code, out } = await cli.run('buy', MINT, '--sol', 'x', '--json');
    expect(code).to.equal(2);
    const { error } = JSON.parse(out) as { error: { name: string; argument: string; message: string } };
    expect(error).to.include({ name: 'UsageError', argument: '--sol' });
    expect(error.message).to.match(/^--sol is 'x'/);
  });

  it('names unknown commands and options, and missing arguments', async () => {
    for (const [args, says] of [
      [['sall', MINT], "unknown command 'sall'"],
      [['buy', MINT, '--amount', '1'], "unknown option '--amount'"],
      [['buy'], "missing required argument 'mint'"],
      [['claim'], '--service is missing;'],
    ] as const) {
      const { code, err } = await cli.run(...args);
      expect(code).to.equal(2);
      expect(err).to.contain(`curvekit-trade: ${says}`);
    }
  });

  it('says how to give a key, in a home without one', async () => {
    const { environment } = cli;
    const { HOME, KEYPAIR } = environment;
    Object.assign(environment, { HOME: cli.folder, KEYPAIR: '' });
    const { code, err } = await cli.run('buy', MINT, '--sol', '1');
    Object.assign(environment, { HOME, KEYPAIR });
    expect(code).to.equal(2);
    expect(err).to.equal(
      `curvekit-trade: --keypair is missing, and there is no ${cli.folder}/.config/solana/id.json; ` +
        'name a key file (or set KEYPAIR), or make one with `solana-keygen new`',
    );
  });

  it('says that a node cannot be reached, without the secret of its URL', async () => {
    const { code, err } = await cli.run('portfolio', '--rpc-url', `${NOWHERE}/secret-key`);
    expect(code).to.equal(1);
    expect(err).to.equal(
      'curvekit-trade: RPC node 127.0.0.1:1, getBalance: no connection: fetch failed (bad port); ' +
        "check the node's URL and your network, and whether the node runs",
    );
  });

  it('has --help with exit codes for every command, and starts within half a second of CPU time', async () => {
    cli.environment['NODE_OPTIONS'] = `--import=data:text/javascript,${encodeURIComponent(
      `process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stderr.write('cpu ' + (user + system)); });`,
    )}`;
    const work: number[] = [];
    for (const command of [[], ...COMMANDS.map((name) => [name])]) {
      const { code, out, err } = await cli.run(...command, '--help');
      expect(code).to.equal(0);
      expect(out)
        .to.match(/^Usage: curvekit-trade/)
        .and.to.contain('3    the outcome is unknown');
      work.push(Number(/cpu (\d+)/.exec(err)![1]));
    }
    delete cli.environment['NODE_OPTIONS'];
    // Take the minimum, because other work on the machine makes runs slower.
    expect(Math.min(...work) / 1_000).to.be.below(500);
    expect((await cli.run('--version')).out).to.match(/^\d+\.\d+\.\d+$/);
  });
});

describe('curvekit-trade completion', () => {
  it('completes commands and options in bash', async () => {
    const { code, out } = await run(['completion', 'bash']);
    expect(code).to.equal(0);
    const completed = (...words: string[]) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const script = `${out}\nCOMP_WORDS=(curvekit-trade ${list}); COMP_CWORD=${words.length}; _curvekit_trade; echo "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim();
    };
    expect(completed('po')).to.equal('portfolio');
    expect(completed('buy', 'MINT', '--sli')).to.equal('--slippage');
    expect(completed('quote', '--depl')).to.equal('--deployment');
    expect(completed('nothing', '--')).to.equal('');
  });
});
