import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Chromium's sandbox does not work as root. Containers have little shared memory. */
export const CHROMIUM_ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] as const;

/** Debian's Chromium, or the one in `CHROMIUM`. @throws when it is not installed */
export function chromiumPath(): string {
  const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
  if (!existsSync(path)) throw new Error(`${path} is not there: install chromium, or set CHROMIUM`);
  return path;
}

/** Starts headless Chromium. @throws when it is not installed */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: [...CHROMIUM_ARGS] });
}
