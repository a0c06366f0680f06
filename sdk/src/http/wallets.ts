// The wallets that callers of the HTTP clients give: a wallet adapter, or a Keypair.
import type { Keypair, PublicKey } from '../chain/types.js';
import { requireAccountKey } from '../checks/keys.js';
import { InvalidArgumentError } from '../errors/index.js';
import { keypairWallet } from './keypair-wallet.js';
import type { SignedMessage } from './signed-message.js';

interface MessageSigner {
  readonly publicKey: PublicKey;
  signMessage(message: Uint8Array): Promise<Uint8Array | SignedMessage>;
}

/**
 * The wallet itself, or the wallet of a Keypair.
 *
 * @param argument its name in the error @param methods what it needs besides `publicKey`
 * @throws InvalidArgumentError for a value that is neither
 */
export function walletOf<W extends MessageSigner>(
  argument: string,
  given: W | Keypair,
  methods: readonly (keyof W & string)[],
): W {
  const wallet: unknown = 'secretKey' in Object(given) ? keypairWallet(given as Keypair) : given;
  const found = Object(wallet) as Readonly<Record<string, unknown>>;
  if (methods.some((method) => typeof found[method] !== 'function'))
    throw new InvalidArgumentError(
      argument,
      `must be a Keypair, or have publicKey and ${methods.join(' and ')}`,
    );
  requireAccountKey(`${argument}.publicKey`, found['publicKey'] as PublicKey);
  return wallet as W;
}
