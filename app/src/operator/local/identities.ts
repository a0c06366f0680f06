// Names, texts and pictures of the local launchpad's tokens.
import sharp from 'sharp';

export interface Identity {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  /** Of the background, from top to bottom. */
  readonly colours: readonly [string, string];
  /** SVG in a square of 100. */
  readonly drawing: string;
}

const THINGS = {
  Coffee:
    '<path d="M26 40h40v22a20 20 0 0 1-40 0z"/><path d="M66 46h6a8 8 0 0 1 0 16h-6" fill="none" stroke-width="5"/>',
  Boat: '<path d="M18 58h64L70 76H30z"/><path d="M50 20v36H26z"/><path d="M54 28v28h20z"/>',
  Night: '<path d="M60 22a30 30 0 1 0 18 44A26 26 0 0 1 60 22z"/><circle cx="74" cy="30" r="3"/>',
  Train:
    '<rect x="28" y="24" width="44" height="42" rx="10"/><path d="M34 82l8-12M66 82l-8-12" fill="none" stroke-width="5"/>',
  Door: '<path d="M32 82V34a18 18 0 0 1 36 0v48z"/><circle cx="60" cy="54" r="3" fill="#0008"/>',
  Page: '<path d="M28 18h32l14 14v50H28z"/><path d="M38 46h26M38 58h26M38 70h16" stroke="#0006" stroke-width="4"/>',
} as const;
type Thing = keyof typeof THINGS;

const opened = (
  adjective: string,
  thing: Thing,
  description: string,
  colours: readonly [string, string],
): Identity => ({
  name: `${adjective} ${thing}`,
  symbol: thing.toUpperCase(),
  description,
  colours,
  drawing: THINGS[thing],
});

/** The tokens that are there when the launchpad opens. */
export const OPENING_IDENTITIES: readonly Identity[] = [
  opened('Morning', 'Coffee', 'The first cup, before anybody says a word.', ['#8a5a3b', '#2e1a10']),
  opened('Paper', 'Boat', 'Folded from an old map. It floats, for now.', ['#3f88c5', '#12355b']),
  opened('Quiet', 'Night', 'For those who trade when the street is asleep.', ['#3d348b', '#14103c']),
  opened('Slow', 'Train', 'Stops everywhere. Arrives all the same.', ['#6a994e', '#20371a']),
  opened('Green', 'Door', 'Nobody knows where it leads.', ['#2a9d8f', '#0f3d38']),
  opened('Last', 'Page', 'Read it slowly.', ['#bc4749', '#4a1617']),
];

const ADJECTIVES = ['Blue', 'Little', 'Golden', 'Early', 'Hidden', 'Lucky', 'Old', 'Bright'] as const;
const COLOURS = [
  '#e07a5f',
  '#3d5a80',
  '#81b29a',
  '#f2a541',
  '#9a6fb0',
  '#c8553d',
  '#457b9d',
  '#588157',
] as const;

/** The token that is launched as number `index` after the opening. The names come again after 48 launches. */
export function laterIdentity(index: number): Identity {
  const things = Object.keys(THINGS) as Thing[];
  const thing = things[index % things.length]!;
  const place = Math.floor(index / things.length) % ADJECTIVES.length;
  const adjective = ADJECTIVES[place]!;
  return {
    ...opened(adjective, thing, `Launched by a simulated wallet of the local launchpad.`, [
      COLOURS[place]!,
      '#1b1b2f',
    ]),
    symbol: `${adjective.slice(0, 3)}${thing.slice(0, 4)}`.toUpperCase(),
  };
}

/** The token's picture as PNG. */
export async function pictureOf({ colours: [top, bottom], drawing }: Identity): Promise<Blob> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 100 100">
    <linearGradient id="g" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient>
    <rect width="100" height="100" fill="url(#g)"/><g fill="#fff" stroke="#fff" stroke-linejoin="round">${drawing}</g></svg>`;
  return new Blob([new Uint8Array(await sharp(Buffer.from(svg)).png().toBuffer())], { type: 'image/png' });
}
