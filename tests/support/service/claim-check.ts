// A wallet that claims from a fake service whose answers a test sets.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import { keypairWallet } from '@curvekit/sdk';
import {
  RewardsClient,
  UntrustedTransactionError,
  type ClaimingWallet,
  type ClaimRequest,
} from '@curvekit/sdk/rewards';
import { rejection } from '#tests/mocha/failures.js';
import { keypair } from './claim-instructions.js';

/** Starts such a service for the surrounding `describe`. */
export function useClaimCheck() {
  let server: Server;
  let client: RewardsClient;
  let tx = '';
  const check = {
    /** The unclaimed amounts that the service reports, one per request; the last one repeats. */
    said: [] as bigint[],
    timesAsked: 0,
    timesSigned: 0,
  };
  const signing: ClaimingWallet = {
    ...keypairWallet(keypair),
    signTransaction: (transaction) => {
      check.timesSigned += 1;
      return keypairWallet(keypair).signTransaction(transaction);
    },
  };

  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(
          request.method === 'GET' ? rewardsAnswer() : JSON.stringify({ status: 'success', data: { tx } }),
        );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    client = new RewardsClient({ baseUrl: `http://127.0.0.1:${port}`, retries: 0 });
  });
  after(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    check.timesAsked = 0;
    check.timesSigned = 0;
    check.said = [0n];
  });

  function rewardsAnswer(): string {
    check.timesAsked += 1;
    const amount = String(check.said.length > 1 ? check.said.shift() : check.said[0]);
    const amounts = `{"sol":${amount},"solUi":"","token":${amount},"tokenUi":""}`;
    return `{"status":"success","data":{"unclaimedRewards":${amounts},"allTimeRewards":${amounts}}}`;
  }

  const answerWith = (transaction: VersionedTransaction) =>
    (tx = Buffer.from(transaction.serialize()).toString('base64'));
  const refusalOf = async (request: ClaimRequest): Promise<string> => {
    const connection = { sendRawTransaction: () => Promise.reject(new Error('it was submitted')) };
    const { message } = await rejection(
      client.claim(signing, request, { connection, pollMs: 1 }),
      UntrustedTransactionError,
    );
    expect(check.timesSigned).to.equal(0);
    return message;
  };

  return { check, client: () => client, signing, answerWith, refusalOf };
}
