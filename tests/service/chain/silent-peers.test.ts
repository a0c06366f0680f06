// Every call of the service to the outside, to a peer that accepts it and never answers. The call ends within its limit, and leaves no
// connection open. threat: silent-server
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { pino } from 'pino';
import { feedSlot, subscribe } from '#app/index/feed/connection.js';
import { rpcSource } from '#app/index/rpc-source.js';
import { checkWebsocket } from '#app/operator/doctor/cluster-checks.js';
import { fetchFile } from '#app/tokens/metadata/fetch.js';
import { PEERS, Peers } from '#app/base/peers.js';
import { bucketStore } from '#app/tokens/pictures/s3-store.js';
import { inUsd } from '#app/claims/rewards/sol-price.js';
import { connectNode } from '#app/chain/connection.js';
import { JsonRpc } from '#app/chain/json-rpc.js';
import { readHoldings } from '#app/graduation/settlement/periods/holders.js';
import { signerOf } from '#app/keys/signer-of.js';
import { parseSignerUrl } from '#app/keys/signer-url.js';
import { exportTraces } from '#app/base/tracing/sdk.js';
import { inSpan } from '#app/base/tracing/spans.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { Proxy } from '#tests/network/proxy.js';
import { rewardsEnvironment } from '#tests/service/rewards.js';
import { startServiceProcess } from '#tests/service/service-process.js';
import { startHttpsServer } from '#tests/network/https-server.js';
import { keepSilent, SILENCES, startSilentPeer, type SilentPeer } from '#tests/network/silent-peer.js';
import { eventually } from '#tests/service/service.js';
import { useKey } from '#tests/service/s3-server.js';
import { AWS, GCP_KEY } from '#tests/signers/kms-servers.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const SHORT_MS = 1_500;
const address = Keypair.generate().publicKey.toBase58();
const logger = pino({ level: 'silent' });
const message = Buffer.from('a message');

interface Call {
  /** The limit of the call, in milliseconds: SHORT_MS unless given. */
  readonly limitMs?: number;
  readonly unix?: boolean;
  /** Ends when the call has ended. */
  readonly call: (peer: {
    readonly port: number;
    readonly path: string;
    readonly peers: Peers;
  }) => Promise<unknown>;
}

const http = (port: number) => `http://127.0.0.1:${port}`;
const signer = (url: string) => signerOf(parseSignerUrl(url));

const CALLS: Readonly<Record<string, Call>> = {
  'a request of web3.js to the RPC node': {
    call: ({ port }) => connectNode({ rpcUrl: http(port) }, { timeoutMs: SHORT_MS }).getSlot(),
  },
  'a request of the indexer to the RPC node': {
    call: ({ port }) =>
      new JsonRpc(http(port)).call({ method: 'getSlot', params: [] }, AbortSignal.timeout(SHORT_MS)),
  },
  "the RPC node's list of holders": {
    call: ({ port }) =>
      readHoldings({
        ...{ rpcUrl: http(port), mint: PublicKey.default, minContextSlot: 0, commitment: 'confirmed' },
        signal: AbortSignal.timeout(SHORT_MS),
      }).next(),
  },
  "the RPC node's websocket": {
    limitMs: 10_000,
    call: async ({ port, peers }) => {
      const wsUrl = `ws://127.0.0.1:${port}`;
      const source = rpcSource({ wsUrl, programId: address, intervalMs: 100, logger, peers });
      await sleep(10_500);
      const isNamed = peers.failing.includes('websocket');
      source.stop();
      if (isNamed) peers.failed('websocket');
    },
  },
  "doctor's look at the websocket": {
    limitMs: 5_000,
    call: ({ port }) =>
      checkWebsocket({ config: { wsUrl: `ws://127.0.0.1:${port}` } } as Parameters<typeof checkWebsocket>[0]),
  },
  "the gRPC feed's slot": {
    limitMs: 5_000,
    call: ({ port }) => feedSlot({ url: http(port), token: undefined }),
  },
  'the gRPC feed': {
    call: ({ port }) =>
      new Promise<void>((resolve) => {
        const times = { silenceMs: SHORT_MS, firstRetryMs: 60_000, longestRetryMs: 60_000 };
        const events = {
          onUpdate: () => undefined,
          isBehind: () => false,
          onEnd: () => {
            stop();
            resolve();
          },
        };
        const stop = subscribe({ url: http(port), token: undefined }, address, events, times);
      }),
  },
  "SOL's price": {
    call: ({ port, peers }) =>
      new Promise<void>((resolve) => {
        const warned = { warn: () => resolve() } as unknown as typeof logger;
        const connection = connectNode({ rpcUrl: http(port) });
        const context = { logger: warned, now: Date.now, connection, peers, timeoutMs: SHORT_MS };
        inUsd({ url: http(port), pointer: '/usd' }, context).current();
      }),
  },
  'a file of the bucket': {
    call: ({ port, peers }) =>
      bucketStore(
        { bucket: 'b', endpoint: http(port), region: 'us-east-1' },
        { limitMs: SHORT_MS, peers },
      ).read('a.webp'),
  },
  'a signature of AWS KMS': {
    limitMs: 5_000,
    call: ({ port }) =>
      signer(`aws-kms://${AWS.region}/${AWS.key}?address=${address}&endpoint=${http(port)}`).sign(message),
  },
  'a signature of Google Cloud KMS': {
    limitMs: 5_000,
    call: ({ port }) =>
      signer(`gcp-kms://${GCP_KEY}?address=${address}&endpoint=${http(port)}`).sign(message),
  },
  "a signature of the signer's socket": {
    limitMs: 5_000,
    unix: true,
    call: ({ path }) => signer(`unix://${path}?address=${address}`).sign(message),
  },
  'a claim of a signer that pays claims': {
    limitMs: 20_000,
    unix: true,
    call: ({ path }) => signer(`unix://${path}?address=${address}&pays=claims`).claim!({}),
  },
  'the export of traces': {
    limitMs: 1_000,
    call: async ({ port, peers }) => {
      const config = {
        endpoint: http(port),
        headers: {},
        serviceName: 'x',
        sampler: 'always_on',
        ratio: 1,
      } as const;
      const tracing = exportTraces(config, undefined, peers);
      await inSpan('work', {}, () => Promise.resolve());
      await tracing.stop();
    },
  },
};
/** What the machine may add. */
const MARGIN_MS = 8_000;

for (const silence of SILENCES)
  describe(`a call to a peer that ${silence}`, () => {
    const folder = temporaryFolder('peers');
    const before_ = { ...process.env };
    before(() => {
      useKey('key');
    });
    after(() => {
      useKey(undefined);
      Object.assign(process.env, before_);
    });

    it('ends within its limit and leaves no connection', async () => {
      const peers = new Peers();
      const found = await Promise.all(
        Object.entries(CALLS).map(async ([name, { limitMs = SHORT_MS, unix, call }], index) => {
          const path = join(folder, `${index}`);
          const peer = await startSilentPeer(silence, unix === true ? path : undefined);
          if (name.includes('Google')) withMetadataAt(peer);
          const began = performance.now();
          const over = await Promise.race([
            call({ port: peer.port, path, peers }).then(
              () => true,
              () => true,
            ),
            sleep(limitMs + MARGIN_MS, false, { ref: false }),
          ]);
          const tookMs = performance.now() - began;
          await eventually(() => peer.open() === 0, '', 6_000).catch(() => undefined);
          const result = {
            name,
            wasAsked: peer.asked() > 0,
            ended: over && tookMs <= limitMs + MARGIN_MS,
            open: peer.open(),
          };
          await peer.stop();
          return result;
        }),
      );
      expect(found).to.deep.equal(
        Object.keys(CALLS).map((name) => ({ name, wasAsked: true, ended: true, open: 0 })),
      );
      // What is named in `/ready`. A trickling receiver has said 200 at least.
      expect(peers.failing).to.deep.equal(
        PEERS.filter((peer) => peer !== 'traces' || silence !== 'trickles'),
      );
    });

    it("a fetch of a token's metadata ends within its limit, and leaves no connection", async () => {
      const sockets = new Set<Socket>();
      const server = await startHttpsServer([], ({ socket }) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        keepSilent(socket, silence);
      });
      const began = performance.now();
      const limits = { timeoutMs: SHORT_MS, isAllowed: () => true, ca: server.ca };
      const problem = await fetchFile(`https://127.0.0.1:${server.port}/`, '*/*', limits).then(
        () => 'none',
        ({ message }: Error) => message,
      );
      expect(problem).to.equal(
        silence === 'switches' ? 'the server answers HTTP 101' : `no whole answer within ${SHORT_MS} ms`,
      );
      expect(performance.now() - began).to.be.below(SHORT_MS + MARGIN_MS);
      await eventually(() => sockets.size === 0, 'no open connection', 2_000);
      await server.stop();
    });
  });

describe('a service whose node, websocket and receiver of traces go silent', () => {
  const cluster = useCluster();

  it('names them in /ready within 30 s, and ends within 20 s after SIGTERM', async () => {
    const { rpcUrl, wsUrl, kind } = cluster();
    const [rpc, ws] = await Promise.all([Proxy.to(rpcUrl), Proxy.to(wsUrl)]);
    const traces = await startSilentPeer('silent');
    const folder = temporaryFolder('silent');
    const environment = {
      ...rewardsEnvironment(await cluster().fundedWallet()),
      DATABASE_FOLDER: join(folder, 'database'),
      UPLOADS_FOLDER: join(folder, 'uploads'),
      PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: http(traces.port),
    };
    const service = await startServiceProcess({ rpcUrl: rpc.url, wsUrl: ws.url, kind }, environment);
    atEnd(() => Promise.all([rpc.cut(), ws.cut(), traces.stop()]));
    atEnd(() => service.kill());
    const ready = async () => {
      const { checks } = (await (await fetch(`${service.url}/ready`)).json()) as {
        checks: Record<string, string>;
      };
      return checks;
    };
    await eventually(async () => (await ready())['rpc'] === 'ok', 'the node in /ready', 30_000);
    // Its spans are what the receiver gets.
    await fetch(`${service.url}/v1/market/tokens`);
    for (const proxy of [rpc, ws]) proxy.freeze();
    await eventually(
      async () => {
        const { rpc: node = 'ok', peers = '' } = await ready();
        return node !== 'ok' && ['WS_URL', 'OTEL_EXPORTER_OTLP_ENDPOINT'].every((one) => peers.includes(one));
      },
      'the names of the silent peers',
      30_000,
    );
    const began = performance.now();
    expect(await service.terminate()).to.equal(0);
    expect(performance.now() - began).to.be.below(20_000);
  });
});

/** Google's library asks it for a token first. */
function withMetadataAt({ port }: SilentPeer): void {
  process.env['GCE_METADATA_HOST'] = `127.0.0.1:${port}`;
  process.env['METADATA_SERVER_DETECTION'] = 'assume-present';
}
