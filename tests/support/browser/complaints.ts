import type { Page } from 'playwright-core';

/** What a page complains about by itself: errors that no script has caught, and what its security policy has stopped. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript|Refused to/i.test(message.text()))
      complaints.push(message.text());
  });
  return complaints;
}
