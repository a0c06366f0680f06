// Loads code on demand. It fails when the network is away for a moment, and after a deployment, whose files have other names.
import { words } from './words/words.js';

const PAUSE_MS = 1_000;
const RELOADED = 'curvekit:reloaded';

/** Code that could not be loaded. Its message is a sentence for users. */
export class LoadError extends Error {
  override readonly name = 'LoadError';

  /** @param isOld whether the service has another version of the page by now */
  constructor(
    readonly isOld: boolean,
    options: ErrorOptions,
  ) {
    super(isOld ? words.newVersion : words.notLoaded, options);
  }
}

/** Loads a module, after a pause once more. @throws LoadError */
export async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  try {
    return await load();
  } catch (cause) {
    throw new LoadError(await isOld(), { cause });
  }
}

/** Reloads an old page, once for each version: a reload that does not help must not repeat itself. @throws the problem */
export function reloadOnce(problem: LoadError): never {
  try {
    const version = script();
    if (problem.isOld && sessionStorage.getItem(RELOADED) !== version) {
      sessionStorage.setItem(RELOADED, version);
      location.reload();
    }
  } catch {
    // Without storage there is only the button.
  }
  throw problem;
}

async function isOld(): Promise<boolean> {
  try {
    const answer = await fetch('/', { cache: 'no-store' });
    return answer.ok && !(await answer.text()).includes(script());
  } catch {
    return false;
  }
}

/** Path of the page's first script: it contains a hash of the version. */
const script = () =>
  new URL(document.querySelector<HTMLScriptElement>('script[type=module][src]')!.src).pathname;
