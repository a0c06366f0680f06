// What a node says about itself decides nothing: the operator configures whether the cluster is simulated. threat: false-simulator
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { indexerCheck } from '#app/checks.js';
import { PaymentsHeldError, requirePaymentsOpen, watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { Reconciliation } from '#app/reconciliation/reconcile.js';
import { OtherClusterError } from '#app/chain/simulator.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { CLUSTER, useCluster } from '#tests/cluster/cluster.js';
import { createCli } from '#tests/service/cli.js';
import { useDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { asRealNode } from '#tests/node/node-with-gaps.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { eventually, startIndexer, testContext } from '#tests/service/service.js';
import { keyVariable } from '#tests/service/service-context.js';
import { NEVER_ABORTED } from '#tests/constants.js';

const UNASKED = /is a Surfpool, a simulator whose blocks prove nothing; .*SIMULATED_CLUSTER=on/;
const UNFOUND = /SIMULATED_CLUSTER is on, and the node at RPC_URL is not a Surfpool; set RPC_URL/;

if (CLUSTER === 'surfpool')
  describe('an RPC node whose kind does not match SIMULATED_CLUSTER:', () => {
    const cluster = useCluster();
    const database = useDatabase();
    /** The same node, but it does not say that it is Surfpool. */
    let real: RpcProxy;

    before(async () => {
      real = await startRpcProxy(cluster().rpcUrl, { batches: true });
      real.rewrite(asRealNode);
    });
    after(() => real?.stop());

    const kinds = {
      'Surfpool, but SIMULATED_CLUSTER=off': { on: 'off', url: () => cluster().rpcUrl, problem: UNASKED },
      'not Surfpool, but SIMULATED_CLUSTER=on': { on: 'on', url: () => real.url, problem: UNFOUND },
    } as const;
    for (const [kind, { on, url, problem }] of Object.entries(kinds))
      describe(kind, () => {
        const context = () =>
          testContext(cluster(), database, {
            RPC_URL: url(),
            SIMULATED_CLUSTER: on,
            TREASURY_KEYPAIR: keyVariable(Keypair.generate()),
          });

        it('the indexer refuses to index', async () => {
          const own = await context();
          const indexer = startIndexer(own);
          atEnd(() => indexer.stop());
          let said = '';
          await eventually(
            async () => {
              said = await indexerCheck(own)
                .run()
                .then(
                  () => 'ok',
                  (error: Error) => error.message,
                );
              return problem.test(said);
            },
            () => `the reason: ${said}`,
          );
        });

        it('the payments gate stays closed', async () => {
          const own = await context();
          await watchOwnKeys(own);
          const error = await rejection(new Reconciliation(own).pass(NEVER_ABORTED), OtherClusterError);
          expect(error.message).to.match(problem);
          await rejection(requirePaymentsOpen(database.queries), PaymentsHeldError);
        });

        it('`curvekit doctor` reports it', async () => {
          const cli = await createCli({ RPC_URL: url(), SIMULATED_CLUSTER: on });
          atEnd(() => cli.close());
          const { out, exitCode } = await cli.run(['doctor', '--json']);
          const found = (JSON.parse(out) as { findings: { detail: string; fix?: string }[] }).findings;
          const said = found.map(({ detail, fix = '' }) => `${detail}; ${fix}`);
          expect(said.filter((line) => problem.test(line))).to.have.lengthOf(1);
          expect(exitCode).to.equal(1);
        });
      });
  });
