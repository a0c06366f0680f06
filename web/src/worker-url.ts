/** The part of Trusted Types that browsers without it do not have. */
interface Policies {
  readonly createPolicy: (
    name: string,
    rules: { readonly createScriptURL: (path: string) => string },
  ) => { readonly createScriptURL: (path: string) => string };
}

const FILES = /^\/(offline|assets\/replay-worker-[\w-]+)\.js$/;
let policy: ReturnType<Policies['createPolicy']> | undefined;

/** The URL of one of the page's two workers. The security policy allows no other policy than this one. */
export function workerUrl(path: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: Policies };
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: ownUrl });
  return policy?.createScriptURL(path) ?? ownUrl(path);
}

function ownUrl(path: string): string {
  const url = new URL(path, location.href);
  if (url.origin !== location.origin || !FILES.test(url.pathname)) throw new Error(`${path} is no worker`);
  return url.href;
}
