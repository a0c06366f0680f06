// Compares an authority that the service uses with the one that the program was built with.
import type { PublicKey } from '@solana/web3.js';
import type { Signer } from '../../keys/signer.js';
import { failure, warning, type Finding } from './finding.js';

/** An address that the service uses, and the variable that sets it. */
export interface Authority {
  readonly own: PublicKey;
  /** Such as `ADMIN_ADDRESS is 2Jtn…`. */
  readonly stated: string;
  /** Such as `set ADMIN_ADDRESS to`, before the right address. */
  readonly fix: string;
}

/** The sources of an authority. Without a key and an address the service uses the SDK's. */
export interface Sources {
  readonly key?: Pick<Signer, 'publicKey'> | undefined;
  readonly address: PublicKey | undefined;
  readonly used: PublicKey;
}

/** @param name as in NAME_ADDRESS and NAME_KEYPAIR */
export function authorityOf(name: string, { key, address, used }: Sources): Authority {
  if (key !== undefined) {
    const own = key.publicKey;
    const variable = `${name}_KEYPAIR`;
    return { own, stated: `${variable} is ${own.toBase58()}`, fix: `set ${variable} to the key of` };
  }
  return addressOf(`${name}_ADDRESS`, address, used);
}

/** An address that one variable sets. */
export function addressOf(variable: string, address: PublicKey | undefined, used: PublicKey): Authority {
  const stated =
    address === undefined
      ? `${variable} is not set, so the service uses ${used.toBase58()}`
      : `${variable} is ${used.toBase58()}`;
  return { own: used, stated, fix: `set ${variable} to` };
}

/**
 * @param right the program's address, if it is known
 * @param consequence what fails with the wrong address
 */
export function wrongAuthority(
  subject: string,
  { stated, fix }: Authority,
  right: PublicKey | undefined,
  consequence: string,
): Finding {
  return failure(
    subject,
    `${stated}, but the program was built with ${right?.toBase58() ?? 'another address'}: ${consequence}`,
    `${fix} ${right?.toBase58() ?? 'the address that the program was built with'}, or PROGRAM_ID to the program that was built with yours`,
    'AuthorityWrong',
  );
}

export function notCompared(subject: string, { own }: Authority, reason: string): Finding {
  return warning(
    subject,
    `${own.toBase58()} could not be compared with the program's: ${reason}`,
    'correct that, or fund one of the keys, and run `curvekit doctor` again',
    'AuthorityNotCompared',
  );
}
