/** The type of a translation: the same table, with other texts. A text with values gets the same values. */
export type Translation<English> = English extends string
  ? string
  : English extends (...values: infer Values) => infer Text
    ? (...values: Values) => Translation<Text>
    : { readonly [Key in keyof English]: Translation<English[Key]> };
