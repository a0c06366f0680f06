// A slow answer with the holders is read to its end. A node that falls silent is not waited for.
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { NodeError } from '#app/chain/node-errors.js';
import { readHoldings, type Holding } from '#app/graduation/settlement/periods/holders.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { slicedAccount } from '#tests/node/sliced-account.js';
import { serveNode } from '#tests/node/serve.js';

const SILENCE_MS = 400;
const PAUSE_MS = 100;
const ACCOUNTS = 12;
const SLOT = 7;

describe('the holders that a node lists', () => {
  const holder = Keypair.generate().publicKey;

  const accountOf = (balance: number) => JSON.stringify(slicedAccount(holder.toBase58(), balance));

  /** Sizes of the batches of the last read. */
  const sizes: number[] = [];

  async function read(
    answer: (response: ServerResponse, body: string) => Promise<void> | void,
    signal = NEVER_ABORTED,
  ): Promise<Holding[]> {
    const node = await serveNode((body, response) => answer(response, body));
    const batches = readHoldings({
      ...{ rpcUrl: node.url, mint: holder, minContextSlot: 5, silenceMs: SILENCE_MS, signal },
    });
    const holdings: Holding[] = [];
    sizes.length = 0;
    try {
      for (;;) {
        const next = await batches.next();
        if (next.done !== true) {
          holdings.push(...next.value);
          sizes.push(next.value.length);
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

  it('are those of one token, without the rest of the accounts, at a slot or later', async () => {
    let asked: unknown;
    await read((response, body) => {
      asked = JSON.parse(body);
      response.end(`{"result":{"context":{"slot":${SLOT}},"value":[]}}`);
    });
    const options = {
      ...{ commitment: 'finalized', encoding: 'base64', withContext: true, minContextSlot: 5 },
      dataSlice: { offset: 32, length: 40 },
      filters: [{ dataSize: 165 }, { memcmp: { offset: 0, bytes: holder.toBase58() } }],
    };
    expect(asked).to.deep.equal({
      ...{ jsonrpc: '2.0', id: 0, method: 'getProgramAccounts' },
      params: ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', options],
    });
  });

  it('come in batches of 5,000 or more, without empty accounts', async () => {
    const holdings = await read(async (response) => {
      response.write(`{"result":{"context":{"slot":${SLOT}},"value":[${accountOf(0)}`);
      for (let part = 0; part < 12; part += 1) {
        response.write(`,${Array.from({ length: 1_000 }, () => accountOf(1)).join()}`);
        await sleep(5);
      }
      response.end(']}}');
    });
    expect(holdings.filter(({ balance }) => balance === 1n)).to.have.lengthOf(12_000);
    expect(holdings).to.have.lengthOf(12_000);
    expect(sizes.length).to.be.within(2, 3);
    for (const size of sizes.slice(0, -1)) expect(size).to.be.at.least(5_000);
  });

  it('are refused with what the node says, and what to do about it', async () => {
    const error = await rejection(
      read((response) => void response.end('{"error":{"code":-32010,"message":"excluded from the index"}}')),
      NodeError,
    );
    expect(error.code).to.equal(-32010);
    expect(error.message).to.match(
      /^http:\/\/127\.0\.0\.1:\d+ answers getProgramAccounts with error -32010: .*excluded from the index.*; settlements need this method: set RPC_URL/,
    );
  });

  it('are refused when the accounts are not sliced, or the answer breaks off', async () => {
    const whole = `{"result":{"context":{"slot":${SLOT}},"value":[{"account":{"data":["${'A'.repeat(220)}","base64"]}}]}}`;
    const unsliced = await rejection(
      read((response) => void response.end(whole)),
      NodeError,
    );
    expect(unsliced.message).to.equal('the node does not slice the data of token accounts');
    const broken = await rejection(
      read(async (response) => {
        await sendSlowly(response, 1);
        response.destroy();
      }),
      NodeError,
    );
    expect(broken.message).to.match(/breaks off its answer to getProgramAccounts: /);
    expect(broken.cause).to.be.an.instanceOf(Error);
  });

  it('are not read any more after a stop, which is no failure of the node', async () => {
    const stopping = new AbortController();
    const stopped = rejection(
      read(async (response) => {
        await sendSlowly(response, 1);
        stopping.abort(new Error('the process ends'));
      }, stopping.signal),
      Error,
    );
    expect((await stopped).message).to.equal('the process ends');
  });
});
