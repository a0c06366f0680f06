// A new user runs the demo first. It must show the whole life of a token, and notice when records and chain differ.
import { spawnSync } from 'node:child_process';
import { curveAddress } from '@curvekit/sdk';
import { expect } from 'chai';
import { compareWithChain, refused, type Step } from '../../examples/demo.js';
import { rejection } from '#tests/mocha/failures.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { buyTokens, launch } from '#tests/program/tokens.js';

const ONE_SOL = 1_000_000_000n;

function runDemo(...args: string[]) {
  const options = { encoding: 'utf8', timeout: 50_000 } as const;
  return spawnSync(process.execPath, ['--import=tsx', 'examples/demo.ts', ...args], options);
}

describe('demo', () => {
  const cluster = useCluster();

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

  it('Given no --json, when it runs, then every line of its tables fits 140 columns', () => {
    const { status, stdout, stderr } = runDemo();
    expect(status, stderr).to.equal(0);
    expect(stdout).to.match(/\nequal: 10 records and the chain, in 19 values \(\d+\.\d s\)\n$/);
    expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).to.be.at.most(140);
  });

  it('Given an invalid option, when it runs, then it names the option and exits with code 2', () => {
    for (const [option, ...value] of [['--cluster', 'mainnet'], ['--colour']]) {
      const { status, stderr } = runDemo(option!, ...value);
      expect(status, option).to.equal(2);
      expect(stderr).to.contain(option);
    }
  });

  it('Given a curve that received one lamport as a donation, when compared, then records and chain differ by one lamport', async () => {
    const token = await launch(cluster());
    const { signature } = await buyTokens(cluster(), token, await cluster().fundedWallet(), ONE_SOL);
    const before = await compareWithChain(cluster(), token.mint, signature);
    expect(before.equal).to.equal(true);

    await cluster().fund(curveAddress(token.mint).address, 1n);

    const after = await compareWithChain(cluster(), token.mint, signature);
    expect(after.equal).to.equal(false);
    const different = after.checks.filter(({ fromRecords, onChain }) => fromRecords !== onChain);
    expect(different.map(({ fromRecords, onChain }) => onChain - fromRecords)).to.deep.equal([1n]);
  });

  it('Given a trade that must be refused, when the trade succeeds, then the demo fails', async () => {
    const token = await launch(cluster());
    const buy = buyTokens(cluster(), token, await cluster().fundedWallet(), ONE_SOL);
    const { message } = await rejection(refused(cluster(), 'late', 'TradingClosed', buy), Error);
    expect(message).to.contain('went through');
  });
});
