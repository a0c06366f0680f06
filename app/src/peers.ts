// What `/ready` says of those outside whom no other check asks.
import { Gauge, type Registry } from 'prom-client';
import { CheckWarning, resultOf, type Check } from './http/health.js';

const PEERS = ['bucket', 'price', 'traces', 'websocket'] as const;
export type Peer = (typeof PEERS)[number];

const NAMES: Readonly<Record<Peer, string>> = {
  bucket: 'the bucket of the pictures (UPLOADS_BUCKET)',
  price: "the source of SOL's price (SOL_PRICE_URL)",
  traces: 'the receiver of traces (OTEL_EXPORTER_OTLP_ENDPOINT)',
  websocket: 'the websocket of the RPC node (WS_URL)',
};

/** How the last call of each ended. */
export class Peers {
  readonly #failing = new Set<Peer>();

  get failing(): Peer[] {
    return PEERS.filter((peer) => this.#failing.has(peer));
  }

  answered(peer: Peer): void {
    this.#failing.delete(peer);
  }

  failed(peer: Peer): void {
    this.#failing.add(peer);
  }
}

/** The service works without them, so it is only a warning. */
export function peersCheck(peers: Peers, registry: Registry): Check {
  const check: Check = {
    name: 'peers',
    run: () => {
      const { failing } = peers;
      for (const peer of PEERS) unanswered.set({ peer }, failing.includes(peer) ? 1 : 0);
      return failing.length === 0
        ? Promise.resolve()
        : Promise.reject(new CheckWarning(`no answer: ${failing.map((peer) => NAMES[peer]).join(', ')}`));
    },
  };
  const unanswered = new Gauge({
    name: 'curvekit_peer_unanswered',
    help: '1 after a call of the service that got no answer, until one does, by peer: bucket, price, traces, websocket',
    labelNames: ['peer'],
    registers: [registry],
    collect: async () => {
      await resultOf(check);
    },
  });
  return check;
}
