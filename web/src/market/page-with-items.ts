import type { Page } from './types.js';

/** The next page that has items, or the last one. A search among very many tokens can have empty pages before it. */
export async function pageWithItems<Item>(
  load: (cursor: string | undefined) => Promise<Page<Item>>,
  cursor?: string,
): Promise<Page<Item>> {
  let page = await load(cursor);
  while (page.items.length === 0 && page.next !== null) page = await load(page.next);
  return page;
}
