// A key in Google Cloud KMS (algorithm EC_SIGN_ED25519), over its REST API. Google's library finds the credentials.
import type { GoogleAuth } from 'google-auth-library';
import type { KeyService } from './remote-signer.js';
import { keyInSpki } from './ed25519.js';
import type { GcpUrl } from './signer-url.js';

const ENDPOINT = 'https://cloudkms.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/cloudkms';

export function gcpService({ key, endpoint = ENDPOINT }: GcpUrl): KeyService {
  let auth: GoogleAuth | undefined;
  async function call<T>(
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    data?: object,
  ): Promise<T> {
    // Only a service that needs it loads the library.
    const { GoogleAuth: Auth } = await import('google-auth-library');
    // With the project, the library does not look for one, which takes seconds.
    auth ??= new Auth({ scopes: [SCOPE], projectId: key.split('/')[1]! });
    const url = `${endpoint}/v1/${key}${path}`;
    const { data: answer } = await auth.request<T>({
      url,
      method,
      signal,
      ...(data !== undefined && { data }),
    });
    return answer;
  }
  return {
    place: `Google Cloud KMS (${key})`,
    remedy:
      'see that this machine reaches it, and that its account has the role roles/cloudkms.signerVerifier for the key',
    async sign(message, signal) {
      const data = Buffer.from(message).toString('base64');
      const { signature = '' } = await call<{ readonly signature?: string }>(
        'POST',
        ':asymmetricSign',
        signal,
        {
          data,
        },
      );
      return Buffer.from(signature, 'base64');
    },
    async publicKey(signal) {
      const { pem = '' } = await call<{ readonly pem?: string }>('GET', '/publicKey', signal);
      return keyInSpki(pem);
    },
  };
}
