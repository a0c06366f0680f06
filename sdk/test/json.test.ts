import { expect } from 'chai';
import { ConnectionError } from '../src/http/errors.js';
import { JsonError, parseJson } from '../src/http/json.js';
import {
  readAmount,
  readList,
  readNullable,
  readObject,
  readOneOf,
  readString,
} from '../src/http/readers.js';

describe('JSON with exact integers', () => {
  it('is parsed as by JSON.parse, except that large integers become bigints', () => {
    const texts = ['{"a":[1,-2.5e3,true,null,"\\u00e9\\n"],"b":{}}', ' [ ] ', '0', '-0', '1E2', '"x"'];
    for (const text of texts) expect(parseJson(text)).to.deep.equal(JSON.parse(text));
    expect(parseJson('[9007199254740991,9007199254740993,-18446744073709551616]')).to.deep.equal([
      9007199254740991,
      9007199254740993n,
      -18446744073709551616n,
    ]);
    const wrong = ['', '{', '[1,]', '{"a"}', '01', '+1', '1.', '"\n"', '"\\x"', 'tru', '1 2', '{a:1}'];
    for (const text of [...wrong, '['.repeat(200)]) expect(() => parseJson(text), text).to.throw(JsonError);
  });
});

describe('readers of service answers', () => {
  const read = readObject({
    amounts: readList(readAmount),
    kind: readOneOf('SOL', 'TOKEN'),
    next: readNullable(readString),
  });

  it('return every amount as a bigint, and ignore unknown fields', () => {
    const answer = parseJson('{"amounts":[1,18446744073709551615],"kind":"SOL","next":null,"new":1}');
    expect(read(answer, 'it')).to.deep.equal({
      amounts: [1n, 18446744073709551615n],
      kind: 'SOL',
      next: null,
    });
  });

  it('explain what is wrong', () => {
    for (const [json, problem] of [
      ['[]', 'it is not an object'],
      ['{}', 'it.amounts is not a list'],
      ['{"amounts":[1,1.5]}', 'it.amounts[1] is not an integer'],
      ['{"amounts":["1"]}', 'it.amounts[0] is not an integer'],
      ['{"amounts":[],"kind":"USD"}', 'it.kind is not "SOL" or "TOKEN"'],
      ['{"amounts":[],"kind":"SOL"}', 'it.next is not text'],
    ] as const)
      expect(() => read(parseJson(json), 'it')).to.throw(ConnectionError, problem);
  });
});
