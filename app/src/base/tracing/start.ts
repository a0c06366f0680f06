// Switches tracing on, if it is configured. The SDK is loaded only then.
import type { Peers } from '../peers.js';

/** What the standard variables of OpenTelemetry say. */
export interface TracingConfig {
  /** Base URL of an OTLP receiver over HTTP, such as `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  /** Sent with each export, for example the key of the receiver. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly sampler: Sampler;
  /** Share of traces that a ratio sampler records, from 0 to 1. */
  readonly ratio: number;
}

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type Sampler = (typeof SAMPLERS)[number];

/** Where the SDK's own warnings go. */
export interface TracingLog {
  warn(fields: object, message: string): void;
}

export interface Tracing {
  /** Sends the remaining spans, for a second at most. Never throws. */
  stop(): Promise<void>;
}

const OFF: Tracing = { stop: () => Promise.resolve() };

/** Tracing belongs to the process: a second service in it uses what the first one started. */
export async function startTracing(
  config: TracingConfig | undefined,
  parts: { readonly logger?: TracingLog; readonly peers?: Peers } = {},
): Promise<Tracing> {
  if (config === undefined) return OFF;
  const { exportTraces } = await import('./sdk.js');
  return exportTraces(config, parts.logger, parts.peers);
}
