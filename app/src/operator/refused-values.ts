// Commander quotes the values that it refuses. A refused value can be a key, so it must not reach a log.

/** Commander's message without the refused value. */
export function withoutRefusedValue(message: string): string {
  return message
    .replace(/(option '[^']*') argument '[\s\S]*' is invalid\./, '$1 is invalid.')
    .replace(/command-argument value '[\s\S]*' is invalid for (argument '[^']*')/, '$1 is invalid')
    .replace(/unknown (command|option) '([\s\S]*?)'(?=\n|$)/, (whole, kind: string, text: string) =>
      canBeKey(text) ? `unknown ${kind}` : whole,
    );
}

const LONGEST_WORD = 31;

function canBeKey(text: string): boolean {
  return text.length > LONGEST_WORD || /[[,]/.test(text);
}
