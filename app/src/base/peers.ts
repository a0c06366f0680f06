// What `/ready` says of those outside whom no other check asks.
export const PEERS = ['bucket', 'price', 'traces', 'websocket'] as const;
export type Peer = (typeof PEERS)[number];

export const PEER_NAMES: Readonly<Record<Peer, string>> = {
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
