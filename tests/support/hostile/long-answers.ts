import { serveNode, type ServedNode } from '#tests/node/serve.js';

const MIB = 1_048_576;
export const LONG_ACCOUNT = 'long';

/**
 * A node in front of another one. Its answer about the account `LONG_ACCOUNT` is long, and costs it nothing: a node that works for an
 * attack would take the cores of the service that is measured.
 */
export function longAnswers(rpcUrl: string, bytes = 5 * MIB): Promise<ServedNode> {
  const filler = Buffer.alloc(bytes, 'x');
  return serveNode(async (body, response) => {
    const { id, params } = JSON.parse(body) as { id: unknown; params?: readonly unknown[] };
    if (params?.[0] === LONG_ACCOUNT) {
      response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":"`);
      response.write(filler);
      response.end('"}');
      return;
    }
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body });
    response.statusCode = answer.status;
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
}
