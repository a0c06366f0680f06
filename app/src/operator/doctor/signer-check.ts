// Checks that each signer in another process or in a cloud answers, and has the key.
import type { Config } from '../../config/config.js';
import { failure, ok, reasonOf, type Finding } from './finding.js';

const SUBJECT = 'signers';

export async function checkSigners({ signers }: Config): Promise<Finding[]> {
  const findings = await Promise.all(
    signers.map(async ({ variable, signer }): Promise<Finding | undefined> => {
      try {
        await signer.check();
        return undefined;
      } catch (error) {
        return failure(
          SUBJECT,
          `${variable}: ${reasonOf(error)}`,
          'nothing is signed with this key until then; docs/keys.md says how each kind of signer is set up',
          'SignerFails',
        );
      }
    }),
  );
  const failed = findings.filter((finding) => finding !== undefined);
  if (failed.length > 0) return failed;
  const places = new Set(signers.map(({ signer }) => signer.place));
  return [ok(SUBJECT, places.size === 0 ? 'none' : [...places].join(', '))];
}
