// What a server of this house can see, made from the classes of the contract's fields: the page that tells people and
// the threat model both read it here, so neither can fall behind the code.
import { contractRows } from './contract.ts';
import { type FieldClass, fieldsOf } from './field-classes.ts';

/** The classes that are about a person's data, from what is read to what cannot be, and what each means. */
const CLASSES = [
  ['clear', 'Reads and stores as it is'],
  ['public', 'May be known to everybody'],
  ['credential', 'Sees in passing, uses once or keeps as a hash'],
  ['wrapped', 'Holds, and cannot open without a secret it never sees'],
  ['sealed', 'Holds as ciphertext, and cannot open'],
] as const satisfies [FieldClass, string][];

export interface Seen {
  class: (typeof CLASSES)[number][0];
  /** What the class means, in words. */
  words: string;
  /** Each field in words, once, in the contract's order. */
  fields: string[];
}

/** Every field that crosses the wire, in either direction, by its class. */
export function whatTheServerSees(): Seen[] {
  const metas = contractRows().flatMap(({ row }) =>
    [row.query, row.body, row.reply].flatMap((schema) =>
      schema ? fieldsOf(schema).flatMap(({ meta }) => meta ?? []) : [],
    ),
  );
  return CLASSES.map(([name, words]) => ({
    class: name,
    words,
    fields: [...new Set(metas.flatMap((meta) => (meta.class === name ? meta.says : [])))],
  }));
}
