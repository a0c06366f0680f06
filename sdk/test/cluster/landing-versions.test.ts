// Sending, confirming and proving expiry, with transaction versions that web3.js or the node cannot read.
import { Connection, type Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import {
  buy,
  prepareTransaction,
  ProgramError,
  sendAndConfirm,
  TransactionExpiredError,
  UnreadableTransactionError,
  type PreparedTransaction,
} from '@curvekit/sdk';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { Provider } from '../../../tests/support/node/provider.js';
import {
  RpcFailure,
  startRpcProxy,
  type RpcCall,
  type RpcProxy,
} from '../../../tests/support/node/rpc-proxy.js';
import { launch, type Token } from '../../../tests/support/program/tokens.js';
import { SOL } from '../../../tests/support/constants.js';

/** More tokens than any buy in this file yields. */
const TOO_MUCH = 10n ** 15n;
/** The largest value of `maxSupportedTransactionVersion`. */
const ANY_VERSION = 255;

interface Versioned {
  readonly maxSupportedTransactionVersion?: number;
}

describe('landing, with transactions of newer versions', function () {
  this.timeout(60_000);
  const cluster = useCluster();
  let token: Token;
  let proxy: RpcProxy;
  let connection: Connection;
  let trader: Keypair;
  let provider: Provider;
  /** The last `maxSupportedTransactionVersion` requested, by method. */
  let asked: Map<string, number | undefined>;

  before(async () => {
    token = await launch(cluster());
    proxy = await startRpcProxy(cluster().rpcUrl);
    connection = new Connection(proxy.url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
  });

  beforeEach(async () => {
    trader = await cluster().fundedWallet(10n * SOL);
    provider = new Provider();
    asked = new Map();
    answerAs(provider.rewrite);
  });

  after(() => proxy.stop());

  /** Rewrites the answers, and notes the requested versions. */
  function answerAs(rewrite: Provider['rewrite']): void {
    proxy.rewrite((call, result, more) => {
      const versioned = call.params[1] as Versioned | undefined;
      if (/^get(Transaction|Block)$/.test(call.method)) {
        asked.set(call.method, versioned?.maxSupportedTransactionVersion);
      }
      return rewrite(call, result, more);
    });
  }

  async function signedBuy(minTokenToReceive = 0n): Promise<PreparedTransaction> {
    const payer = trader.publicKey;
    const instructions = buy({ mint: token.mint, payer, solToSpend: SOL / 10n, minTokenToReceive });
    const parts = { payer, instructions, computeUnitLimit: 200_000 };
    const prepared = await prepareTransaction(cluster().connection, parts);
    prepared.transaction.sign([trader]);
    return prepared;
  }

  for (const version of [1, 7, 255]) {
    it(`given version ${version}, then sendAndConfirm returns when it lands`, async () => {
      provider.giveVersion(trader.publicKey, version);
      const { slot } = await sendAndConfirm(connection, await signedBuy());
      expect(slot).to.be.greaterThan(0);
    });

    it(`given version ${version} and a failure on chain, then the error comes with its log`, async () => {
      provider.giveVersion(trader.publicKey, version);
      const sent = await signedBuy(TOO_MUCH);
      const error = await rejection(sendAndConfirm(connection, sent, { skipPreflight: true }), ProgramError);
      expect(error).to.include({ name: 'SlippageError' });
      expect(error.logs).to.be.an('array').with.length.greaterThan(0);
      expect(asked.get('getTransaction')).to.equal(ANY_VERSION);
    });
  }

  it('given a failed transaction in a version that the node cannot encode, then the error comes without its log', async () => {
    provider.giveVersion(trader.publicKey, 7);
    provider.setNewestVersion(1);
    const sent = await signedBuy(TOO_MUCH);
    const error = await rejection(sendAndConfirm(connection, sent, { skipPreflight: true }), ProgramError);
    expect(error).to.include({ name: 'SlippageError', logs: undefined });
    expect(asked.get('getTransaction')).to.equal(ANY_VERSION);
  });

  it('given blocks with newer transactions, then the proof of expiry can read them', async () => {
    const sent = await signedBuy();
    answerAs((call, result) => {
      switch (call.method) {
        case 'getEpochInfo':
          return { ...(result as object), blockHeight: sent.lastValidBlockHeight + 1_000 };
        case 'getSignatureStatuses':
          return { ...(result as object), value: [null] };
        case 'getFirstAvailableBlock':
          return 5;
        case 'getBlock':
          return blockOfVersion(ANY_VERSION, call);
        default:
          return result;
      }
    });
    await rejection(sendAndConfirm(connection, sent, { skipPreflight: true }), TransactionExpiredError);
    expect(asked.get('getBlock')).to.equal(ANY_VERSION);
  });

  describe('send() of the local cluster in the testing package', () => {
    let behind: LocalCluster;

    before(async () => {
      behind = await startLocalCluster({
        backend: proxy.url,
        wsUrl: cluster().wsUrl,
        payer: cluster().payer,
        programId: cluster().programId,
      });
    });

    after(() => behind.stop());

    function send(minTokenToReceive = 0n) {
      const payer = trader.publicKey;
      const instructions = buy({ mint: token.mint, payer, solToSpend: SOL / 10n, minTokenToReceive });
      return behind.send(instructions, [trader]);
    }

    it('requests the newest version', async () => {
      const { slot } = await send();
      expect(slot).to.be.greaterThan(0);
      expect(asked.get('getTransaction')).to.equal(ANY_VERSION);
    });

    it('throws UnreadableTransactionError at once for a version that the node cannot encode', async () => {
      provider.giveVersion(trader.publicKey, 7);
      provider.setNewestVersion(1);
      const error = await rejection(send(), UnreadableTransactionError);
      expect(error.version).to.equal(7);
    });
  });
});

function blockOfVersion(version: number, { params }: RpcCall): unknown {
  const { maxSupportedTransactionVersion: most = 0 } = (params[1] ?? {}) as Versioned;
  if (most < version)
    return new RpcFailure(
      -32_015,
      `Transaction version (${version}) is not supported by the requesting client`,
    );
  const hash = '11111111111111111111111111111111';
  return { blockhash: hash, previousBlockhash: hash, parentSlot: 4, blockTime: null, blockHeight: 0 };
}
