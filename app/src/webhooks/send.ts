// Sends one event as Standard Webhooks says (https://www.standardwebhooks.com).
import { request as plainly } from 'node:http';
import { request as securely } from 'node:https';
import { Webhook } from 'standardwebhooks';
import { callWithin } from '../base/call-within.js';
import { guardedLookup } from '../tokens/metadata/fetch.js';
import { isPublicAddress } from '../tokens/metadata/public-address.js';
import { addressProblem } from './address.js';
import type { Round, WebhookEvent } from './outbox.js';

/** For the lookup of the name, the connection and the head of the answer. */
export const TIMEOUT_MS = 10_000;
const GONE = 410;
/** A problem can quote a certificate. */
const LONGEST_PROBLEM = 200;

export interface SendLimits {
  readonly signal: AbortSignal;
  /** Whether endpoints may be inside the network. */
  readonly allowsInside: boolean;
  readonly timeoutMs?: number;
  /** As `address:port`, instead of the system's. */
  readonly nameServers?: readonly string[];
}

export interface Sent {
  /** Why the endpoint has not taken it. */
  readonly problem?: string;
  readonly isGone?: boolean;
}

/** Sends an event. Only a 2xx takes it; a redirect is not followed. @throws the reason of the signal */
export async function send(
  { url, secrets }: Pick<Round, 'url' | 'secrets'>,
  event: Pick<WebhookEvent, 'id' | 'type' | 'data' | 'at'>,
  limits: SendLimits,
): Promise<Sent> {
  const { signal: stop, timeoutMs: limitMs = TIMEOUT_MS } = limits;
  const refused = addressProblem(url, limits.allowsInside);
  if (refused !== undefined) return { problem: `the URL ${refused}` };
  try {
    const status = await callWithin({ what: new URL(url).host, limitMs, signal: stop }, (signal) =>
      post(new URL(url), secrets, event, { ...limits, signal }),
    );
    if (status >= 200 && status < 300) return {};
    return { problem: `it answers HTTP ${status}`, isGone: status === GONE };
  } catch (error) {
    stop.throwIfAborted();
    const { code, message } = error as NodeJS.ErrnoException;
    return { problem: (message || (code ?? 'no connection')).slice(0, LONGEST_PROBLEM) };
  }
}

function post(
  url: URL,
  secrets: readonly string[],
  { id, type, data, at }: Pick<WebhookEvent, 'id' | 'type' | 'data' | 'at'>,
  { signal, allowsInside, nameServers }: SendLimits,
): Promise<number> {
  const body = `{"type":${JSON.stringify(type)},"timestamp":"${new Date(at).toISOString()}","data":${data}}`;
  const sentAt = new Date();
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': 'curvekit',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, sentAt, body)).join(' '),
  };
  const lookup = allowsInside ? {} : { lookup: guardedLookup(isPublicAddress, signal, nameServers) };
  return new Promise((resolve, reject) => {
    // A connection of its own, whose address was checked for this name. The status is enough: the rest is not read.
    (url.protocol === 'http:' ? plainly : securely)(
      url,
      { method: 'POST', agent: false, headers, signal, ...lookup },
      (response) => {
        response.destroy();
        resolve(response.statusCode ?? 0);
      },
    )
      .on('upgrade', (response, socket) => {
        socket.destroy();
        resolve(response.statusCode ?? 0);
      })
      .on('error', reject)
      .end(body);
  });
}
