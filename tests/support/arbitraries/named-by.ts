import fc from 'fast-check';

/** Choices of `fc.oneof`: values with a name under this key, and with fields that are chosen. */
export const namedBy =
  <Key extends string>(key: Key) =>
  <const Name extends string, Fields extends object = object>(
    weight: number,
    name: Name,
    fields = {} as { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
  ) => ({
    weight,
    arbitrary: fc
      .record<Fields>(fields)
      .map((chosen) => ({ [key]: name, ...chosen }) as Record<Key, Name> & Fields),
  });
