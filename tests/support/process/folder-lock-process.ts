// A process that takes a folder lock on command. It reads commands from standard input and answers each with one line:
//   race FOLDER AT   takes the lock at that time (milliseconds) and keeps it: `won` or `lost`
//   turns FOLDER N   takes and releases it N times: how often another process had it too
import { rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { DatabaseError } from '#app/db/errors.js';
import { lockFolder } from '#app/db/folder-lock.js';

for await (const line of createInterface(process.stdin)) {
  const [command, folder = '', number = ''] = line.split(' ');
  console.log(command === 'race' ? race(folder, Number(number)) : turns(folder, Number(number)));
}

function race(folder: string, at: number): string {
  while (Date.now() < at);
  return tryLock(folder) === undefined ? 'lost' : 'won';
}

function turns(folder: string, count: number): number {
  const marker = `${folder}.marker`;
  let both = 0;
  for (let taken = 0; taken < count;) {
    const unlock = tryLock(folder);
    if (unlock === undefined) continue;
    taken += 1;
    try {
      writeFileSync(marker, '', { flag: 'wx' });
      rmSync(marker);
    } catch {
      both += 1;
    }
    unlock();
  }
  return both;
}

function tryLock(folder: string): (() => void) | undefined {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (error instanceof DatabaseError) return undefined;
    throw error;
  }
}
