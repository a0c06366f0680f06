// What a failing query leaves in the log: which table and error, but none of the parameters.
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { loggedError, shownError } from '#app/base/logging/logged-error.js';
import { createLogger } from '#app/base/logging/logging.js';
import { type Service } from '#app/service.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { ApiClient } from '#tests/service/api-client.js';
import { createCli } from '#tests/service/cli.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { initiate, reward, rewardsEnvironment, signed } from '#tests/service/rewards.js';
import { eventually } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';

const MINT = 'So11111111111111111111111111111111111111112';
const SIGNATURE = bs58.encode(new Uint8Array(64).fill(7));

describe('logged errors', () => {
  const cluster = useCluster();

  describe('logged errors of a service', () => {
    let service: Service;
    let api: ApiClient;
    let lines: string[];

    before(async () => {
      const environment = { ...rewardsEnvironment(await cluster().fundedWallet()), INDEXER: 'off' };
      lines = [];
      const logger = createLogger('trace', { write: (line: string) => void lines.push(line) });
      service = await startTestService(cluster(), environment, { overrides: { logger } });
      api = new ApiClient(service.url, service.document);
    });
    beforeEach(() => (lines = []));
    after(() => service?.stop());

    /** Requests a claim that fails, and waits until the error is logged. */
    async function failingClaim(): Promise<{ logged: string; wallet: Keypair; signature: string }> {
      const wallet = Keypair.generate();
      const { database } = service.context;
      await reward(database, wallet.publicKey, MINT, 'SOL', 1_000_000_000n);
      let headers = signed(wallet);
      let status = 503;
      // On a busy machine the reconciliation can be late, and nothing is paid meanwhile.
      await eventually(async () => {
        headers = signed(wallet);
        ({ status } = await initiate({ api, mint: MINT }, wallet, { claimType: 'SOL' }, headers));
        return status !== 503;
      }, 'payments to be open');
      expect(status).to.equal(500);
      await eventually(() => lines.some((line) => line.includes('"res":')), 'the log');
      return { logged: lines.join(''), wallet, signature: headers['X-Signature']! };
    }

    it('name the table and the reason, but no signature or wallet', async () => {
      const { queries } = service.context.database;
      await queries.execute(sql`alter table used_signatures rename to elsewhere`);
      atEnd(() => queries.execute(sql`alter table elsewhere rename to used_signatures`));
      const { logged, wallet, signature } = await failingClaim();
      expect(logged)
        .to.not.include(signature)
        .and.not.include(wallet.publicKey.toBase58())
        .and.not.include('params');
      expect(logged)
        .to.match(/insert into [^ ]*used_signatures/)
        .and.include('"code":"42P01"')
        .and.match(/ at .*auth\.ts:\d+/);
    });
  });

  it('logged errors of a command omit parameters too, such as the hash of a key', async () => {
    const cli = await createCli();
    atEnd(() => cli.close());
    await cli.run(['migrate-db']);
    const { queries } = await cli.database();
    await queries.execute(sql`alter table api_keys add constraint refuses_all check (false) not valid`);
    const wallet = Keypair.generate().publicKey.toBase58();
    const { exitCode, err } = await cli.run(['key', 'issue', '--partner', 'x', '--wallet', wallet]);
    expect(exitCode).to.equal(1);
    expect(err)
      .to.not.match(/params|[0-9a-f]{64}/)
      .and.not.include(wallet);
    expect(err).to.include('failed unexpectedly').and.include('refuses_all');
  });

  describe('logged errors of any shape', () => {
    const failedQuery = (cause?: Error) =>
      Object.assign(
        new Error(`Failed query: insert\nparams: one,\n    at two (three.ts:1:1)\n,${SIGNATURE}`, { cause }),
        { query: 'insert', params: [SIGNATURE] },
      );
    const leaks = /params|two|three/;

    it('omit the parameters in every cause and in every part of an AggregateError', () => {
      const deep = new Error('outer', {
        cause: new AggregateError([failedQuery(), failedQuery(new Error(SIGNATURE))], SIGNATURE),
      });
      for (const text of [
        JSON.stringify(loggedError(deep)),
        shownError(deep),
        shownError(failedQuery(deep)),
      ]) {
        expect(text).to.include('outer').and.include(SIGNATURE.slice(0, 8));
        expect(text).to.not.include(SIGNATURE).and.not.match(leaks);
      }
      expect(JSON.stringify(loggedError(deep)).match(/Failed query: insert"/g)).to.have.length(2);
    });

    it('are described even if causes form a circle, or the value is not an error', () => {
      const circle = new Error('circle');
      circle.cause = circle;
      expect(JSON.stringify(loggedError(circle))).to.include('circle');
      expect(shownError(circle)).to.include('circle');
      expect(loggedError(`text ${SIGNATURE}`)).to.equal(`text ${SIGNATURE.slice(0, 8)}…`);
      expect(loggedError({ params: [SIGNATURE] })).to.equal('[object Object]');
      expect(loggedError(undefined)).to.equal('[object Undefined]');
    });
  });
});
