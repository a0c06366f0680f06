// Search terms of a token: the beginning of its symbol, or of any word of its name.

/** Normalizes text for searching: compatible characters, lower case, single spaces, no signs before a word. */
export function searchable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+/gu, ' ')
    .trim();
}

/** The name from each of its words on, and the symbol. */
export function termsOf(name: string, symbol: string): string[] {
  const words = searchable(name).split(' ');
  const terms = words.map((_, index) => words.slice(index).join(' '));
  return [...new Set([...terms, searchable(symbol)])].filter((term) => term !== '');
}
