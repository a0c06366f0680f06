// Schedules derive the same few addresses again and again, which would take most of their time.
import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';

const hashes = new Map<string, ArrayBuffer>();
const addresses = new Map<string, [PublicKey, number]>();

/** Makes both libraries remember what they derive. @returns ends it */
export function rememberDerivations(): () => void {
  const { subtle } = globalThis.crypto;
  const find = PublicKey.findProgramAddressSync.bind(PublicKey);
  // Kit hashes with the Web Crypto API, on another thread.
  const digest: SubtleCrypto['digest'] = (_, data) => {
    const bytes = Buffer.from(data as Uint8Array);
    const key = bytes.toString('latin1');
    let hash = hashes.get(key);
    if (hash === undefined) {
      const { buffer } = Uint8Array.from(createHash('sha256').update(bytes).digest());
      hashes.set(key, (hash = buffer));
    }
    return Promise.resolve(hash.slice(0));
  };
  Object.defineProperty(subtle, 'digest', { value: digest, configurable: true });
  PublicKey.findProgramAddressSync = (seeds, programId) => {
    const key = [programId.toBase58(), ...seeds.map((seed) => Buffer.from(seed).toString('latin1'))].join(
      '|',
    );
    let found = addresses.get(key);
    if (found === undefined) addresses.set(key, (found = find(seeds, programId)));
    return found;
  };
  return () => {
    Reflect.deleteProperty(subtle, 'digest');
    PublicKey.findProgramAddressSync = find;
  };
}
