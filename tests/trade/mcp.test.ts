// `curvekit-trade mcp` through the official client, as an agent uses it. threat: agent-limits
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import type { Service } from '#app/service.js';
import { launch } from '#tests/program/tokens.js';
import { eventually } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';
import { unpackTradeCli, type TradeCli } from '#tests/trade/program.js';

const SCHEMAS = fileURLToPath(new URL('../../trade/schemas.json', import.meta.url));

interface Answer {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

describe('curvekit-trade mcp', () => {
  const cluster = useCluster();
  let service: Service;
  let cli: TradeCli;
  let wallet: Keypair;
  let mint: string;
  let key: string;
  const clients: Client[] = [];

  before(async () => {
    service = await startTestService(cluster());
    cli = await unpackTradeCli();
    cli.environment['LAUNCHPAD_URL'] = service.url;
    wallet = await cluster().fundedWallet(20n * SOL);
    key = await cli.keypairFile('agent.json', wallet);
    mint = (await launch(cluster(), { name: 'Morning Coffee', symbol: 'COFFEE' })).mint.toBase58();
    await eventually(async () => (await cli.run('token', mint)).code === 0, 'the token');
  });
  after(async () => {
    for (const client of clients) await client.close();
    await service?.stop();
  });

  /** @param confirms what the user answers; undefined for a client that cannot ask */
  async function connect(args: readonly string[], confirms?: () => boolean): Promise<Client> {
    const capabilities = confirms === undefined ? {} : { elicitation: { form: {} } };
    const client = new Client({ name: 'agent', version: '1.0.0' }, { capabilities });
    if (confirms !== undefined) {
      client.setRequestHandler('elicitation/create', () =>
        confirms() ? { action: 'accept', content: { confirm: true } } : { action: 'decline' },
      );
    }
    clients.push(client);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cli.main, 'mcp', ...args],
        env: cli.environment,
      }),
    );
    // From here on the client checks each answer against the schema of its tool.
    await client.listTools();
    return client;
  }
  const call = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as Answer;
  const textOf = ({ content }: Answer) => content.map(({ text }) => text).join();
  const buy = (sol: string) => ({ side: 'buy', mint, sol });
  const expectQuickQuotes = async (client: Client) => {
    const times: number[] = [];
    for (let quoted = 0; quoted < 20; quoted += 1) {
      const start = performance.now();
      expect((await call(client, 'quote', buy('0.1'))).structuredContent).to.include({ side: 'buy' });
      times.push(performance.now() - start);
    }
    expect(times.sort((a, b) => a - b)[10], 'ms, the median').to.be.below(150);
  };

  it('finds, describes and quotes as the commands do, and trades only with a key', async () => {
    const client = await connect([]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).to.deep.equal(['find_tokens', 'get_token', 'quote']);
    const found = await call(client, 'find_tokens', { text: 'coff' });
    expect(found.structuredContent).to.have.nested.property('tokens[0].mint', mint);
    const [token] = await cli.json<object>('token', mint);
    expect((await call(client, 'get_token', { mint })).structuredContent).to.deep.equal(token);
    const [quote] = await cli.json<object>('quote', 'buy', mint, '--sol', '0.1');
    expect((await call(client, 'quote', buy('0.1'))).structuredContent).to.deep.equal(quote);
    await expectQuickQuotes(client);
    const wrong = await call(client, 'quote', { ...buy('0.1'), tokens: '5' });
    expect(wrong.isError).to.equal(true);
    expect(textOf(wrong)).to.contain('amount is given 2 times');
    const option = await call(client, 'find_tokens', { text: '--help' });
    expect(option.structuredContent, textOf(option)).to.deep.equal({ tokens: [] });
  });

  it('asks the user before each trade, and sends nothing without the answer', async () => {
    let [asked, agrees] = [0, false];
    const client = await connect(['--keypair', key], () => {
      asked += 1;
      return agrees;
    });
    const before = await lamportsOf(cluster().connection, wallet.publicKey);
    expect(textOf(await call(client, 'trade', buy('0.05')))).to.contain('the user did not confirm the trade');
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(before);
    agrees = true;
    const preview = await call(client, 'preview_trade', buy('0.05'));
    const bought = await call(client, 'trade', buy('0.05'));
    expect(bought.structuredContent).to.include({ side: 'buy', mint, solAmount: '50000000' });
    expect(asked).to.equal(2);
    const { walletChange } = bought.structuredContent as { walletChange: string };
    expect(preview.structuredContent).to.have.property('walletChange', walletChange);
    const { holdings } = (await call(client, 'get_portfolio')).structuredContent as {
      holdings: { mint: string }[];
    };
    expect(holdings.map((holding) => holding.mint)).to.deep.equal([mint]);
    const sold = await call(client, 'trade', { side: 'sell', mint, all: true });
    expect(sold.structuredContent).to.include({ side: 'sell' });
    // A client that cannot ask.
    const silent = await connect(['--keypair', key]);
    const refused = await call(silent, 'trade', buy('0.05')).catch((error: Error) => error);
    expect(String(refused instanceof Error ? refused.message : textOf(refused))).to.match(/elicitation/i);
  });

  it('keeps to the limits of a call and of a day, also after a restart', async () => {
    const limits = ['--keypair', key, '--yes', '--limit', '0.3', '--day-limit', '0.5'];
    const client = await connect(limits);
    const before = await lamportsOf(cluster().connection, wallet.publicKey);
    expect(textOf(await call(client, 'trade', buy('0.31')))).to.contain(
      '--limit allows 0.3 SOL for each call',
    );
    const worth = await call(client, 'trade', { side: 'sell', mint, tokens: '1' });
    expect(worth.isError, 'nothing to sell').to.equal(true);
    expect((await call(client, 'trade', buy('0.2'))).structuredContent).to.include({ side: 'buy' });
    const restarted = await connect(limits);
    expect(textOf(await call(restarted, 'trade', buy('0.29')))).to.match(
      /SOL are left of the day's 0\.5 SOL/,
    );
    const spent = before - (await lamportsOf(cluster().connection, wallet.publicKey));
    expect(spent > SOL / 5n && spent < SOL / 4n).to.equal(true);
  });

  it('serves programs of this machine that know the token, on a port', async () => {
    cli.environment['MCP_TOKEN'] = 'secret';
    const server = cli.start('mcp', '--http', '0');
    try {
      const url = await server.untilSaid(/http:\/\/127\.0\.0\.1:\d+\/mcp/);
      const headers = { authorization: 'Bearer secret' };
      const client = new Client({ name: 'agent', version: '1.0.0' });
      clients.push(client);
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      await client.listTools();
      await expectQuickQuotes(client);
      const post = (more: Record<string, string>) =>
        fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...more }, body: '{}' });
      expect((await post({})).status).to.equal(401);
      expect((await post({ authorization: 'Bearer secreT' })).status).to.equal(401);
      expect((await post({ ...headers, origin: 'https://evil.example' })).status).to.equal(403);
    } finally {
      await server.end('SIGTERM');
    }
  });

  it('prints the schemas that the package has', async () => {
    const { out } = await cli.run('schemas');
    expect(JSON.parse(out)).to.deep.equal(JSON.parse(await readFile(SCHEMAS, 'utf8')));
  });
});
