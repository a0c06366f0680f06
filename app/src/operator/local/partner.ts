import bs58 from 'bs58';
import type { Keypair } from '@solana/web3.js';
import { issueKey, type IssuedKey } from '../../partners/keys.js';
import { Registration } from '../../partners/registration.js';
import type { Service } from '../../service.js';
import { signatureBy } from '../../keys/ed25519.js';

const PARTNER = 'Local Partner';

/** Adds a partner who has registered these users. */
export async function addPartner(
  service: Service,
  payoutWallet: Keypair,
  users: readonly Keypair[],
): Promise<IssuedKey> {
  const key = await issueKey(service.context, {
    partner: PARTNER,
    payoutWallet: payoutWallet.publicKey.toBase58(),
  });
  await registerUsers(service, key, users);
  return key;
}

/** Registers users in the same way as a partner: each user signs a message from the service. */
async function registerUsers(
  { context }: Service,
  { partner }: IssuedKey,
  users: readonly Keypair[],
): Promise<void> {
  const registration = new Registration({
    database: context.database,
    now: context.now,
    serviceName: context.config.serviceName,
    currentSlot: () => context.connection.getSlot('confirmed'),
  });
  for (const user of users) {
    const { message, nonce } = await registration.issueMessage(partner);
    const signature = signatureBy(user, Buffer.from(message));
    await registration.register(partner, {
      publicKey: user.publicKey,
      signature,
      signatureText: bs58.encode(signature),
      nonce,
    });
  }
}
