// Finds the browser's first Wallet Standard wallet, without a library.
import { bytesWallet, type SigningWallet } from '@curvekit/sdk/trade';

interface Account {
  readonly address: string;
}

interface Wallet {
  readonly features: {
    readonly 'standard:connect': { connect(): Promise<{ readonly accounts: readonly Account[] }> };
    readonly 'solana:signTransaction'?: {
      signTransaction(input: {
        readonly account: Account;
        readonly transaction: Uint8Array;
      }): Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
    };
  };
}

type Register = (api: { readonly register: (...wallets: Wallet[]) => void }) => void;

/** Asks the wallet to connect. @returns undefined when the browser has no Solana wallet */
export async function connectWallet(): Promise<SigningWallet | undefined> {
  const wallets: Wallet[] = [];
  const register = (...added: Wallet[]) => void wallets.push(...added);
  addEventListener('wallet-standard:register-wallet', (event) =>
    (event as CustomEvent<Register>).detail({ register }),
  );
  dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: { register } }));
  for (const { features } of wallets) {
    const signing = features['solana:signTransaction'];
    if (signing === undefined) continue;
    const [account] = (await features['standard:connect'].connect()).accounts;
    if (account === undefined) continue;
    return bytesWallet(account.address, async (transaction) => {
      const [output] = await signing.signTransaction({ account, transaction });
      return output!.signedTransaction;
    });
  }
  return undefined;
}
