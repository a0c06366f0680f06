// Texts of the list of keys.
export const keyWords = {
  title: 'Keyboard shortcuts',
  keys: [
    ['/', 'Search'],
    ['b', 'Amount to buy, on a token’s page'],
    ['s', 'Amount to sell, on a token’s page'],
    ['u', 'Dollars, on or off'],
    ['?', 'This list'],
    ['Esc', 'Close a dialog'],
  ],
} as const;
