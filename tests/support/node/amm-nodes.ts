// RPC nodes that have the AMM, or another program, or none.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { SystemProgram } from '@solana/web3.js';
import { AMM } from '@curvekit/sdk';
import { serveNode, type ServedNode } from './serve.js';

export const VARIABLE = 'CURVEKIT_CPMM_SO';
export const STAND_IN_LINE =
  "pools run on Curvekit's stand-in for Raydium's CPMM; `npm run fetch:fixtures` gets the real one";
export const MARKER = 'raydium_cp_swap.not-found';

export const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

interface CountingNode extends ServedNode {
  readonly asked: () => number;
}

/** The data of an account, null if there is no such account, or a function that answers in another way. */
type Answer = Buffer | null | ((response: ServerResponse) => void);

/** Starts nodes, and stops them after each test of the surrounding `describe`. */
export function useAmmNodes() {
  const nodes: ServedNode[] = [];

  afterEach(() => Promise.all(nodes.splice(0).map((node) => node.stop())));

  async function startNode(answer: (address: string) => Answer): Promise<CountingNode> {
    let asked = 0;
    const node = await serveNode((body, response) => {
      asked += 1;
      const { id, params } = JSON.parse(body) as { id: string; params: [string] };
      const account = answer(params[0]);
      if (typeof account === 'function') return account(response);
      const value = account && {
        ...{ lamports: 1, owner: AMM.programId.toBase58(), executable: false, rentEpoch: 0 },
        data: [account.toString('base64'), 'base64'],
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { context: { slot: 1 }, value } }));
    });
    nodes.push(node);
    return { ...node, asked: () => asked };
  }

  const silentNode = () => startNode(() => () => undefined);
  const emptyNode = () => startNode(() => null);

  /** A node on which the AMM is this binary, in an account with room for more. */
  function nodeWithProgram(binary: Buffer): Promise<CountingNode> {
    const program = Buffer.alloc(36);
    program.writeUInt32LE(2);
    SystemProgram.programId.toBuffer().copy(program, 4);
    const programData = Buffer.concat([Buffer.alloc(45), binary, Buffer.alloc(100_000)]);
    return startNode((address) => (address === AMM.programId.toBase58() ? program : programData));
  }

  return { startNode, silentNode, emptyNode, nodeWithProgram };
}
