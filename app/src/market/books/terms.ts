// Search terms of a token: its symbol, and its name from the start of each word.

/** Normalizes text for searching: compatible characters, lower case, and one space for each run of other signs. */
export function searchable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+/gu, ' ')
    .trim();
}

/** The name from the start of each word, and the symbol. */
export function termsOf(name: string, symbol: string): string[] {
  const words = searchable(name).split(' ');
  const terms = words.map((_, index) => words.slice(index).join(' '));
  return [...new Set([...terms, searchable(symbol)])].filter((term) => term !== '');
}
