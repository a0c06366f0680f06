import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { testBrowserPath } from './chromium-path.js';

/** Chromium's sandbox does not work as root. Containers have little shared memory. */
const CHROMIUM_ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] as const;

/** Starts Chromium without a window. @throws when it is not installed */
export function launchChromium(path = testBrowserPath()): Promise<Browser> {
  if (!existsSync(path)) throw new Error(`${path} is not there: install chromium, or set CHROMIUM`);
  return chromium.launch({ executablePath: path, args: [...CHROMIUM_ARGS] });
}
