// Values that parsers, databases, logs and images refuse, and that a service must refuse first.

/** As JSON text, so that it can hold what no JavaScript value serializes to. */
export const JSON_VALUES: Readonly<Record<string, string>> = {
  NUL: '"a\\u0000b"',
  'a non-character': '"\\uffff"',
  'a lone high surrogate': '"\\ud800"',
  'a lone low surrogate': '"\\udc00x"',
  'a byte order mark': '"\\ufeff"',
  'a right-to-left override': '"\\u202ea"',
  'a long text': JSON.stringify('x'.repeat(14_000)),
  'text that is much longer in capitals': JSON.stringify('ŉ'.repeat(4_000)),
  'lists 7,000 deep': `${'['.repeat(7_000)}${']'.repeat(7_000)}`,
  'objects 2,000 deep': `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
  'a number that is infinite': '1e999',
  'a long number': '9'.repeat(10_000),
  'minus zero': '-0',
  'a prototype': '{"__proto__":{"polluted":true},"constructor":1}',
  null: 'null',
  'a list': '["a","a"]',
};

/** For paths, queries and headers of form data: percent-encoded. */
export const URL_VALUES: Readonly<Record<string, string>> = {
  NUL: 'a%00b',
  'only NUL': '%00',
  'a non-character': '%EF%BF%BF',
  'a lone surrogate': '%ED%A0%80',
  'bytes that are not UTF-8': '%FF%FE',
  'a broken percent sign': '%E0%A4%A',
  'a right-to-left override': '%E2%80%AEa',
  'a long text': 'x'.repeat(6_000),
  dots: '..%2f..%2fetc%2fpasswd',
  'a line break': 'a%0d%0aX-Injected: 1',
  'a long number': '9'.repeat(400),
  'minus one': '-1',
  'a quote': "'%22%5c--%3B",
  'a pattern': '%25%5F%2A%28%28',
  'an emoji': '%F0%9F%92%A9',
};

/** For headers, as bytes that Node sends. */
export const HEADER_VALUES: Readonly<Record<string, string>> = {
  'Latin letters': '\u00ff\u00fe',
  'a long text': 'x'.repeat(8_000),
  empty: '',
  'a long number': '9'.repeat(400),
};
