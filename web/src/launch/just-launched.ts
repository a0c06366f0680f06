/** The token that was launched from this window, until its card is closed. */
let launched: string | undefined;

export function noteLaunched(mint: string | undefined): void {
  launched = mint;
}

export const isJustLaunched = (mint: string): boolean => mint === launched;
