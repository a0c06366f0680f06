// Texts of the board's parts that are loaded when they are shown: filters, notes, and why a list is empty.
export const boardPartWords = {
  tellMe: 'Tell me at 50 %, at graduation, and at ±20 %',
  told: {
    half: (name: string) => `${name}: half of the curve is sold`,
    graduated: (name: string) => `${name} has graduated`,
    moved: (name: string, change: string) => `${name}: ${change}`,
  },
  noTelling: 'This browser does not let the page tell you. Allow notifications for it.',
  anyVolume: 'Any volume',
  volumeFrom: (sol: string) => `≥ ${sol} SOL in 24 h`,
  anyAge: 'Any age',
  youngerThan: (age: string) => `Younger than ${age}`,
  unsold: 'Creator sold nothing',
  empty: 'Nobody has created a token yet',
  emptyHint: 'The first one could be yours: it takes a name, a picture and a minute.',
  emptyGraduated: 'No token has graduated yet',
  emptyGraduatedHint:
    'A token graduates when its curve has sold all its tokens. Those closest to it are on the board.',
  emptyWatched: 'You watch no token yet',
  emptyWatchedHint: 'Press the star beside a name. This browser remembers up to 50.',
  emptyFiltered: 'No such token',
  emptyFilteredHint: 'No token passes all filters. Choose fewer of them.',
  noMatch: (query: string) => `No token matches “${query}”`,
  noMatchHint:
    'Search by a part of a name or symbol, the beginning of an address, or the address of a creator.',
} as const;
