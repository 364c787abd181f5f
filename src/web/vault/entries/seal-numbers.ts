// What every row of a vault says of its own seal, of every kind, without opening any.

import { PAGE_MAX } from '../../../shared/http/wire.ts';
import { account } from '../../../shared/nouns/account.ts';
import { finalBreath } from '../../../shared/nouns/final-breath.ts';
import { ghosts } from '../../../shared/nouns/ghost.ts';
import { importWebhooks } from '../../../shared/nouns/import-webhooks.ts';
import { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import { deletedMemories, memories } from '../../../shared/nouns/memory.ts';
import { deletedMyths, myths } from '../../../shared/nouns/myth.ts';
import { deletedRelationships, relationships } from '../../../shared/nouns/relationship.ts';
import { shareableKeys } from '../../../shared/nouns/sacred-key.ts';
import type { KindName } from '../../../shared/sealed-kinds.ts';
import type { ApiClient } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { SealedBy } from '../key/key-ring.ts';

const page = (before: number | undefined) => ({ query: { limit: PAGE_MAX, before } });

/** What lives, and what was deleted and can be restored. */
const both = async (...lists: Promise<SealedBy[]>[]) => (await Promise.all(lists)).flat();

/** How the rows of each kind are fetched. */
type Rows = { [K in KindName]: (api: ApiClient) => Promise<SealedBy[]> };
const rows: Rows = {
  memory: ({ sendForPage }) =>
    both(
      everyPage((before) => sendForPage(memories.list, page(before))),
      everyPage((before) => sendForPage(deletedMemories.list, page(before))),
    ),
  relationship: ({ sendForPage }) =>
    both(
      everyPage((before) => sendForPage(relationships.list, page(before))),
      everyPage((before) => sendForPage(deletedRelationships.list, page(before))),
    ),
  myth: ({ sendForPage }) =>
    both(
      everyPage((before) => sendForPage(myths.list, page(before))),
      everyPage((before) => sendForPage(deletedMyths.list, page(before))),
    ),
  onboarding: async ({ send }) => [(await send(account.answers, {})) ?? []].flat(),
  'sacred-key': ({ sendForPage }) => everyPage((before) => sendForPage(shareableKeys.list, page(before))),
  webhook: ({ send }) => send(importWebhooks.list, {}),
  'legacy-scroll': ({ sendForPage }) => everyPage((before) => sendForPage(legacyScrolls.list, page(before))),
  ghost: ({ sendForPage }) => everyPage((before) => sendForPage(ghosts.list, page(before))),
  breath: async ({ send }) => [(await send(finalBreath.get, {})) ?? []].flat(),
};

/** @throws ApiError or TypeError when one of the lists cannot be fetched */
export async function listSeals(api: ApiClient): Promise<SealedBy[]> {
  const lists = await Promise.all(Object.values(rows).map((fetchRows) => fetchRows(api)));
  return lists.flat().map(({ sealId, keyFingerprint }) => ({ sealId, keyFingerprint }));
}

/** Whether a text is 16 bytes in base64url, as every browser makes seal numbers. A ring has room for nothing else. */
export function isSealNumber(text: string | null): text is string {
  return text !== null && /^[A-Za-z0-9_-]{21}[AQgw]$/.test(text);
}
