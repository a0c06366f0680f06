export const PUBLIC_KEY_BYTES: 32;
export const SIGNATURE_BYTES: 64;
export const VERIFIED_BY: 'libsodium' | 'Node';
export function verifySignature(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
export function verifyWithNode(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean;
