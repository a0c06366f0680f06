// A proxy for the node of a local cluster. It only replaces the list of the token's holders, because creating a hundred
// thousand token accounts would take longer than the measurement.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TOKEN_PROGRAM_ADDRESS } from '@curvekit/sdk';
import bs58 from 'bs58';
import { serveNode, type ServedNode } from '#tests/node/serve.js';

export interface HoldersNode extends ServedNode {
  /** Sets the number of holders of the token. */
  setHolders(count: number): void;
  /** Calls back once, in the middle of the next answer with this number, from 1. */
  inTheMiddleOf(answer: number, then: () => void): void;
}

/** Every tenth wallet has a second account. */
const SECOND_ACCOUNT_EVERY = 10;

/** The token accounts of the holder with this index, equal in every run. */
export function* accountsOf(index: number): Generator<{ owner: Buffer; balance: bigint }> {
  const owner = createHash('sha256').update(`holder ${index}`).digest();
  yield { owner, balance: (owner.readBigUInt64LE(0) % 1_000_000_000_000n) + 1n };
  if (index % SECOND_ACCOUNT_EVERY === 0) {
    yield { owner, balance: (owner.readBigUInt64LE(8) % 1_000_000n) + 1n };
  }
}

/** The holders' total balances by wallet, in the order of the addresses. */
export function balancesOf(count: number): [wallet: string, balance: bigint][] {
  const balances: [string, bigint][] = [];
  for (let index = 0; index < count; index += 1) {
    const accounts = [...accountsOf(index)];
    const wallet = bs58.encode(accounts[0]?.owner ?? new Uint8Array());
    balances.push([wallet, accounts.reduce((sum, { balance }) => sum + balance, 0n)]);
  }
  return balances.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Starts the proxy. */
export async function startHoldersNode(clusterUrl: string): Promise<HoldersNode> {
  /** Built in advance, so that building them is not measured. */
  let elements: readonly Buffer[] = [];
  let answers = 0;
  let middle = { answer: 0, then: () => undefined as void };
  const served = await serveNode(async (body, response) => {
    response.setHeader('content-type', 'application/json');
    if (body.includes('"getProgramAccounts"')) {
      answers += 1;
      const atMiddle = answers === middle.answer ? middle.then : undefined;
      await pipeline(Readable.from(accountList(elements, await slotOf(clusterUrl), atMiddle)), response);
      return;
    }
    response.end(await forward(clusterUrl, body));
  });
  return {
    ...served,
    setHolders: (count) => {
      elements = elementsOf(count);
    },
    inTheMiddleOf: (answer, then) => {
      middle = { answer: answers + answer, then };
    },
  };
}

/** The answer in the format of an RPC node. */
function* accountList(elements: readonly Buffer[], slot: number, atMiddle?: () => void): Generator<Buffer> {
  yield Buffer.from(`{"jsonrpc":"2.0","result":{"context":{"apiVersion":"4.1.2","slot":${slot}},"value":[`);
  const half = Math.floor(elements.length / 2);
  yield* elements.slice(0, half);
  atMiddle?.();
  yield* elements.slice(half);
  yield Buffer.from(']},"id":0}');
}

const HOLDERS_PER_CHUNK = 500;

/** The elements of the answer, in chunks: owner and amount of each account in base64, as requested. */
function elementsOf(holders: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let from = 0; from < holders; from += HOLDERS_PER_CHUNK) {
    const accounts: string[] = [];
    for (let index = from; index < Math.min(holders, from + HOLDERS_PER_CHUNK); index += 1)
      for (const account of accountsOf(index)) accounts.push(elementOf(account));
    chunks.push(Buffer.from((from === 0 ? '' : ',') + accounts.join(',')));
  }
  return chunks;
}

function elementOf({ owner, balance }: { readonly owner: Buffer; readonly balance: bigint }): string {
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(balance);
  const data = Buffer.concat([owner, amount]).toString('base64');
  const pubkey = bs58.encode(createHash('sha256').update(data).digest());
  return `{"account":{"data":["${data}","base64"],"executable":false,"lamports":2039280,"owner":"${TOKEN_PROGRAM_ADDRESS.toBase58()}","rentEpoch":18446744073709551615,"space":165},"pubkey":"${pubkey}"}`;
}

async function slotOf(clusterUrl: string): Promise<number> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'getSlot',
    params: [{ commitment: 'finalized' }],
  });
  return (JSON.parse(await forward(clusterUrl, body)) as { result: number }).result;
}

async function forward(clusterUrl: string, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(clusterUrl, { method: 'POST', headers, body })).text();
}
