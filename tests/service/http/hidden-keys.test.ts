// A node's URL often has a key in its path or its query, and gateways quote it in their errors. Nobody gets to see it. threat: node-key
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { hideSecrets, keepSecretsOf } from '#app/base/secrets.js';
import { createLogger } from '#app/base/logging/logging.js';
import { type Service } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { serveNode, type ServedNode } from '#tests/node/serve.js';
import { eventually } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';

const IN_PATH = 'Zx81qLongKeyOfPath';
const IN_QUERY = '0f3c-key-of-the-query';
const QUOTED = `your key ${IN_PATH} (${IN_QUERY}) has no credits left`;

describe("the keys of a node's URL", () => {
  const cluster = useCluster();
  const answers = {
    'a JSON-RPC error': {
      status: 200,
      body: { jsonrpc: '2.0', id: 1, error: { code: -32005, message: QUOTED } },
    },
    'a refusal in JSON': { status: 403, body: { error: QUOTED } },
    'a refusal in words': { status: 401, body: QUOTED },
  };
  let node: ServedNode;
  let service: Service;
  let given: (typeof answers)[keyof typeof answers];
  const lines: string[] = [];

  before(async () => {
    node = await serveNode((body, response) => {
      let id: unknown = 1;
      try {
        ({ id } = JSON.parse(body) as { id: unknown });
      } catch {
        // Not a call.
      }
      response.statusCode = given.status;
      const said = given.body;
      response.end(typeof said === 'string' ? said : JSON.stringify({ ...said, id }));
    });
    given = answers['a JSON-RPC error'];
    const url = `${node.url}/v2/${IN_PATH}?api-key=${IN_QUERY}`;
    const logger = createLogger('trace', { write: (line) => void lines.push(line) }, 200);
    const environment = { RPC_URL: url, WS_URL: url.replace('http', 'ws') };
    service = await startTestService(cluster(), environment, { overrides: { logger } });
  });
  after(async () => {
    await service?.stop();
    await node?.stop();
  });

  for (const [what, answer] of Object.entries(answers))
    it(`are in no answer and no line of the log, also if the node quotes them: ${what}`, async () => {
      given = answer;
      const seen = lines.length;
      const account = Keypair.generate().publicKey.toBase58();
      const post = (path: string, body: object) =>
        fetch(service.url + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        });
      const answered = await Promise.all([
        post('/rpc', { jsonrpc: '2.0', id: 1, method: 'getBalance', params: [account] }),
        post(`/actions/t/${account}?amount=1`, { account }),
        fetch(`${service.url}/v1/market/config`),
        fetch(`${service.url}/v1/launchpad`),
        fetch(`${service.url}/ready`),
        post('/v1/market/faucet', { address: account }),
      ]);
      const said = (await Promise.all(answered.map((each) => each.text()))).join('\n');
      expect(said).not.to.include(IN_PATH).and.not.to.include(IN_QUERY);
      await eventually(() => lines.length > seen + answered.length, 'lines');
      const logged = lines.join('');
      // The first characters of a long key are not shown either.
      expect(logged).not.to.include(IN_PATH.slice(0, 8)).and.not.to.include(IN_QUERY.slice(0, 8));
      if (what === 'a JSON-RPC error') {
        expect(said).to.include('your key [redacted] ([redacted]) has no credits left');
        expect(logged).to.include('[redacted]');
      }
    });

  it('are a password, and what is no word in path and query', () => {
    keepSecretsOf(
      'https://user:hunter22@node.example/rpc/v2/mainnet-beta/abcdef123?cluster=mainnet&token=onlyletters',
    );
    expect(hideSecrets('hunter22 rpc v2 mainnet-beta abcdef123 mainnet onlyletters user')).to.equal(
      '[redacted] rpc v2 mainnet-beta [redacted] mainnet [redacted] user',
    );
    keepSecretsOf('https://node.example/key%2Fwith%2Fslashes1');
    expect(hideSecrets('key/with/slashes1 key%2Fwith%2Fslashes1')).to.equal('[redacted] [redacted]');
  });
});
