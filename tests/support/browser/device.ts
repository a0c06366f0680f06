// A simulator of a signing device behind a wallet, such as a Ledger: locked at first, slow, because a person looks at its small
// screen and presses two buttons, and with an envelope around the texts that it signs.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Keypair } from '@solana/web3.js';
import type { Page } from 'playwright-core';
import { ledgerEnvelope } from '#tests/service/envelopes.js';
import { addWallet } from './wallets.js';

export const DEVICE = 'Signing device';
const LOCKED = 'Ledger device: Locked device (0x5515)';
const SLOW_MS = 1_000;
/** Format 0 of an envelope. A text with lines has format 1. */
const PRINTABLE_ASCII = /^[ -~]*$/;

export interface Device {
  isLocked: boolean;
  /** What it has signed, in order. */
  readonly signed: ('transaction' | 'message')[];
}

/** Adds the device to each document of a page. Call it before opening the page. */
export async function addDevice(page: Page, keypair: Keypair): Promise<Device> {
  const device: Device = { isLocked: true, signed: [] };
  const press = async (what: Device['signed'][number]) => {
    if (device.isLocked) throw new Error(LOCKED);
    await sleep(SLOW_MS);
    device.signed.push(what);
  };
  await addWallet(page, {
    name: DEVICE,
    keypair,
    signing: async (transaction) => {
      await press('transaction');
      return transaction;
    },
    enveloping: async (message) => {
      await press('message');
      const text = new TextDecoder().decode(message);
      return ledgerEnvelope({ text, format: PRINTABLE_ASCII.test(text) ? 0 : 1 });
    },
  });
  return device;
}
