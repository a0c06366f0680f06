// Reads an event stream with `fetch`.
import { abortWith } from '../../platform/abort.js';
import { decodeUtf8 } from '../../platform/utf8.js';
import { sleep } from '../../time/sleep.js';
import { ApiError } from '../errors.js';
import { fetchAnswer } from '../fetch.js';
import { POSITION, readEvent, readProgress } from './events.js';
import { SILENCE_MS, streamUrl, type MarketStream, type MarketStreamOptions } from './stream-options.js';

const NEWLINE = 0x0a;
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;

export function readStream(options: MarketStreamOptions): MarketStream {
  const { onState, onError } = options;
  const closing = new AbortController();
  const position: Position = { lastEventId: options.lastEventId };

  async function run(): Promise<void> {
    for (let retryMs = RETRY_MS; !closing.signal.aborted;) {
      const before = position.lastEventId;
      try {
        await readOnce(options, position, closing.signal);
      } catch (error) {
        if (isFinal(error)) {
          onError?.(error);
          break;
        }
      }
      if (closing.signal.aborted) break;
      onState?.('waiting');
      retryMs = position.lastEventId === before ? Math.min(2 * retryMs, LONGEST_RETRY_MS) : RETRY_MS;
      await sleep(retryMs * (0.5 + Math.random() / 2), closing.signal).catch(() => undefined);
    }
    onState?.('closed');
  }

  void run();
  return {
    get lastEventId() {
      return position.lastEventId;
    },
    close: () => closing.abort(),
  };
}

interface Position {
  lastEventId: string | undefined;
}

/** Reads until the connection ends. @throws ApiError when the service refuses; errors of `fetch` */
async function readOnce(
  options: MarketStreamOptions,
  position: Position,
  closing: AbortSignal,
): Promise<void> {
  const { fetch = globalThis.fetch, onEvent, onIndex, onState } = options;
  const silence = new AbortController();
  const unlink = abortWith(silence, closing);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  const { lastEventId } = position;
  try {
    const response = await fetchAnswer(fetch, streamUrl(options, undefined), {
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      },
      signal: silence.signal,
    });
    if (!response.ok || response.body === null) throw await refusal(response);
    onState?.('open');
    let bytes: number[] = [];
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      for (const byte of chunk) {
        bytes.push(byte);
        // An empty line ends a frame. A character may end in a later chunk.
        if (byte !== NEWLINE || bytes.at(-2) !== NEWLINE) continue;
        if (closing.aborted) return;
        const { id, event, data } = fieldsOf(decodeUtf8(Uint8Array.from(bytes)).trimEnd());
        bytes = [];
        if (id !== undefined) position.lastEventId = id;
        const progress = event === POSITION && data !== undefined ? readProgress(data) : undefined;
        if (progress !== undefined) onIndex?.(progress);
        const read = event === undefined || data === undefined ? undefined : readEvent(event, id ?? '', data);
        if (read !== undefined) onEvent(read);
      }
    }
  } finally {
    clearTimeout(timer);
    unlink();
    silence.abort();
  }
}

function fieldsOf(frame: string): Readonly<Partial<Record<string, string>>> {
  return Object.fromEntries(
    frame.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()];
    }),
  );
}

async function refusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  return new ApiError(
    response.status,
    body.code ?? 'UNKNOWN',
    body.message ?? `the service answers HTTP ${response.status}`,
  );
}

/** Whether a retry cannot help. */
function isFinal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}
