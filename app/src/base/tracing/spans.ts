// Spans of OpenTelemetry. The service uses its API alone, which does nothing until `start.ts` loads the SDK.
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { decodeBase58, SIGNATURE_BYTES } from '../base58.js';
import type { Peers } from '../peers.js';

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const SIGNATURE = 'curvekit.signature';

let isOn = false;

export function isTracing(): boolean {
  return isOn;
}

/** Called when the SDK is registered or removed. */
export function switchTracing(on: boolean): void {
  isOn = on;
}

/** Runs work in a span: of the active trace, or else of a new one. For what sends a transaction. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  return isOn ? run(name, { attributes }, context.active(), work) : work();
}

/** What a span describes. `client`: waits for another process. */
interface Part {
  readonly kind?: 'client';
  readonly attributes?: Attributes;
}

export const IN_DATABASE: Part = { kind: 'client', attributes: { 'db.system.name': 'postgresql' } };

/** Runs work in a span of the active trace. Without one there is no span, so that jobs without a transaction have none. */
export function inTrace<T>(name: string, { kind, attributes }: Part, work: () => Promise<T>): Promise<T> {
  // A loop that a request started can outlive the answer. It adds no spans to the trace then.
  if (!isOn || trace.getActiveSpan()?.isRecording() !== true) return work();
  const options = {
    ...(attributes !== undefined && { attributes }),
    ...(kind === 'client' && { kind: SpanKind.CLIENT }),
  };
  return run(name, options, context.active(), work);
}

/** Runs work without spans of its own: polling would fill the trace with the same calls. */
export function withoutSpans<T>(work: () => Promise<T>): Promise<T> {
  return isOn ? context.with(ROOT_CONTEXT, work) : work();
}

/** Runs work in a span of the transaction's own trace. */
export function inTraceOf<T>(
  signature: string,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const ofTransaction = isOn ? contextOf(signature) : undefined;
  if (ofTransaction === undefined) return work();
  const parent = trace.setSpanContext(ROOT_CONTEXT, ofTransaction);
  return run(name, { attributes: { ...attributes, [SIGNATURE]: signature } }, parent, work);
}

/** Names a transaction on the active span, and links the span to the transaction's own trace. */
export function nameTransaction(signature: string): void {
  const span = isOn ? trace.getActiveSpan() : undefined;
  const ofTransaction = span?.isRecording() === true ? contextOf(signature) : undefined;
  if (ofTransaction === undefined) return;
  span?.setAttribute(SIGNATURE, signature);
  span?.addLink({ context: ofTransaction });
}

/** A span of a request, which ends with its answer. @param headers may name the caller's trace */
export function startRequestSpan(
  method: string,
  headers: object,
): { readonly span: Span; readonly within: Context } {
  const caller = propagation.extract(ROOT_CONTEXT, headers);
  const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } };
  const span = tracer().startSpan(method, options, caller);
  return { span, within: trace.setSpan(caller, span) };
}

function tracer() {
  return trace.getTracer('curvekit');
}

async function run<T>(
  name: string,
  options: { readonly kind?: SpanKind; readonly attributes?: Attributes },
  parent: Context,
  work: () => Promise<T>,
): Promise<T> {
  const span = tracer().startSpan(name, options, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setAttribute('error.type', typeOf(error));
    // Messages are left out, because they can quote addresses and nodes.
    if (!isRefusal(error)) span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'Error' ? error.constructor.name : error.name;
}

/** Whether the error is an answer of the service about the request, such as a claim that it refuses. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'status' in error && Number(error.status) < 500;
}

/**
 * The trace that a transaction has by itself: its id is the beginning of the signature, which every instance knows, also after
 * a restart. See docs/decisions/tracing.md.
 */
function contextOf(signature: string) {
  const bytes = decodeBase58(signature, SIGNATURE_BYTES);
  if (bytes === undefined) return undefined;
  const hex = Buffer.from(bytes.subarray(0, TRACE_ID_BYTES + SPAN_ID_BYTES)).toString('hex');
  return {
    traceId: hex.slice(0, 2 * TRACE_ID_BYTES),
    spanId: hex.slice(2 * TRACE_ID_BYTES),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  };
}

// Switches tracing on, if it is configured. The SDK is loaded only then.

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
type Sampler = (typeof SAMPLERS)[number];

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
