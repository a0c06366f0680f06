// How the connected wallet takes a transaction: it signs, or it can only sign and send.
import { useSignAndSendTransaction, useSignTransaction } from '@solana/react';
import type { UiWalletAccount } from '@wallet-standard/react';
import { useMemo } from 'react';
import type { Sign } from '../chain/types.js';
import { useConfig } from '../config.js';

/** Whether the wallet can sign without sending. If it can do both, the page sends. */
export const canSign = ({ features }: UiWalletAccount) => features.includes('solana:signTransaction');

/** For wallets that can sign. */
export function useSigning(account: UiWalletAccount): Sign {
  const { chain } = useConfig();
  const sign = useSignTransaction(account, chain);
  return useMemo(
    () => async (transaction) => {
      // Some wallets answer without a transaction. The SDK refuses one without bytes.
      const answer = (await sign({ transaction })) as Partial<Awaited<ReturnType<typeof sign>>> | undefined;
      return new Uint8Array(answer?.signedTransaction ?? []);
    },
    [sign],
  );
}

/** For wallets that can only sign and send. */
export function useSending(account: UiWalletAccount): Sign {
  const { chain } = useConfig();
  const send = useSignAndSendTransaction(account, chain);
  return useMemo(
    () =>
      Object.assign(
        async (transaction: Uint8Array) => {
          const answer = (await send({ transaction })) as
            Partial<Awaited<ReturnType<typeof send>>> | undefined;
          return new Uint8Array(answer?.signature ?? []);
        },
        { sends: true },
      ),
    [send],
  );
}
