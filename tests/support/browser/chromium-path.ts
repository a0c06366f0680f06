import { existsSync } from 'node:fs';

/** Debian's Chromium, and its package without windows, which does a third less work for a page. */
const CHROMIUM = '/usr/bin/chromium';
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** The browser of the tests: the one in `CHROMIUM`, or else the headless shell, or else Chromium. */
export function testBrowserPath(): string {
  return process.env['CHROMIUM'] ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM);
}

/** The browser of the measurements, as people have it: the one in `CHROMIUM`, or else Chromium. */
export function chromiumPath(): string {
  return process.env['CHROMIUM'] ?? CHROMIUM;
}
