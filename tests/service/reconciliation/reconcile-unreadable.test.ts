// Anyone can name the treasury in a transaction that the RPC node or the service cannot read. It holds no payments, unless
// it could be a payment itself. threat: newer-version-payment
import { SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { transactionsCheck } from '#app/checks.js';
import { watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { CheckWarning } from '#app/http/health.js';
import { Reconciliation } from '#app/reconciliation/reconcile.js';
import { NodeError } from '#app/chain/node-errors.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { RpcFailure } from '#tests/node/rpc-proxy.js';
import { useLostSettlement } from '#tests/service/lost-settlement.js';
import { finalizeAll } from '#tests/service/service-context.js';

describe('payments with a transaction of a stranger that names the treasury', function () {
  this.timeout(120_000);
  const { cluster, treasury, proxy, contextWith, pass, held, finishIndex, expectBooked } =
    useLostSettlement();
  let signature: string;

  beforeEach(async () => {
    const { payer } = cluster();
    const transfer = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: treasury.publicKey,
      lamports: 1,
    });
    ({ signature } = await cluster().send([transfer], [payer]));
    await finalizeAll(cluster());
    await finishIndex();
  });
  const answer = (change: (result: object) => unknown) =>
    proxy().rewrite(({ method, params }, result) =>
      method === 'getTransaction' && params[0] === signature ? change(result as object) : result,
    );
  const unsupported = (version: string) => () =>
    new RpcFailure(-32_015, `Transaction version${version} is not supported by the requesting client`);

  for (const [name, change] of [
    ['that the node cannot write', unsupported(' (2)')],
    [
      'of an unknown structure',
      (result: object) => ({ ...result, version: 2, transaction: { signatures: ['?'], message: {} } }),
    ],
    [
      'of a newer version without a header',
      (result: { transaction?: { message?: object } }) => ({
        ...result,
        version: 2,
        transaction: {
          ...result.transaction,
          message: { ...result.transaction?.message, header: undefined },
        },
      }),
    ],
  ] as const) {
    it(`books it and opens with one ${name}, and warns until the transaction can be read`, async () => {
      answer(change);
      const context = await contextWith();
      await watchOwnKeys(context);
      const reconciliation = new Reconciliation(context);
      const { setAside, isOpen } = await reconciliation.pass(NEVER_ABORTED);
      expect(setAside.map((one) => one.signature)).to.deep.equal([signature]);
      expect(isOpen).to.equal(true);
      await expectBooked();
      expect(await held()).to.equal(undefined);
      const check = transactionsCheck(context);
      expect((await rejection(check.run(), CheckWarning)).message).to.contain(
        `unreadable transactions of the treasury or the DEX owner: 1, the newest is ${signature}; upgrade`,
      );
      expect(await context.metrics.registry.metrics()).to.match(
        /^curvekit_payments_unreadable_transactions 1$/m,
      );
      expect((await reconciliation.pass(NEVER_ABORTED)).setAside).to.deep.equal([]);
      // The next process reads it.
      proxy().rewrite(undefined);
      await pass(context);
      await check.run();
    });
  }

  for (const [name, change] of [
    ['the node refuses version 0', unsupported(' (0)')],
    ['the node does not name the version that it refuses', unsupported('')],
    ['a known version lacks a part', (result: object) => ({ ...result, meta: null })],
    [
      'it returns the transaction as failed',
      (result: object) => ({ ...result, meta: { err: 'No', fee: 5_000 } }),
    ],
    ['a known version has another structure', (result: object) => ({ ...result, transaction: {} })],
  ] as const) {
    it(`holds payments when ${name}: it could hide the service's own`, async () => {
      answer(change);
      const context = await contextWith();
      await watchOwnKeys(context);
      expect((await rejection(pass(context), NodeError)).message).to.match(
        /use another RPC_URL|error -32015/,
      );
      expect(await held()).to.match(/^closed until/);
      proxy().rewrite(undefined);
      await pass(context);
      await expectBooked();
    });
  }
});
