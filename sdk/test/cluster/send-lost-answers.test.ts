// `sendAndConfirm` when an answer of the node is lost, or the node lags behind: the request is sent again.
import { expect } from 'chai';
import { sendAndConfirm } from '@curvekit/sdk';
import { RpcFailure } from '../../../tests/support/node/rpc-proxy.js';
import { useFailingNode } from '../../../tests/support/node/failing-node.js';

describe('sending through a node that fails', function () {
  this.timeout(120_000);
  const { proxy, connection, signedBuy, expectBought } = useFailingNode();

  describe('an RPC node that fails', () => {
    /** Drops the first answer to each of these methods, after the real node has executed the request. */
    function loseFirst(...methods: string[]): Set<string> {
      const left = new Set(methods);
      proxy().rewrite(({ method }, result) => {
        if (left.delete(method)) throw new Error('lost');
        return result;
      });
      return left;
    }

    it('to answer sendTransaction does not make the call fail', async () => {
      const left = loseFirst('sendTransaction');
      await expectBought(sendAndConfirm(connection(), await signedBuy()));
      expect(left.size).to.equal(0);
    });

    it('to answer one status request does not make the call fail', async () => {
      const left = loseFirst('getEpochInfo', 'getSignatureStatuses');
      await expectBought(sendAndConfirm(connection(), await signedBuy()));
      expect(left.size).to.equal(0);
    });

    it('to answer at all gets the request again', async () => {
      const hangs = new Set(['sendTransaction', 'getSignatureStatuses']);
      proxy().rewrite(({ method }, result) =>
        hangs.delete(method) ? new Promise<never>(() => undefined) : result,
      );
      await expectBought(sendAndConfirm(connection(), await signedBuy(), { stallTimeoutMs: 8_000 }));
      expect(hangs.size).to.equal(0);
    });

    it('to accept the transaction because it lags behind gets the transaction again', async () => {
      let refused = 0;
      proxy().rewrite(({ method }, result) => {
        if (method === 'sendTransaction' && refused++ === 0)
          return new RpcFailure(-32005, 'Node is behind by 42 slots');
        return result;
      });
      await expectBought(sendAndConfirm(connection(), await signedBuy()));
      expect(refused).to.be.greaterThan(0);
    });
  });
});
