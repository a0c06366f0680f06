// Checks the connection strings of databases. They have passwords, and the characters that make them illegal are mostly in these.

/** Characters that end the password, the host or the address, or that no URL may have. */
const NEED_CODES = /[/?#@[\]\\<>^|"`{}]/;
/** The driver replaces a host that is missing in the same way. */
const ANY_HOST = '@host/';

/**
 * Checks a URL of a database with what a driver reads in it.
 *
 * @throws a message that continues "VARIABLE …", names a character to encode, and quotes nothing else of the text
 */
export function checkConnectionString(text: string, schemes: readonly string[]): void {
  const [, scheme = '', rest = ''] = /^([a-z]+):\/\/([^]*)$/i.exec(text) ?? [];
  if (!schemes.includes(scheme.toLowerCase())) {
    const begins = schemes.map((allowed) => `${allowed}://`).join(' or ');
    throw new Error(`must be a URL that begins with ${begins}; correct it`);
  }
  const space = /\s/.exec(rest);
  if (space !== null) throw mustEncode(space[0]);
  if (/%(?![0-9a-f]{2})/i.test(rest)) throw mustEncode('%');
  requireUtf8(rest);
  const misplaced = misplacedCharacter(rest);
  if (misplaced !== undefined) throw mustEncode(misplaced);
  if (!URL.canParse(text) && !URL.canParse(text.replace('@/', ANY_HOST)))
    throw new Error('is not a URL: check its host and its port, as in scheme://user:password@host:port/name');
}

/** The first character in the user or the password that must be percent-encoded; undefined if all are legal. */
function misplacedCharacter(rest: string): string | undefined {
  const [address = ''] = rest.split('#');
  const before = userAndPassword(rest);
  const found = before === undefined ? null : NEED_CODES.exec(before);
  if (found !== null) return found[0];
  // No driver reads what follows.
  return address.length < rest.length ? '#' : undefined;
}

/**
 * What is meant as user and password: all before the last `@`, unless that belongs to the path or the query, which only can
 * be when a host comes before it.
 */
function userAndPassword(rest: string): string | undefined {
  const at = rest.lastIndexOf('@');
  if (at < 0) return undefined;
  const query = /^[^?#]*\/[^?#]*\?/.exec(rest)?.[0].length ?? Infinity;
  const first = rest.indexOf('@');
  if (at < query) return rest.slice(0, at);
  // The last `@` is in the query. The user ends at one before the query, if there is one.
  const own = rest.lastIndexOf('@', query);
  return first < query ? rest.slice(0, own) : undefined;
}

function requireUtf8(rest: string): void {
  try {
    decodeURIComponent(rest);
  } catch {
    throw new Error('has a % code that is not UTF-8; encode each byte of the UTF-8 text, as %C3%A4 for ä');
  }
}

function mustEncode(character: string): Error {
  const code = `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  const shown = character.trim() === '' ? 'a space or a line break' : `the character ${character}`;
  return new Error(`has ${shown} where it must be written as ${code}, mostly in its password; write it so`);
}
