// `sendAndConfirm` when the network or the node fails: a real cluster behind a proxy that changes answers.
import { expect } from 'chai';
import {
  CurvekitError,
  InvalidArgumentError,
  OutcomeUnknownError,
  ProgramError,
  sendAndConfirm,
  TransactionError,
  TransactionExpiredError,
} from '@curvekit/sdk';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { RpcFailure, type RpcCall } from '../../../tests/support/node/rpc-proxy.js';
import { useFailingNode } from '../../../tests/support/node/failing-node.js';

/** Agave's answer when the node keeps no history. */
const NO_HISTORY = new RpcFailure(-32011, 'Transaction history is not available from this node');

interface Statuses {
  readonly context: { readonly slot: number };
  readonly value: readonly unknown[];
}

/** A promise and what settles it. Node 20 has no Promise.withResolvers. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => undefined as void;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const LOST = { InstructionError: [2, { Custom: 6003 }] };

describe('sending through a node that fails', function () {
  this.timeout(120_000);
  const { cluster, proxy, connection, signedBuy, held, expectBought } = useFailingNode();

  /** Adds `blocks` to the block height in the answer. */
  function later({ method }: RpcCall, result: unknown, blocks = 1_000): unknown {
    if (method === 'getBlockHeight') return (result as number) + blocks;
    if (method !== 'getEpochInfo') return result;
    const epoch = result as { readonly blockHeight: number };
    return { ...epoch, blockHeight: epoch.blockHeight + blocks };
  }

  const asksHistory = ({ params }: RpcCall) =>
    (params[1] as { searchTransactionHistory?: boolean } | undefined)?.searchTransactionHistory === true;
  const without = (result: unknown): Statuses => ({ ...(result as Statuses), value: [null] });

  describe('a transaction that landed while the client was not polling', () => {
    it('is found in the history when the node no longer has its status in memory', async () => {
      proxy().rewrite((call, result) => {
        if (call.method === 'getSignatureStatuses' && !asksHistory(call)) return without(result);
        return later(call, result);
      });
      await expectBought(sendAndConfirm(connection(), await signedBuy()));
    });

    it('is found later when the node that reports statuses lags behind the one that reports the height', async () => {
      let asked = 0;
      proxy().rewrite((call, result) => {
        if (call.method === 'getSignatureStatuses' && ++asked <= 5)
          return { ...without(result), context: { slot: 1 } };
        return later(call, result);
      });
      await expectBought(sendAndConfirm(connection(), await signedBuy()));
      expect(asked).to.be.greaterThan(5);
    });

    it('has an unknown outcome when the lagging node never catches up', async () => {
      proxy().rewrite((call, result) =>
        call.method === 'getSignatureStatuses'
          ? { ...without(result), context: { slot: 1 } }
          : later(call, result),
      );
      const sent = await signedBuy();
      await expectUnknown(sendAndConfirm(connection(), sent, { stallTimeoutMs: 1_000 }));
      proxy().rewrite(undefined);
      await expectBought(sendAndConfirm(connection(), sent));
    });

    it('has an unknown outcome when the node keeps no history', async () => {
      proxy().rewrite((call, result) => {
        if (call.method !== 'getSignatureStatuses') return later(call, result);
        return asksHistory(call) ? NO_HISTORY : without(result);
      });
      await expectUnknown(sendAndConfirm(connection(), await signedBuy()));
    });

    it('has an unknown outcome when the node’s history begins after it', async () => {
      proxy().rewrite((call, result) => {
        if (call.method === 'getSignatureStatuses') return without(result);
        if (call.method === 'getFirstAvailableBlock') return 900;
        if (call.method === 'getBlock') return { ...BLOCK, blockHeight: 900 };
        return later(call, result);
      });
      const error = await expectUnknown(sendAndConfirm(connection(), await signedBuy()));
      expect(error.message).to.include('full history');
    });
  });

  describe('a transaction that never landed is reported as expired', () => {
    /** Hides the landing: the node never reports a status. */
    const dropped = (call: RpcCall, result: unknown, blocks?: number) =>
      call.method === 'getSignatureStatuses' ? without(result) : later(call, result, blocks);

    it('when the node’s history covers its block heights', async () => {
      proxy().rewrite((call, result) => {
        if (call.method === 'getFirstAvailableBlock') return 5;
        if (call.method === 'getBlock') return { ...BLOCK, blockHeight: 0 };
        return dropped(call, result);
      });
      const sent = await signedBuy();
      const error = await rejection(sendAndConfirm(connection(), sent), TransactionExpiredError);
      expect(error.message).to.include(String(sent.lastValidBlockHeight));
    });

    it('when the node keeps no history, but its block heights are recent enough', async () => {
      const sent = await signedBuy();
      const height = await cluster().connection.getBlockHeight('finalized');
      proxy().rewrite((call, result) =>
        call.method === 'getSignatureStatuses' && asksHistory(call)
          ? NO_HISTORY
          : dropped(call, result, sent.lastValidBlockHeight + 1 - height),
      );
      await rejection(sendAndConfirm(connection(), sent), TransactionExpiredError);
    });
  });

  describe('a transaction that was sent before', () => {
    for (const skipPreflight of [false, true]) {
      it(`is found, ${skipPreflight ? 'without' : 'with'} a preflight`, async () => {
        const before = await held();
        const sent = await signedBuy();
        const first = await sendAndConfirm(connection(), sent);
        const bought = await held();
        expect(bought > before).to.equal(true);
        expect(await sendAndConfirm(connection(), sent, { skipPreflight })).to.deep.equal(first);
        expect(await held()).to.equal(bought);
      });
    }

    it('is found when its blockhash has expired since, so that the preflight refuses it', async () => {
      const sent = await signedBuy();
      const first = await sendAndConfirm(connection(), sent);
      proxy().rewrite((call, result) => {
        if (call.method === 'sendTransaction')
          return new RpcFailure(-32002, 'Transaction simulation failed: Blockhash not found');
        if (call.method === 'getSignatureStatuses' && !asksHistory(call)) return without(result);
        return later(call, result);
      });
      expect(await sendAndConfirm(connection(), sent)).to.deep.equal(first);
    });

    it('is reported as failed when it failed the first time', async () => {
      const sent = await signedBuy(10n ** 15n);
      await rejection(sendAndConfirm(connection(), sent, { skipPreflight: true }), ProgramError);
      const error = await rejection(sendAndConfirm(connection(), sent), ProgramError);
      expect(error).to.include({ name: 'SlippageError' });
    });
  });

  describe('an RPC node that fails', () => {
    it('to refuse the first attempt before another was sent does not count, when the refusal comes late', async () => {
      const refusal = new RpcFailure(-32002, 'Transaction simulation failed: Blockhash not found');
      const again = deferred();
      let sends = 0;
      proxy().rewrite(async ({ method }, result) => {
        if (method !== 'sendTransaction') return sends < 2 ? hidden(method, result) : result;
        sends += 1;
        if (sends > 1) again.resolve();
        else {
          await again.promise;
          return refusal;
        }
        return result;
      });
      await expectBought(sendAndConfirm(connection(), await signedBuy(), { stallTimeoutMs: 8_000 }));
      expect(sends).to.be.greaterThan(1);
    });

    for (const [code, message] of [
      [-32000, 'upstream closed the connection'],
      [-32603, 'Internal error'],
      [-32603, 'failed to forward transaction to leader'],
      [-32005, 'Service unavailable'],
      [429, 'Too many requests for a specific RPC call'],
    ] as const) {
      it(`to say '${message}' of a transaction that it has forwarded does not make the call fail`, async () => {
        let sends = 0;
        proxy().rewrite(({ method }, result) =>
          method === 'sendTransaction' && sends++ === 0 ? new RpcFailure(code, message) : result,
        );
        await expectBought(sendAndConfirm(connection(), await signedBuy()));
        expect(sends).to.be.greaterThan(0);
      });
    }

    it('permanently leaves the outcome unknown; sent again later, the transaction lands once', async () => {
      const sent = await signedBuy();
      proxy().setDown(true);
      const error = await expectUnknown(sendAndConfirm(connection(), sent, { stallTimeoutMs: 1_000 }));
      expect(String(error.cause)).to.include('503');
      proxy().setDown(false);
      await expectBought(sendAndConfirm(connection(), sent));
    });
  });

  it('given an error at processed commitment in a block that is dropped, then the confirmed block decides', async () => {
    let seen = 0;
    proxy().rewrite((call, result) => {
      if (call.method !== 'getSignatureStatuses' || ++seen > 3) return result;
      const { context } = result as Statuses;
      const lost = { slot: context.slot, confirmations: 0, err: LOST, status: { Err: LOST } };
      return { context, value: [{ ...lost, confirmationStatus: 'processed' }] };
    });
    await expectBought(sendAndConfirm(connection(), await signedBuy(), { commitment: 'processed' }));
    expect(seen).to.be.greaterThan(3);
  });

  it('given an unsigned transaction, then nothing is sent', async () => {
    const { transaction, ...rest } = await signedBuy();
    transaction.signatures = transaction.signatures.map(() => new Uint8Array(64));
    const error = await rejection(
      sendAndConfirm(connection(), { transaction, ...rest }),
      InvalidArgumentError,
    );
    expect(error.argument).to.equal('transaction');
  });

  /** Hides that the first attempt, which the real node has got, has landed. */
  function hidden(method: string, result: unknown): unknown {
    return method === 'getSignatureStatuses' ? without(result) : result;
  }

  async function expectUnknown(sending: Promise<unknown>): Promise<OutcomeUnknownError> {
    const error = await rejection(sending, OutcomeUnknownError);
    expect(error).to.be.instanceOf(CurvekitError).and.not.instanceOf(TransactionError);
    expect(error.message).to.include(error.signature);
    return error;
  }
});

const BLOCK = {
  blockhash: '11111111111111111111111111111111',
  previousBlockhash: '11111111111111111111111111111111',
  parentSlot: 4,
  blockTime: null,
};
