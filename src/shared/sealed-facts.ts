// What a row says in the clear and is sealed in with its ciphertext, as texts and back (docs/formats.md, "Facts"). The same
// row is always the same texts, whoever has it: the browser that seals it, and the one that compares.
import type { AccessInput, ScrollRecipient } from './nouns/scroll-recipients.ts';
import type { RowOf } from './nouns/sealed-rows.ts';
import { type BoundName, type KindName, type Kinds, sealedKinds } from './sealed-kinds.ts';

/** What its author's browser chose of a scroll's recipient. */
export type BoundRecipient = Pick<
  ScrollRecipient,
  'recipientType' | 'recipientAddress' | 'tell' | 'access' | 'cardNumber' | 'publicId'
>;

/** The facts of a row, by their names. */
export type BoundFacts<K extends KindName> = K extends KindName
  ? {
      [F in BoundName<Kinds[K]> & keyof RowOf[K]]: F extends 'recipients'
        ? readonly BoundRecipient[]
        : RowOf[K][F];
    }
  : never;

/**
 * A scroll's recipient as the row will have it.
 * @param access the key that is given now; null where they keep the one that they have
 * @param before who they are in the row; undefined for a new one
 */
export const boundRecipient = (
  {
    recipientType,
    recipientAddress,
    tell,
    publicId,
  }: Pick<BoundRecipient, 'recipientType' | 'recipientAddress' | 'tell' | 'publicId'>,
  access: AccessInput | null,
  before?: Pick<BoundRecipient, 'access' | 'cardNumber'>,
): BoundRecipient => ({
  ...{ recipientType, recipientAddress, tell, publicId },
  access: access?.kind ?? before?.access ?? 'none',
  cardNumber: access ? (access.kind === 'card' ? access.cardNumber : null) : (before?.cardNumber ?? null),
});

type Fact = string | number | boolean | null | readonly BoundRecipient[];

/** The names of the facts of a kind, in their order. */
export const boundNames = (kind: KindName): readonly string[] => sealedKinds[kind].bound;

/** One fact as a text: null is empty, recipients are JSON, and everything else is as JSON has it, without quotes. */
function textOf(fact: Fact): string {
  if (fact === null) return '';
  if (typeof fact !== 'object') return String(fact);
  return JSON.stringify(
    fact.map(({ recipientType, recipientAddress, tell, access, cardNumber, publicId }) => [
      recipientType,
      recipientAddress,
      tell,
      access,
      cardNumber,
      publicId,
    ]),
  );
}

/** The facts of a row as texts, in the order of `boundNames`. A time is the text that the server answers. */
export const boundTexts = <K extends KindName>(kind: K, row: BoundFacts<K>): string[] =>
  boundNames(kind).map((name) => textOf((row as Record<string, Fact>)[name] ?? null));

/** What a row is called when its texts are those that were sealed: facts by their names. */
const readers: Record<string, (text: string) => Fact> = {
  version: Number,
  needed: Number,
  count: Number,
  waitDays: Number,
  emotionalWeight: Number,
  maxReads: (text) => (text === '' ? null : Number(text)),
  hasPassphrase: (text) => text === 'true',
  recipients: (text) =>
    (JSON.parse(text) as string[][]).map(
      ([recipientType, recipientAddress, tell, access, cardNumber = null, publicId]) =>
        ({ recipientType, recipientAddress, tell, access, cardNumber, publicId }) as BoundRecipient,
    ),
};

/** The facts that `boundTexts` made texts of. Only for what was opened: it is not checked. */
export const factsFromTexts = <K extends KindName>(kind: K, texts: readonly string[]): BoundFacts<K> =>
  Object.fromEntries(
    boundNames(kind).map((name, i) => {
      const text = texts[i] ?? '';
      return [name, readers[name]?.(text) ?? (text === '' ? null : text)];
    }),
  ) as BoundFacts<K>;

/** A fact that a row does not have as it was sealed, both as texts. */
export interface ChangedFact {
  fact: string;
  sealed: string;
  shown: string;
}

/** Which facts of a row are not those that were sealed. */
export function changedFacts<K extends KindName>(
  kind: K,
  row: BoundFacts<K>,
  sealed: readonly string[],
): ChangedFact[] {
  const shown = boundTexts(kind, row);
  return boundNames(kind).flatMap((fact, i) =>
    shown[i] === sealed[i] ? [] : [{ fact, sealed: sealed[i] ?? '', shown: shown[i] ?? '' }],
  );
}
