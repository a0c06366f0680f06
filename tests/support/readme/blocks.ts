// The code blocks of a Markdown page, in their order.

export interface Block {
  /** `sh`, `ts`, …; empty without a language. */
  readonly language: string;
  readonly text: string;
}

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

/** The commands of a block for the shell: its lines, without those that only comment. */
export function commandsOf({ text }: Block): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The file that a block is to be saved as: its first line is `// name.ts`. Undefined for other blocks. */
export function fileNameOf({ language, text }: Block): string | undefined {
  return language === 'ts' ? /^\/\/ ((?:\.curvekit\/)?[\w-]+\.ts)\n/.exec(text)?.[1] : undefined;
}
