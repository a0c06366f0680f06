// The standard variables of OpenTelemetry.
import type { z } from 'zod';
import type { TracingConfig } from '../base/tracing/start.js';
import type { ENVIRONMENT } from './environment.js';
import { keepSecret, keepSecretsOf } from '../base/secrets.js';

/** Undefined without an endpoint: then nothing is traced. */
export function tracingOf(env: z.infer<typeof ENVIRONMENT>): TracingConfig | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const headers = env.OTEL_EXPORTER_OTLP_HEADERS;
  if (endpoint === undefined) return undefined;
  keepSecretsOf(endpoint);
  for (const value of Object.values(headers)) keepSecret(value);
  return {
    endpoint,
    headers,
    serviceName: env.OTEL_SERVICE_NAME,
    sampler: env.OTEL_TRACES_SAMPLER,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}
