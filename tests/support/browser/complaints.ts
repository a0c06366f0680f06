import type { Page } from 'playwright-core';

/** Collects a page's uncaught errors and violations of its content security policy. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript|Refused to/i.test(message.text()))
      complaints.push(message.text());
  });
  return complaints;
}
