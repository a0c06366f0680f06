// The completion of the shells, and the variable that names the deployment.
import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { runCli } from '../../trader/src/cli.js';

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

  it('prints scripts for zsh and fish, and refuses another shell', async () => {
    expect((await run(['completion', 'zsh'])).out).to.match(/bashcompinit\n_curvekit_trade/);
    const fish = (await run(['completion', 'fish'])).out.split('\n');
    expect(fish.filter((line) => line.includes('__fish_use_subcommand')).length).to.be.greaterThan(8);
    // Each text is one quoted word.
    for (const line of fish) expect(line).to.match(/-d '(?:[^'\\]|\\.)*'$/);
    const { code, err } = await run(['completion', 'tcsh']);
    expect([code, err]).to.deep.equal([
      2,
      "curvekit-trade: the shell is 'tcsh'; it must be one of bash, zsh, fish",
    ]);
  });

  it('takes the deployment from CURVEKIT_DEPLOYMENT unless an option names it', async () => {
    const quote = [
      'quote',
      'buy',
      '11111111111111111111111111111111',
      '--sol',
      '1',
      '--rpc-url',
      'http://127.0.0.1:9',
    ];
    const variable = { CURVEKIT_DEPLOYMENT: 'absent.json' };
    expect((await run(quote, variable)).err).to.match(
      /CURVEKIT_DEPLOYMENT absent\.json cannot be read \(ENOENT\)/,
    );
    expect((await run([...quote, '--deployment', 'other.json'], variable)).err).to.match(
      /--deployment other\.json/,
    );
  });
});
