// Texts about errors of wallets and of hardware devices.
export const walletProblems = {
  declined: 'You declined in the wallet.',
  locked: 'Your wallet or its device is locked. Unlock it and try again.',
  closed: 'The Solana app is not open on your device. Open it and try again.',
  blind: 'Your device cannot show this transaction. Allow blind signing in its Solana app and try again.',
  unplugged: 'Your device is not connected. Connect it, unlock it and try again.',
  busy: 'Your wallet still waits for your answer to an earlier request. Open it.',
  disconnected: 'The wallet is no longer connected to this page. Connect it again.',
  noApp: 'No wallet app on this device has answered. Open it and try again, or open this page in it.',
  silent: 'The wallet gave no reason.',
} as const;
