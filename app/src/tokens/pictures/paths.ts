/** Paths of the service's own files. */
export const picturePath = (hash: string) => `/v1/market/images/${hash}.webp`;
export const documentPath = (hash: string) => `/v1/market/metadata/${hash}.json`;

/**
 * The hash in the uri of a document that was uploaded to this service; undefined for other uris. @param publicUrl of this
 * service, if known
 */
export function ownDocument(uri: string, publicUrl: string | undefined): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { origin, pathname } = new URL(uri);
  if (publicUrl !== undefined && new URL(publicUrl).origin !== origin) return undefined;
  return /\/v1\/market\/metadata\/([0-9a-f]{64})\.json$/.exec(pathname)?.[1];
}

/** The hash in the URL of a picture stored here. */
export function pictureIn(address: string): string | undefined {
  return /\/v1\/market\/images\/([0-9a-f]{64})\.webp$/.exec(address)?.[1];
}
