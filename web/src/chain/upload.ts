// Uploads a picture with the token's words. The wallet signs the request, so that only it spends its uploads.
import bs58 from 'bs58';
import { request } from '../market/api.js';
import type { LaunchWords } from '../launch/words-of-form.js';

const PATH = '/v1/market/uploads';

export interface Upload extends LaunchWords {
  readonly creator: string;
  readonly picture: Blob;
}

/** @returns the URI of the metadata */
export async function upload(
  { picture, ...fields }: Upload,
  signMessage: (message: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== '') form.set(name, value);
  form.set('image', picture, 'picture');
  // The browser's own encoding of the form: its bytes are what is signed.
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? '';
  const body = await encoded.arrayBuffer();
  const timestamp = String(Date.now());
  const message = `${timestamp}\nPOST\n${PATH}\n${await sha256(body)}`;
  const signature = await signMessage(new TextEncoder().encode(message));
  const response = await request(PATH, {
    method: 'POST',
    headers: {
      'content-type': contentType,
      'x-timestamp': timestamp,
      'x-signature': bs58.encode(signature),
      'x-signature-scheme': 'bound',
    },
    body,
  });
  const { uri } = (await response.json()) as { readonly uri: string };
  return uri;
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
