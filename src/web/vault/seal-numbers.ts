// What every row of a vault says of its own seal, of every kind, without opening any.
import { account } from '../../shared/account.ts';
import { memories } from '../../shared/entry.ts';
import { finalBreath } from '../../shared/final-breath.ts';
import { ghosts } from '../../shared/ghost.ts';
import { legacyScrolls } from '../../shared/legacy.ts';
import { relationships } from '../../shared/relationship.ts';
import { shareableKeys } from '../../shared/sacred-key.ts';
import { PAGE_MAX } from '../../shared/wire.ts';
import type { ApiClient } from '../api/client.ts';
import { everyPage } from '../api/every-page.ts';
import type { SealedBy } from './key-ring.ts';

const page = (before: number | undefined) => ({ query: { limit: PAGE_MAX, before } });

/** @throws ApiError or TypeError when one of the lists cannot be fetched */
export async function listSeals({ send, sendForPage }: ApiClient): Promise<SealedBy[]> {
  const [answers, breath, ...lists] = await Promise.all([
    send(account.answers, {}),
    send(finalBreath.get, {}),
    everyPage((before) => sendForPage(memories.list, page(before))),
    everyPage((before) => sendForPage(relationships.list, page(before))),
    everyPage((before) => sendForPage(ghosts.list, page(before))),
    everyPage((before) => sendForPage(shareableKeys.list, page(before))),
    everyPage((before) => sendForPage(legacyScrolls.list, page(before))),
  ]);
  const rows: (SealedBy | null)[] = [answers, breath, ...lists.flat()];
  return rows.filter((row) => row !== null).map(({ sealId, keyFingerprint }) => ({ sealId, keyFingerprint }));
}

/** Whether a text is 16 bytes in base64url, as every browser makes seal numbers. A ring has room for nothing else. */
export function isSealNumber(text: string | null): text is string {
  return text !== null && /^[A-Za-z0-9_-]{21}[AQgw]$/.test(text);
}
