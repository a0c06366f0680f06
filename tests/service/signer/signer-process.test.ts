// A service whose treasury is held by `curvekit signer`, a process of its own. threat: hanging-signer, foreign-instance
import { existsSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { atEnd } from '#tests/mocha/at-end.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { createCli } from '#tests/service/cli.js';
import {
  initiate,
  ledgerProblems,
  useRewardsScene,
  transactionOf,
  untilClaimsEnd,
} from '#tests/service/rewards.js';
import { eventually, finalize } from '#tests/service/service.js';
import { clusterEnvironment } from '#tests/service/service-context.js';
import { rejection } from '#tests/mocha/failures.js';
import { startSignerProcess, type SignerProcess } from '#tests/signers/signer-process.js';
import { SOL } from '#tests/constants.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

describe("a treasury's key in a process of its own", () => {
  const cluster = useCluster();
  const folder = temporaryFolder('signer');
  let socket: string;
  let signer: SignerProcess;

  const start = async (treasury: Keypair) => {
    signer = await startSignerProcess(socket, treasury, ['--sol-per-day', '3']);
    return signer.url;
  };
  before(() => (socket = join(folder, 'signer.sock')));
  const scene = useRewardsScene(cluster, () => ({ startSigner: start }));
  after(() => signer?.end('SIGKILL'));

  const claim = async (wallet: Keypair, body: object): Promise<void> => {
    const transaction = transactionOf(await initiate(scene, wallet, { ...body }));
    transaction.sign([wallet]);
    await cluster().sendSigned(transaction);
  };
  const failures = async (reason: string): Promise<number> => {
    const text = await scene.service.context.metrics.registry.getSingleMetricAsString(
      'curvekit_signer_failures_total',
    );
    const pattern = new RegExp(`key="TREASURY_KEYPAIR",reason="${reason}"\\} (\\d+)`);
    return Number(pattern.exec(text)?.[1]);
  };

  it('pays every kind of claim, and the ledger is exact', async () => {
    await claim(await scene.rewarded('SOL', SOL), { claimType: 'SOL' });
    await claim(await scene.rewarded('TOKEN', 1_000_000n), { claimType: 'TOKEN' });
    await claim(await scene.rewarded('TOKEN', 1_000_000n), { claimType: 'TOKEN', burnToken: true });
    await finalize(cluster());
    await untilClaimsEnd(scene.database);
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
    const lines = () => signer.logged().match(/"msg":"signed"/g) ?? [];
    // What a process has written arrives a little later.
    await eventually(
      () => lines().length === 3,
      () => lines().join(),
    );
    expect(signer.logged()).not.to.contain(JSON.stringify([...scene.treasury.secretKey]));
  });

  it('answers what is no request with 400 and a sentence, and logs no stack', async () => {
    const ask = async (body: string, path = '/v1/sign') => {
      const call = request({ socketPath: socket, method: 'POST', path }).end(body);
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      return `${response.statusCode} ${await text(response)}`;
    };
    for (const body of ['', '{', 'null', '[]', '"text"', '1', '\u0000'])
      expect(await ask(body), body).to.match(/^400 \{"error":"the body must be a JSON object, such as /);
    expect(await ask(JSON.stringify({ message: 'x'.repeat(4_000) }))).to.match(/^400 .*at most 4000 bytes/);
    const address = scene.treasury.publicKey.toBase58();
    for (const message of [undefined, 1, '', '!', 'AAAA', 'gAAA'])
      expect(await ask(JSON.stringify({ address, message }))).to.match(/^403 \{"error":"it /);
    expect(await ask('{}', '/v1/other')).to.match(/^404 /);
    expect(signer.logged()).not.to.match(/a request to the signer failed|"stack"/);
  });

  it('a signer that is down is named by /ready and a metric before anybody claims', async () => {
    const ready = async () => (await fetch(`${scene.service.url}/ready`)).text();
    const isUp = async () =>
      /curvekit_signer_up\{key="TREASURY_KEYPAIR"\} (\d)/.exec(
        await (await fetch(`${scene.service.url}/metrics`)).text(),
      )?.[1];
    signer.freeze();
    const named = 'warning: the signer of TREASURY_KEYPAIR does not sign';
    await eventually(async () => (await ready()).includes(named), 'the signer in /ready', 30_000);
    expect(await isUp()).to.equal('0');
    signer.thaw();
  });

  it('a signer that hangs, or is killed, delays nobody for long and loses nothing; what replaces it signs', async () => {
    const wallet = await scene.rewarded('SOL', SOL / 10n);
    signer.freeze();
    const began = performance.now();
    expect((await initiate(scene, wallet, { claimType: 'SOL' })).status).to.equal(503);
    expect(performance.now() - began).to.be.below(15_000);
    expect(await failures('timeout')).to.be.at.least(1);
    signer.thaw();
    await signer.end('SIGKILL');
    expect(existsSync(socket)).to.equal(true);
    expect((await initiate(scene, wallet, { claimType: 'SOL' })).status).to.equal(503);
    expect(await failures('unreachable')).to.be.at.least(1);
    await start(scene.treasury);
    await claim(wallet, { claimType: 'SOL' });
    await finalize(cluster());
    await untilClaimsEnd(scene.database);
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  it('with another key is found out by `curvekit doctor`, and pays nothing', async () => {
    const cli = await createCli({ ...clusterEnvironment(cluster()), TREASURY_KEYPAIR: signer.url });
    atEnd(() => cli.close());
    const right = await cli.run(['doctor']);
    expect(right.out).to.match(/signers +ok +the signer at /);
    const { exitCode, out } = await cli.run(['doctor'], {
      TREASURY_KEYPAIR: `unix://${socket}?address=${Keypair.generate().publicKey.toBase58()}`,
    });
    expect(exitCode).to.equal(1);
    expect(out.replace(/\s+/g, ' ')).to.match(
      /TREASURY_KEYPAIR: the signer at \S+ must have the key \w+ and does not/,
    );
  });

  it('is the only one at its socket, which only its user and group may open', async () => {
    expect(statSync(socket).mode & 0o777).to.equal(0o660);
    const second = await rejection(startSignerProcess(socket, scene.treasury), Error);
    expect(second.message).to.contain(`another process serves ${socket}; stop it, or name another path`);
    const file = join(folder, 'a file');
    await writeFile(file, 'kept');
    const third = await rejection(startSignerProcess(file, scene.treasury), Error);
    expect(third.message).to.contain('is there and no socket; name another path');
    expect(existsSync(file)).to.equal(true);
  });

  it('ends with its socket when it is asked to', async () => {
    expect(await signer.end('SIGTERM')).to.equal(0);
    expect(existsSync(socket)).to.equal(false);
    await start(scene.treasury);
  });
});
