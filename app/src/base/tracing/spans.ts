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
import { decodeBase58 } from '../base58.js';

const SIGNATURE_BYTES = 64;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const SIGNATURE = 'curvekit.signature';

let isOn = false;

/** Whether spans are recorded. */
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

/** A statement or a transaction in the database. */
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
