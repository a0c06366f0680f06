// A new user runs the demo first. It must show the whole life of a token, and notice when records and chain differ.
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { type Step } from '../../examples/demo.js';

function runDemo(...args: string[]) {
  const options = { encoding: 'utf8', timeout: 50_000 } as const;
  return spawnSync(process.execPath, ['--import=tsx', 'examples/demo.ts', ...args], options);
}

describe('demo', () => {
  it('Given no arguments, when it runs, then the token graduates, its pool trades, and records and chain are equal', () => {
    const { status, stdout, stderr } = runDemo('--json');
    expect(status, stderr).to.equal(0);
    const told = JSON.parse(stdout) as {
      equal: boolean;
      records: number;
      steps: Step[];
      checks: { what: string; fromRecords: string; onChain: string }[];
    };
    expect(told.equal).to.equal(true);
    expect(told.records).to.equal(10);
    expect(told.steps.flatMap(({ refusal }) => refusal?.code ?? [])).to.deep.equal([
      6003, 6001, 6004, 6004, 6004, 6000,
    ]);
    expect(told.steps.map(({ progressBps }) => progressBps)).to.include(10_000);
    expect(told.steps.slice(-2).map(({ title }) => title)).to.deep.equal([
      'passer-by graduates it',
      'dave buys',
    ]);
    expect(told.checks).to.have.length(19);
    for (const { what, fromRecords, onChain } of told.checks) expect(fromRecords, what).to.equal(onChain);
  });

  it('Given an invalid option, when it runs, then it names the option and exits with code 2', () => {
    for (const [option, ...value] of [['--cluster', 'mainnet'], ['--colour']]) {
      const { status, stderr } = runDemo(option!, ...value);
      expect(status, option).to.equal(2);
      expect(stderr).to.contain(option);
    }
  });
});
