import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Starts Debian's Chromium without a window. @throws when it is not installed */
export async function launchChromium(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`${CHROMIUM} is not there: install chromium, or set CHROMIUM`);
  return chromium.launch({
    executablePath: CHROMIUM,
    // The sandbox needs a user that is not root. Containers have little shared memory.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  });
}
