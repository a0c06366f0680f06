// The SDK of OpenTelemetry: records spans and sends them in batches. Imported on demand only.
import { setTimeout as sleep } from 'node:timers/promises';
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { callWithin } from '../call-within.js';
import { causeOf } from '../logging/logged-error.js';
import { INSTANCE } from '../logging/logging.js';
import type { Peers } from '../peers.js';
import { switchTracing, type Tracing, type TracingConfig, type TracingLog } from './spans.js';
import packageFile from '../../../package.json' with { type: 'json' };

/** How long a receiver may take, for one batch and at shutdown. */
const EXPORT_MS = 1_000;

/** Sends spans to the configured receiver. */
export function exportTraces(config: TracingConfig, log?: TracingLog, peers?: Peers): Tracing {
  return recordSpans(new BatchSpanProcessor(exporterTo(config, peers)), config, log);
}

/** The library's own exporter never ends a call to a receiver that answers 101, or that sends one byte now and then. */
function exporterTo({ endpoint, headers }: TracingConfig, peers?: Peers): SpanExporter {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const send = (body: Uint8Array | undefined) =>
    callWithin({ what: new URL(url).host, limitMs: EXPORT_MS }, async (signal) => {
      const options = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, signal };
      const response = await fetch(url, { ...options, ...(body && { body: Buffer.from(body) }) });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`${new URL(url).host} answers HTTP ${response.status}`);
    });
  return {
    export: (spans, done) => {
      send(JsonTraceSerializer.serializeRequest(spans)).then(
        () => {
          peers?.answered('traces');
          done({ code: ExportResultCode.SUCCESS });
        },
        (error: unknown) => {
          peers?.failed('traces');
          done({ code: ExportResultCode.FAILED, error: causeOf(error) as Error });
        },
      );
    },
    shutdown: () => Promise.resolve(),
  };
}

export function recordSpans(
  processor: SpanProcessor,
  config: Pick<TracingConfig, 'serviceName' | 'sampler' | 'ratio'>,
  log?: TracingLog,
): Tracing {
  if (log !== undefined) diag.setLogger(diagLogger(log), { logLevel: DiagLogLevel.WARN });
  const resource = defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(
      resourceFromAttributes({
        'service.name': config.serviceName,
        'service.version': packageFile.version,
        'service.instance.id': INSTANCE,
      }),
    );
  const provider = new NodeTracerProvider({
    resource,
    sampler: samplerOf(config),
    spanProcessors: [processor],
  });
  // Without baggage: callers could send any, and nothing reads it.
  provider.register({ propagator: new W3CTraceContextPropagator() });
  switchTracing(true);
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    const shutDown = provider.shutdown().catch((error: unknown) => diag.error((error as Error).message));
    const waiting = new AbortController();
    const late = sleep(EXPORT_MS, undefined, waiting).catch(() => undefined);
    await Promise.race([shutDown, late]);
    // The timer would keep the process alive.
    waiting.abort();
    switchTracing(false);
    for (const api of [trace, context, propagation, diag]) api.disable();
  };
  return { stop: () => (stopping ??= stop()) };
}

function samplerOf({ sampler, ratio }: Pick<TracingConfig, 'sampler' | 'ratio'>) {
  const root = sampler.endsWith('always_on')
    ? new AlwaysOnSampler()
    : sampler.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Only the texts of the SDK are logged, because its arguments can hold the receiver's answer. */
function diagLogger(log: TracingLog) {
  const tell = (reason: string) =>
    log.warn(
      { from: 'opentelemetry', reason },
      'some spans are lost; check OTEL_EXPORTER_OTLP_ENDPOINT and its receiver',
    );
  const ignore = () => undefined;
  return {
    error: (text: string) => tell(messageOf(text)),
    // Without the number of dropped spans, so that repeats are counted as one cause.
    warn: (text: string) => tell(text.replace(/\d+/, 'some')),
    info: ignore,
    debug: ignore,
    verbose: ignore,
  };
}

/** The message of an error that the SDK has turned into JSON with its stack. */
function messageOf(text: string): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message);
  } catch {
    return text;
  }
}
