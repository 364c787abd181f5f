// All whispers that were left for this vault, the one that was released last first.

import { PAGE_MAX } from '../../shared/http/wire.ts';
import { type Whisper, whispers } from '../../shared/nouns/whispers.ts';
import type { ApiClient } from '../api/api-client.ts';
import { everyPage } from '../api/every-page.ts';

export async function listWhispers({ sendForPage }: ApiClient): Promise<Whisper[]> {
  const left = await everyPage((before) =>
    sendForPage(whispers.list, { query: { limit: PAGE_MAX, before } }),
  );
  return left.sort((one, other) => Date.parse(other.releasedAt) - Date.parse(one.releasedAt));
}
