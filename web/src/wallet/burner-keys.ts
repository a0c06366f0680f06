// The burner wallet's key pair in IndexedDB. Even this page cannot export the private key.
import { dialogWords } from '../words/wallet-dialogs.js';

const DATABASE = 'curvekit-burner';
const STORE = 'keys';
const NAME = 'pair';

export async function loadKeys(): Promise<CryptoKeyPair> {
  // Without https, browsers have no `crypto.subtle`.
  if (crypto.subtle === undefined) throw new Error(dialogWords.insecure);
  const database = await open();
  const kept = await answer<CryptoKeyPair | undefined>(
    database.transaction(STORE).objectStore(STORE).get(NAME) as IDBRequest<CryptoKeyPair | undefined>,
  );
  if (kept !== undefined) return kept;
  const made = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  await answer(database.transaction(STORE, 'readwrite').objectStore(STORE).put(made, NAME));
  return made;
}

function open(): Promise<IDBDatabase> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  return answer(opening);
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no keys'));
  });
}
