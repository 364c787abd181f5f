// The vault's own legacy scrolls, as the page holds them: fetched and opened once for the chamber and the dashboard.
import type { Scroll } from '../../shared/nouns/legacy.ts';
import type { ScrollRecipient } from '../../shared/nouns/scroll-recipients.ts';
import { leafOfRow } from '../book/leaf-of-row.ts';
import { legacyScrollKind } from '../kinds/legacy-scroll.ts';
import { rowListOf } from '../replica/row-list.ts';
import type { Vault } from '../vault.ts';
import { type OwnScroll, openOwn } from './scrolls.ts';

/** A scroll as its author's browser knows it: null is what does not open here. */
export type OpenedScroll = Omit<Scroll, 'title' | 'encryptedScrollKey' | 'createdAt' | 'updatedAt'> &
  OwnScroll & {
    /** What the vault's book knows it by. */
    leaf: string;
  };

/** Opens what opens of a row of the server. @throws ApiError or TypeError when the ring cannot be fetched */
export async function openScroll(row: Scroll, vault: Vault): Promise<OpenedScroll> {
  const { title: _, encryptedScrollKey: __, ...open } = row;
  return { ...open, ...(await openOwn(row, vault)), leaf: leafOfRow('legacy-scroll', row) };
}

/** The vault's own scrolls, the newest first. */
export const scrollList = rowListOf('legacy-scroll', legacyScrollKind, openScroll);

/** Whether something of a released letter asks for its author's attention. */
export const isTroubled = ({
  delivery,
  reminder,
  openedAt,
  unopenedSince,
}: Pick<ScrollRecipient, 'delivery' | 'reminder' | 'openedAt' | 'unopenedSince'>): boolean =>
  openedAt === null &&
  (delivery?.state === 'failed' || reminder?.state === 'failed' || unopenedSince !== null);

/** A scroll of which everything opened. */
export type ReadableScroll = OpenedScroll & {
  [Part in 'title' | 'scrollKey' | 'letter']: NonNullable<OpenedScroll[Part]>;
};

export const isReadable = (scroll: OpenedScroll): scroll is ReadableScroll =>
  scroll.title !== null && scroll.scrollKey !== null && scroll.letter !== null;

/** Whether a letter that an import brings is here: it can be read, as it was sealed. */
export const isScrollHere = (scroll: OpenedScroll): boolean => scroll.changed === null && isReadable(scroll);

/** Its key opens and its letter does not: what the server shows of that is not what was sealed, and nobody can read it. */
export const isDamaged = ({ scrollKey, letter }: Pick<OpenedScroll, 'scrollKey' | 'letter'>): boolean =>
  scrollKey !== null && letter === null;

/** Whether other instances keep it, as it was sealed: kept-sisters.ts reads which. */
export const namesSisters = ({ asSealed, sisters }: Pick<OpenedScroll, 'asSealed' | 'sisters'>): boolean =>
  (asSealed ?? { sisters }).sisters != null;

/** What the server has added to a recipient, as nothing of it is known. */
const UNTOLD = {
  ...{ sheetsNeeded: null, envelope: null, releasedAt: null, openedAt: null },
  ...{ delivery: null, reminder: null, unopenedSince: null, rehearsal: null, rehearsalsStoppedAt: null },
};

/** A scroll that the server shows otherwise than it was sealed, as it was sealed: to be read, and nothing else. */
export function asItWasSealed({ asSealed, ...scroll }: OpenedScroll): ReadableScroll | null {
  if (!asSealed) return null;
  const recipients = asSealed.recipients.map((one, i) => ({ ...UNTOLD, ...one, id: -1 - i }));
  const sealed = { ...scroll, ...asSealed, recipients, asSealed: null };
  return isReadable(sealed) ? sealed : null;
}

/** The recipients for whom there is a key card to hand over. */
export const cardHolders = ({ recipients, cards }: Pick<OpenedScroll, 'recipients' | 'cards'>) =>
  recipients.filter(({ publicId }) => cards.has(publicId));
