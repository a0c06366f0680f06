// The text that a user signs to be registered by a partner.

/** What the text says. */
export interface RegistrationMessage {
  /** The service, as configured. */
  readonly service: string;
  readonly partner: string;
  readonly nonce: string;
  readonly expiresAt: Date;
}

/** Says in words what the signature is for, so that a wallet shows it to its owner. Signed as UTF-8. */
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
