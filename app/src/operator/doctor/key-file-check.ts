// Checks that only their owner can read the key files.
import { statSync } from 'node:fs';
import type { Config } from '../../config/config.js';
import { failure, ok, warning, type Finding } from './finding.js';

const SUBJECT = 'key files';
const OF_GROUP = 0o070;
const OF_EVERYBODY = 0o007;

/** A key file that all users can read is a failure. One that its group can read, as in some containers, is a warning. */
export function checkKeyFiles({ keyFiles }: Config): Finding[] {
  const open = keyFiles.flatMap(({ variable, path }) => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & (OF_GROUP | OF_EVERYBODY)) === 0) return [];
    const isPublic = (mode & OF_EVERYBODY) !== 0;
    return [
      (isPublic ? failure : warning)(
        SUBJECT,
        `${variable}: ${path} has mode ${(mode & 0o777).toString(8)}: ${isPublic ? 'every user of this machine' : 'its group'} can open it`,
        `chmod 600 ${path}`,
        'KeyFilesOpen',
      ),
    ];
  });
  if (open.length > 0) return open;
  return [ok(SUBJECT, keyFiles.length === 0 ? 'none' : 'only their owner can read them')];
}
