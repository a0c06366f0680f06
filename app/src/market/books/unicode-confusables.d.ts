// The package has its types under a name that TypeScript does not find.
declare module 'unicode-confusables' {
  /** Replaces each character by the one of Unicode's table of confusable characters (UTS 39). */
  export function rectifyConfusion(text: string): string;
}
