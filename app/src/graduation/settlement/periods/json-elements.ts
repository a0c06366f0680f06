// Reads the long array in a JSON-RPC answer element by element, so that an answer of any length needs little memory.

/** Nesting depth of an element of `result.value`: inside the answer, the result and the array. */
const ELEMENT_DEPTH = 3;

/**
 * The parsed elements of `result.value` of a JSON-RPC answer: a list for each chunk that completes some.
 *
 * @returns the rest of the answer, without the elements
 * @throws SyntaxError when the answer ends early or is not JSON
 */
export async function* elementsOf(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<unknown[], unknown, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** Whether the container at the elements' depth is an array. Only objects in an array are elements. */
  let inArray = false;
  let inElement = false;
  let element = '';
  let rest = '';

  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    const completed: unknown[] = [];
    let from = 0;
    let backslash = positionOf('\\', text, 0);
    for (let at = 0; at < text.length; at += 1) {
      if (escaped) {
        escaped = false;
        continue;
      }
      if (inString) {
        // Most of an answer is in strings, which are skipped to their end or the next escape.
        if (backslash < at) backslash = positionOf('\\', text, at);
        const quote = positionOf('"', text, at);
        at = Math.min(backslash, quote);
        escaped = backslash < quote;
        inString = escaped || quote === text.length;
        continue;
      }
      const char = text[at];
      if (char === '"') {
        inString = true;
      } else if (char === '{' || char === '[') {
        if (depth === ELEMENT_DEPTH && inArray) {
          rest += text.slice(from, at);
          from = at;
          inElement = true;
        }
        depth += 1;
        if (depth === ELEMENT_DEPTH) inArray = char === '[';
      } else if (char === ',' && depth === ELEMENT_DEPTH && inArray) {
        // A comma between elements does not belong to the rest.
        rest += text.slice(from, at);
        from = at + 1;
      } else if (char === '}' || char === ']') {
        depth -= 1;
        if (inElement && depth === ELEMENT_DEPTH) {
          completed.push(JSON.parse(element + text.slice(from, at + 1)));
          element = '';
          from = at + 1;
          inElement = false;
        }
      }
    }
    if (inElement) element += text.slice(from);
    else rest += text.slice(from);
    if (completed.length > 0) yield completed;
  }
  return JSON.parse(rest) as unknown;
}

/** The position of a character at or after `from`, or the text's length. */
function positionOf(char: string, text: string, from: number): number {
  const at = text.indexOf(char, from);
  return at < 0 ? text.length : at;
}
