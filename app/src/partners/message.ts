// The text that a user signs to be registered by a partner.

export interface RegistrationMessage {
  /** Name of the service, from the configuration. */
  readonly service: string;
  readonly partner: string;
  readonly nonce: string;
  readonly expiresAt: Date;
}

/** The message explains the purpose of the signature, because wallets show it to their users. Signed as UTF-8. */
export function registrationMessage({ service, partner, nonce, expiresAt }: RegistrationMessage): string {
  return [
    `${service} wants to register this wallet as a user of the partner "${partner}".`,
    '',
    'Signing is free, sends no transaction and moves no funds.',
    '',
    `Service: ${service}`,
    `Partner: ${partner}`,
    `Nonce: ${nonce}`,
    `Expires: ${expiresAt.toISOString()}`,
  ].join('\n');
}
