import type { Page } from './types.js';

/** The next page that has items, or the last of `most` pages. A search among very many items can have empty pages before it. */
export async function pageWithItems<Item>(
  load: (cursor: string | undefined) => Promise<Page<Item>>,
  cursor?: string,
  most = Infinity,
): Promise<Page<Item>> {
  let page = await load(cursor);
  for (let read = 1; read < most && page.items.length === 0 && page.next !== null; read += 1)
    page = await load(page.next);
  return page;
}
