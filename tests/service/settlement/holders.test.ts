// A slow answer with the holders is read to its end. A node that falls silent is not waited for.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { NodeError } from '#app/rpc/node-errors.js';
import { readHoldings, type Holding } from '#app/settlement/periods/holders.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { serveNode } from '#tests/node/serve.js';

const SILENCE_MS = 400;
const PAUSE_MS = 100;
const ACCOUNTS = 12;
const SLOT = 7;

describe('the holders that a node lists', () => {
  const holder = Keypair.generate().publicKey;

  const accountOf = (balance: number) => {
    const amount = Buffer.alloc(8);
    amount.writeBigUInt64LE(BigInt(balance));
    const data = Buffer.concat([holder.toBuffer(), amount]).toString('base64');
    return JSON.stringify({ account: { data: [data, 'base64'] }, pubkey: '' });
  };

  async function read(answer: (response: ServerResponse) => Promise<void> | void): Promise<Holding[]> {
    const node = await serveNode((_, response) => answer(response));
    const batches = readHoldings({
      ...{ rpcUrl: node.url, mint: holder, minContextSlot: 0, silenceMs: SILENCE_MS, signal: NEVER_ABORTED },
    });
    const holdings: Holding[] = [];
    try {
      for (;;) {
        const next = await batches.next();
        if (next.done !== true) {
          holdings.push(...next.value);
          continue;
        }
        expect(next.value).to.equal(SLOT);
        return holdings;
      }
    } finally {
      await node.stop();
    }
  }

  async function sendSlowly(response: ServerResponse, accounts: number): Promise<void> {
    response.write(`{"result":{"context":{"slot":${SLOT}},"value":[`);
    for (let balance = 1; balance <= accounts; balance += 1) {
      response.write((balance === 1 ? '' : ',') + accountOf(balance));
      await sleep(PAUSE_MS);
    }
  }

  it('are read while it sends them, however long it takes', async () => {
    const holdings = await read(async (response) => {
      await sendSlowly(response, ACCOUNTS);
      response.end(']}}');
    });
    expect(holdings.map(({ balance }) => Number(balance))).to.deep.equal(
      Array.from({ length: ACCOUNTS }, (_, index) => index + 1),
    );
    expect(new Set(holdings.map(({ owner }) => owner))).to.deep.equal(new Set([holder.toBase58()]));
  });

  it('are given up when it falls silent, before its answer or in the middle of it', async () => {
    for (const accounts of [0, 3]) {
      const { message } = await rejection(
        read((response) => (accounts === 0 ? undefined : sendSlowly(response, accounts))),
        NodeError,
      );
      expect(message).to.match(/^http:\/\/127\.0\.0\.1:\d+ sends nothing for 0\.4 s$/);
    }
  });
});
