// A realm with React Native's globals: what Hermes and React Native 0.76 define, and nothing of Node's or a browser's.
import { createContext, runInContext, type Context } from 'node:vm';
import { build } from 'esbuild';
import { packed } from './consumer.js';

/**
 * React Native's AbortController is the package `abort-controller`: its signals keep no reason, and its classes have no
 * `any`, `timeout`, `abort` and `throwIfAborted`. Its URL has no `canParse`.
 */
const CLASSES = `
globalThis.AbortSignal = class AbortSignal {
  aborted = false;
  #listeners = new Map();
  addEventListener(type, listener, options) { if (type === 'abort') this.#listeners.set(listener, options); }
  removeEventListener(type, listener) { this.#listeners.delete(listener); }
  dispatch() {
    if (this.aborted) return;
    this.aborted = true;
    for (const listener of [...this.#listeners.keys()]) listener({ type: 'abort' });
  }
};
globalThis.AbortController = class AbortController {
  signal = new AbortSignal();
  abort() { this.signal.dispatch(); }
};
globalThis.URL = class extends URL { static canParse = undefined; };
globalThis.global = globalThis;
`;

/** React Native's fetch takes the signals of its own AbortController. */
async function fetchOfReactNative(url: string, { signal, ...init }: RequestInit = {}): Promise<Response> {
  const controller = new AbortController();
  signal?.addEventListener('abort', () => controller.abort());
  if (signal?.aborted === true) controller.abort();
  return fetch(url, { ...init, signal: controller.signal });
}

function reactNative(): Context {
  const context = createContext({
    ...{ setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, queueMicrotask, performance },
    ...{ console, URL, URLSearchParams, Headers, FormData, Blob, TextEncoder, atob, btoa },
    // Of the package react-native-get-random-values, which web3.js needs.
    crypto: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) },
    fetch: fetchOfReactNative,
  });
  runInContext(CLASSES, context);
  return context;
}

/**
 * Bundles a module of the project as Metro does, and runs it.
 *
 * @param code sets `globalThis.result`
 * @param given further globals @returns the result
 */
export async function runInReactNative(
  code: string,
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: packed().project },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'neutral',
    target: 'es2022',
    // `browser`, because the packages of web3.js have no condition of their own for React Native.
    conditions: ['react-native', 'browser'],
    mainFields: ['react-native', 'browser', 'module', 'main'],
    logLevel: 'silent',
  });
  const context = reactNative();
  Object.assign(context, given);
  runInContext(outputFiles[0]!.text, context);
  return runInContext('result', context) as Promise<unknown>;
}
