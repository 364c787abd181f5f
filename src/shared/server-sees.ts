// What this server can see, made from the classes of the contract's fields: the page that tells people and
// the threat model both read it here, so neither can fall behind the code.
import { contractRows } from './http/contract.ts';
import { type FieldClass, fieldsOf } from './http/field-classes.ts';

/** The classes that are about a person's data, from what is read to what cannot be, and what each means. */
const CLASSES = [
  ['clear', 'Reads and stores as it is'],
  ['public', 'May be known to everybody'],
  ['disclosed', 'Passes on where you ask for it, and keeps nothing of'],
  ['arriving', 'Reads once as it arrives, seals to your vault, and then cannot open'],
  ['credential', 'Sees in passing, uses once or keeps as a hash'],
  ['wrapped', 'Holds, and cannot open without a secret it never sees'],
  ['sealed', 'Holds as ciphertext, and cannot open'],
] as const satisfies [FieldClass, string][];

/** What a server also has, besides the fields of its calls. */
export const besideTheCalls: readonly { what: string; says: string }[] = [
  {
    what: 'addresses',
    says: 'of whoever asks, while it answers. They are counted in memory, and for attempts to sign in, challenges of wallets and artifacts, hex strings that are decoded, guesses at a passphrase or the phrase of the game, deliveries to a webhook that are not signed rightly, and recordings to transcribe in the database: as a hash under the instance secret, together with what was tried, for a day and until the next sweep, a minute later at most. An operator, who has the secret, could test addresses against such a hash. None is logged. A reverse proxy may log them: that is its operator’s choice',
  },
  {
    what: 'for each message that left, and each whisper,',
    says: 'a hash of its recipient’s address or vault and one of its author, under the instance secret, for 90 days, also after the vault is gone; the author’s for as long as the letter is kept: so that limits hold',
  },
  {
    what: 'for each account that has had a story made on this server,',
    says: 'how many in 24 hours, under a hash with the instance secret, until a minute after those have passed',
  },
  {
    what: 'for each account that has sent a recording to be transcribed,',
    says: 'how many in a day, under a hash with the instance secret, for a day and until the next sweep',
  },
  {
    what: 'the browser’s name for itself,',
    says: 'cut down to such as “Firefox on Linux” before it is stored with a session, a passkey or an account’s activity',
  },
  {
    what: 'for a linked wallet,',
    says: 'the text that it signed and its signature, which every signed-in user can fetch who knows the wallet’s address, 120 times in ten minutes',
  },
  {
    what: 'for an account that pays, or has begun to,',
    says: 'the payment provider’s ids of its customer, subscription and price, and for 35 days those of the provider’s messages about it; and how many stories were made for it this month',
  },
  {
    what: 'for each delivery of a webhook,',
    says: 'which webhook brought it, and for thirty days a hash of the number that its sender gave it',
  },
  {
    what: 'for each webhook that was revoked,',
    says: 'for thirty days a hash of its address, so that it says so to whoever still sends there',
  },
  { what: 'for each passkey,', says: 'its public key, a counter, and how it is connected' },
  { what: 'for accounts of a sign-in provider,', says: 'issuer and subject' },
  { what: 'sizes:', says: 'ciphertext grows in steps of 256 bytes' },
  { what: 'order and time:', says: 'which row came when, how often it was changed and fetched' },
];

export interface Seen {
  class: (typeof CLASSES)[number][0];
  /** What the class means, in words. */
  words: string;
  /** Each field in words, once, in the contract's order. */
  fields: string[];
}

/**
 * Every field that crosses the wire, in either direction, by its class. Classes that no field has are left out.
 * @param rows those of the contract
 */
export function whatTheServerSees(rows = contractRows()): Seen[] {
  const metas = rows.flatMap(({ row }) => [
    ...[row.query, row.body, row.reply].flatMap((schema) =>
      schema ? fieldsOf(schema).flatMap(({ meta }) => meta ?? []) : [],
    ),
    ...(row.upload ? [row.upload] : []),
    ...(row.file ? [row.file] : []),
  ]);
  return CLASSES.map(([name, words]) => ({
    class: name,
    words,
    fields: [...new Set(metas.flatMap((meta) => (meta.class === name ? meta.says : [])))],
  })).filter(({ fields }) => fields.length > 0);
}
