/** A file or folder of the local launchpad cannot be used. The message says why and what to do. */
export class LocalFileError extends Error {
  override readonly name = 'LocalFileError';
}

/** The error for a folder in which no file can be written. */
export function unwritable(folder: string, cause: Error): LocalFileError {
  return new LocalFileError(
    `${folder} cannot be written (${cause.message}): make it a folder that you can write, or start in another folder`,
    { cause },
  );
}
