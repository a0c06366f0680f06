// Uploads a token's picture and metadata to the service before the token is created.
import { encodeBase58 } from '../../base58.js';
import { ApiError, ConnectionError, type FieldProblem } from '../errors.js';

/** The wallet that will create the token. */
export interface UploadWallet {
  /** Base58. */
  readonly address: string;
  /** Its ed25519 signature of the bytes. */
  signMessage(message: Uint8Array): Promise<Uint8Array>;
}

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
}

const PATH = '/v1/market/uploads';

/**
 * Uploads a picture with its metadata. The wallet signs a text of four lines that is valid for this upload only.
 *
 * @throws ApiError when the service refuses, with the invalid fields; ConnectionError; the wallet's error
 */
export async function uploadPicture(
  wallet: UploadWallet,
  { image, ...fields }: PictureUpload,
  { baseUrl, fetch = globalThis.fetch, signal }: UploadOptions,
): Promise<UploadedPicture> {
  const form = new FormData();
  form.set('creator', wallet.address);
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined && value !== '') form.set(name, value);
  form.set('image', image, 'image');
  // The platform serializes the body first, so that the signed bytes are the sent bytes.
  const written = new Response(form);
  const body = await written.arrayBuffer();
  const timestamp = String(Date.now());
  const message = `${timestamp}\nPOST\n${PATH}\n${await sha256Hex(body)}`;
  const signature = await wallet.signMessage(new TextEncoder().encode(message));
  let response: Response;
  try {
    response = await fetch(baseUrl.replace(/\/+$/, '') + PATH, {
      method: 'POST',
      headers: {
        'Content-Type': written.headers.get('content-type') ?? '',
        'X-Timestamp': timestamp,
        'X-Signature': encodeBase58(signature),
        'X-Signature-Scheme': 'bound',
      },
      body,
      redirect: 'error',
      ...(signal && { signal }),
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ConnectionError(`the service cannot be reached: ${String(cause)}`, { cause });
  }
  const answer = (await response.json().catch(() => ({}))) as Answer;
  if (!response.ok) throw refusal(response, answer);
  return { uri: answer.uri ?? '', image: answer.image ?? '' };
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

async function sha256Hex(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
