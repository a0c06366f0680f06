// Browsers that translate a page put a <font> element in the place of each text. Preact keeps the text that it made: it would
// write new amounts where nobody sees them, and would not find their place. So a replaced text acts as if it were in the
// place of its translation, and goes back there before it gets another value.
const replacements = new WeakMap<Node, HTMLElement>();
let patched = false;

/** Follows what a translation replaces. Call it once, before Preact draws. */
export function surviveTranslation(): void {
  new MutationObserver((records) => {
    for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
      const [text] = removedNodes;
      if (!(text instanceof Text)) continue;
      const font = [...addedNodes, previousSibling, nextSibling].find((node) => node?.nodeName === 'FONT');
      if (!(font instanceof HTMLElement)) continue;
      replace(text, font);
      if (!patched) patch();
    }
  }).observe(document.body, { childList: true, subtree: true });
}

const STANDS_IN = ['parentNode', 'nextSibling', 'data', 'remove'] as const;

function replace(text: Text, font: HTMLElement): void {
  replacements.set(text, font);
  const define = (name: (typeof STANDS_IN)[number], property: PropertyDescriptor) =>
    Object.defineProperty(text, name, { configurable: true, ...property });
  define('parentNode', { get: () => font.parentNode });
  define('nextSibling', { get: () => font.nextSibling });
  define('remove', { value: () => font.remove() });
  define('data', {
    get: () => text.nodeValue,
    set: (value: string) => {
      putBack(text);
      text.data = value;
    },
  });
}

function putBack(node: Node | null): void {
  const font = node === null ? undefined : replacements.get(node);
  if (node === null || font === undefined) return;
  replacements.delete(node);
  for (const name of STANDS_IN) Reflect.deleteProperty(node, name);
  if (font.isConnected) font.replaceWith(node);
}

function patch(): void {
  patched = true;
  // oxlint-disable-next-line typescript/unbound-method -- it is called with `this`
  const { insertBefore } = Node.prototype;
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    putBack(node);
    putBack(before);
    return insertBefore.call(this, node, before?.parentNode === this ? before : null) as T;
  };
}
