// The vault's own legacy scrolls, as the page holds them: fetched and opened once for the chamber and the dashboard.
import { PAGE_MAX } from '../../../shared/http/wire.ts';
import { legacyScrolls, type Scroll } from '../../../shared/nouns/legacy.ts';
import type { ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import { everyPage } from '../../../vault/api/every-page.ts';
import { holdAgainstBook } from '../../../vault/book/hold-against.ts';
import type { OpenVault } from '../session/vault-context.ts';
import { type OwnScroll, openOwn } from './scrolls.ts';

/** A scroll as its author's browser knows it: null is what does not open here. */
export type OpenedScroll = Omit<Scroll, 'title' | 'encryptedScrollKey' | 'createdAt' | 'updatedAt'> &
  OwnScroll;

/** What the opened scrolls are kept by. */
export const scrollsKey = ({ user, fingerprint }: OpenVault) => [
  'opened',
  legacyScrolls.list.path,
  user.id,
  fingerprint,
];

/** Opens what opens of a row of the server. @throws ApiError or TypeError when the ring cannot be fetched */
export async function openScroll(row: Scroll, vault: OpenVault): Promise<OpenedScroll> {
  const { title: _, encryptedScrollKey: __, ...open } = row;
  return { ...open, ...(await openOwn(row, vault)) };
}

/** Fetches all scrolls and opens what opens. @throws ApiError, TypeError */
export async function loadScrolls(vault: OpenVault): Promise<OpenedScroll[]> {
  const rows = await everyPage((before) =>
    vault.api.sendForPage(legacyScrolls.list, { query: { limit: PAGE_MAX, before } }),
  );
  holdAgainstBook(vault, 'legacy-scroll', rows);
  return Promise.all(rows.map((row) => openScroll(row, vault)));
}

/** Whether something of a released letter asks for its author's attention. */
export const isTroubled = ({
  delivery,
  reminder,
  openedAt,
  unopenedSince,
}: Pick<ScrollRecipient, 'delivery' | 'reminder' | 'openedAt' | 'unopenedSince'>): boolean =>
  openedAt === null &&
  (delivery?.state === 'failed' || reminder?.state === 'failed' || unopenedSince !== null);
