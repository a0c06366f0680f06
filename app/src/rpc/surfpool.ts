/**
 * Whether a node that answered `getVersion` so is a Surfpool: it has no blocks to speak of, and keeps every transaction for
 * as long as it runs.
 */
export function isSurfpool(version: unknown): boolean {
  return typeof version === 'object' && version !== null && 'surfnet-version' in version;
}
