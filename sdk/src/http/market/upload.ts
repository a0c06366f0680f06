// Uploads a token's picture and metadata to the service before the token is created.
import { requireKnown, type OptionNames } from '../../checks/options.js';
import { throwIfAborted } from '../../platform/abort.js';
import { sha256Hex } from '../../platform/crypto.js';
import { encodeUtf8 } from '../../platform/utf8.js';
import { ApiError, type FieldProblem } from '../errors.js';
import { fetchAnswer } from '../fetch.js';
import { ServerClock } from '../server-clock.js';
import { signatureHeaders } from '../signed-message.js';
import { requireWallet, type MessageWallet } from '../wallets.js';

/** A picture and its creator's texts about the token. */
export interface PictureUpload {
  /** PNG, JPEG, WebP or GIF, at most 4 MiB and 40 megapixels. The service crops it to a square. */
  readonly image: Blob;
  /** At most 32 bytes of UTF-8. */
  readonly name: string;
  /** At most 10 bytes of UTF-8. */
  readonly symbol: string;
  readonly description?: string;
  /** https URLs. */
  readonly website?: string;
  readonly x?: string;
  readonly telegram?: string;
  readonly discord?: string;
}

/** The location of the uploaded files at the service. */
export interface UploadedPicture {
  /** URI of the metadata: the `uri` of `createToken`. */
  readonly uri: string;
  /** Path of the picture at the service. */
  readonly image: string;
}

/** Connection to the service. */
export interface UploadOptions {
  /** URL of the service: `https://api.example.com`. */
  readonly baseUrl: string;
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof globalThis.fetch;
  readonly signal?: AbortSignal;
  /** Milliseconds of the device's clock. A wrong one is corrected by the service's answer; the wallet then signs twice. */
  readonly now?: () => number;
}

const PICTURE = {
  image: true,
  name: true,
  symbol: true,
  description: true,
  website: true,
  x: true,
  telegram: true,
  discord: true,
} as const satisfies OptionNames<PictureUpload>;
const UPLOAD_OPTIONS = {
  baseUrl: true,
  fetch: true,
  signal: true,
  now: true,
} as const satisfies OptionNames<UploadOptions>;
const PATH = '/v1/market/uploads';

/**
 * Uploads a picture with its metadata. The wallet, which will create the token, signs a text of four lines that is valid for this upload only.
 *
 * @throws ApiError when the service refuses, with the invalid fields; ConnectionError; the wallet's error
 */
export async function uploadPicture(
  wallet: MessageWallet,
  picture: PictureUpload,
  options: UploadOptions,
): Promise<UploadedPicture> {
  requireWallet('wallet', wallet, 'signMessage');
  requireKnown('picture', picture, PICTURE);
  requireKnown('options', options, UPLOAD_OPTIONS);
  const { image, ...fields } = picture;
  const form = new FormData();
  form.set('creator', wallet.address);
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== '') form.set(name, value);
  form.set('image', image, 'image');
  // The platform serializes the body first, so that the signed bytes are the sent bytes.
  const written = new Response(form);
  const type = written.headers.get('content-type') ?? '';
  const body = await written.arrayBuffer();
  const clock = new ServerClock(options.now ?? Date.now);
  const { uri, image: path } = await clock.inTime((signed) => {
    const timestamp = Math.floor(clock.now());
    signed(timestamp);
    return send(wallet, { timestamp, type, body }, options, clock);
  });
  return { uri: uri ?? '', image: path ?? '' };
}

interface Written {
  readonly timestamp: number;
  readonly type: string;
  readonly body: ArrayBuffer;
}

async function send(
  wallet: MessageWallet,
  { timestamp, type, body }: Written,
  { baseUrl, fetch = globalThis.fetch, signal }: UploadOptions,
  clock: ServerClock,
): Promise<Answer> {
  const text = encodeUtf8(`${timestamp}\nPOST\n${PATH}\n${await sha256Hex(new Uint8Array(body))}`);
  const signature = signatureHeaders(text, await wallet.signMessage(text));
  let response: Response;
  try {
    response = await fetchAnswer(fetch, baseUrl.replace(/\/+$/, '') + PATH, {
      method: 'POST',
      headers: {
        'Content-Type': type,
        'X-Timestamp': String(timestamp),
        'X-Signature-Scheme': 'bound',
        ...signature,
      },
      body,
      ...(signal && { signal }),
    });
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
  clock.learn(response.headers);
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (!response.ok) throw refusal(response, answer);
  return answer;
}

interface Answer extends Partial<UploadedPicture> {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly FieldProblem[];
}

function refusal({ status, headers }: Response, { code, message, errors }: Answer): ApiError {
  const seconds = Number(headers.get('retry-after') ?? NaN);
  const details = (errors ?? []).map(({ field, message: problem }) => `${field} ${problem}`);
  return new ApiError(
    status,
    code ?? 'UNKNOWN',
    [message ?? `the service answers HTTP ${status}`, ...details].join('; '),
    errors,
    Number.isFinite(seconds) ? seconds * 1_000 : undefined,
    headers.get('x-request-id') ?? undefined,
  );
}
