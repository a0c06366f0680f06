// Uploads a token's picture and metadata to the service before the token is created.
import { requireKnown, type OptionNames } from '../../checks/options.js';
import { readEnvelopeError } from '../envelope-error.js';
import { readObject, readString } from '../readers.js';
import { RequestSigner } from '../rewards/request-signer.js';
import { ServerClock } from '../server-clock.js';
import { Transport } from '../transport.js';
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
const POST = { method: 'POST', path: '/v1/market/uploads' } as const;
/** The most that timers can wait: a picture may be large and a network slow. */
const NO_TIMEOUT_MS = 2_147_483_647;
const readUploaded = /* @__PURE__ */ readObject<UploadedPicture>({ uri: readString, image: readString });

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
  const bytes = await written.arrayBuffer();
  const { signal, now = Date.now, ...service } = options;
  const clock = new ServerClock(now);
  const signer = new RequestSigner('bound', () => Math.floor(clock.now()));
  const once = { ...service, retries: 0, timeoutMs: NO_TIMEOUT_MS };
  const transport = new Transport(once, readEnvelopeError, JSON.parse, clock);
  const answer = await clock.inTime((signed) => {
    const headers = async (body: string | ArrayBuffer) => {
      const own = await signer.headers(wallet, POST, body);
      signed(Number(own['X-Timestamp']));
      return own;
    };
    return transport.request({ ...POST, form: { type, bytes }, headers, signal });
  });
  return readUploaded(answer, 'the answer');
}
