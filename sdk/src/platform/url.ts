/** A URL, or undefined for a text that is not one. `URL.canParse` is missing in React Native and in older browsers. */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
