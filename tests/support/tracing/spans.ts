// Spans that the real SDK records in memory.
import { InMemorySpanExporter, SimpleSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { recordSpans } from '#app/base/tracing/sdk.js';
import type { Tracing } from '#app/base/tracing/spans.js';
import { eventually } from '../service/service.js';

const ALL = { serviceName: 'curvekit', sampler: 'parentbased_always_on', ratio: 1 } as const;

/** Records spans for the surrounding `describe`. Call it before a service starts. */
export function useSpans() {
  const exporter = new InMemorySpanExporter();
  let tracing: Tracing;

  before('record spans', () => (tracing = recordSpans(new SimpleSpanProcessor(exporter), ALL)));
  after(() => tracing.stop());

  const all = () => exporter.getFinishedSpans();
  const untilSpan = async (isMeant: (span: ReadableSpan) => boolean, what: string): Promise<ReadableSpan> => {
    await eventually(() => Promise.resolve(all().some(isMeant)), what);
    return all().find(isMeant)!;
  };
  const ofTrace = (traceId: string) => all().filter((span) => span.spanContext().traceId === traceId);
  return { all, untilSpan, ofTrace };
}

/** The names of a span's ancestors, nearest first. */
export function ancestorsOf(span: ReadableSpan, spans: readonly ReadableSpan[]): string[] {
  const parent = spans.find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId);
  return parent === undefined ? [] : [parent.name, ...ancestorsOf(parent, spans)];
}
