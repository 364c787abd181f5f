// The vault's own legacy scrolls, as the page holds them: fetched and opened once for the chamber and the dashboard.
import type { Scroll } from '../../shared/nouns/legacy.ts';
import type { ScrollRecipient } from '../../shared/nouns/scroll-recipients.ts';
import { legacyScrollKind } from '../kinds/legacy-scroll.ts';
import { rowListOf } from '../replica/row-list.ts';
import type { Vault } from '../vault.ts';
import { type OwnScroll, openOwn } from './scrolls.ts';

/** A scroll as its author's browser knows it: null is what does not open here. */
export type OpenedScroll = Omit<Scroll, 'title' | 'encryptedScrollKey' | 'createdAt' | 'updatedAt'> &
  OwnScroll;

/** Opens what opens of a row of the server. @throws ApiError or TypeError when the ring cannot be fetched */
export async function openScroll(row: Scroll, vault: Vault): Promise<OpenedScroll> {
  const { title: _, encryptedScrollKey: __, ...open } = row;
  return { ...open, ...(await openOwn(row, vault)) };
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
