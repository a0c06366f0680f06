// The URL of a signer, as a variable or an option names it. Without web3.js, so that the command line's help starts fast.
import { ADDRESS_BYTES, decodeBase58 } from '../base/base58.js';

export type SignerUrl = SocketUrl | AwsUrl | GcpUrl;

interface OfKey {
  /** Of the key, in base58. */
  readonly address: string;
}

export interface SocketUrl extends OfKey {
  readonly kind: 'unix';
  /** Path of the socket. */
  readonly socket: string;
  /** Whether it stores and pays claims itself. */
  readonly paysClaims: boolean;
}

export interface AwsUrl extends OfKey {
  readonly kind: 'aws-kms';
  readonly region: string;
  /** Id, ARN or alias. */
  readonly key: string;
  readonly endpoint: string | undefined;
}

export interface GcpUrl extends OfKey {
  readonly kind: 'gcp-kms';
  /** `projects/…/locations/…/keyRings/…/cryptoKeys/…/cryptoKeyVersions/…` */
  readonly key: string;
  readonly endpoint: string | undefined;
}

const KINDS = ['unix', 'aws-kms', 'gcp-kms'] as const;
const GCP_KEY =
  /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/\d+$/;
/** Of `?pays=`. */
const CLAIMS = 'claims';

const USUAL: Record<SignerUrl['kind'], string> = {
  unix: 'unix:///run/curvekit/signer.sock?address=ADDRESS',
  'aws-kms': 'aws-kms://REGION/KEY?address=ADDRESS',
  'gcp-kms': 'gcp-kms://projects/P/locations/L/keyRings/R/cryptoKeys/K/cryptoKeyVersions/1?address=ADDRESS',
};

/** Whether text is the URL of a signer, and not a key or the path of its file. */
export function isSignerUrl(text: string): boolean {
  return KINDS.some((kind) => text.startsWith(`${kind}:`));
}

/** @throws a message that continues "VARIABLE …" */
export function parseSignerUrl(text: string): SignerUrl {
  const kind = KINDS.find((known) => text.startsWith(`${known}:`));
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (kind === undefined || url === undefined)
    throw new Error(`is no URL of a signer; the forms are ${Object.values(USUAL).join(', ')}`);
  const usual = USUAL[kind];
  const address = url.searchParams.get('address') ?? '';
  if (decodeBase58(address, ADDRESS_BYTES) === undefined)
    throw new Error(
      `must end with ?address= and the base58 address of the signer's key, as in ${usual}: the service compares every signature with it`,
    );
  const path = decodeURIComponent(url.pathname).replace(/^\//, '');
  const endpoint = endpointOf(url, kind);
  const pays = url.searchParams.get('pays');
  switch (kind) {
    case 'unix':
      if (url.host !== '' || path === '' || endpoint !== undefined || (pays ?? CLAIMS) !== CLAIMS)
        throw new Error(`must be ${usual}, with the whole path of the socket; &pays=${CLAIMS} may follow`);
      return { kind, socket: `/${path}`, address, paysClaims: pays === CLAIMS };
    case 'aws-kms':
      if (url.host === '' || path === '')
        throw new Error(`must be ${usual}; KEY is an id, an ARN or alias/NAME`);
      return { kind, region: url.host, key: path, endpoint, address };
    case 'gcp-kms': {
      const key = `${url.host}/${path}`;
      if (!GCP_KEY.test(key)) throw new Error(`must be ${usual}, with the version of the key`);
      return { kind, key, endpoint, address };
    }
  }
}

/** For a private endpoint of the cloud. */
function endpointOf({ searchParams }: URL, kind: SignerUrl['kind']): string | undefined {
  const known = ['address', 'endpoint', ...(kind === 'unix' ? ['pays'] : [])];
  const unknown = [...searchParams.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`has ?${unknown}=, which is unknown; it must be ${USUAL[kind]}`);
  const endpoint = searchParams.get('endpoint') ?? undefined;
  if (endpoint === undefined) return undefined;
  if (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)) return endpoint;
  throw new Error('has an endpoint= that is no http or https URL; correct or remove it');
}
