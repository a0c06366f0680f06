// A key in AWS KMS (key spec ECC_NIST_EDWARDS25519). The SDK finds the credentials, as everywhere in AWS.
import type { KMSClient } from '@aws-sdk/client-kms';
import type { KeyService } from './remote-signer.js';
import { keyInSpki } from './ed25519.js';
import type { AwsUrl } from './signer-url.js';

export function awsService({ region, key, endpoint }: AwsUrl): KeyService {
  let client: KMSClient | undefined;
  // Only a service that needs it loads the SDK.
  const sdk = async () => {
    const { KMSClient: Client, SignCommand, GetPublicKeyCommand } = await import('@aws-sdk/client-kms');
    client ??= new Client({ region, ...(endpoint !== undefined && { endpoint }) });
    return { client, SignCommand, GetPublicKeyCommand };
  };
  return {
    place: `AWS KMS in ${region} (key ${key})`,
    remedy:
      'see that this machine reaches it, and that its role may kms:Sign and kms:GetPublicKey with the key',
    async sign(message, abortSignal) {
      const { client, SignCommand } = await sdk();
      const { Signature } = await client.send(
        new SignCommand({
          KeyId: key,
          Message: message,
          MessageType: 'RAW',
          SigningAlgorithm: 'ED25519_SHA_512',
        }),
        { abortSignal },
      );
      return Signature ?? new Uint8Array();
    },
    async publicKey(abortSignal) {
      const { client, GetPublicKeyCommand } = await sdk();
      const { PublicKey: der } = await client.send(new GetPublicKeyCommand({ KeyId: key }), { abortSignal });
      return keyInSpki(Buffer.from(der ?? []));
    },
  };
}
