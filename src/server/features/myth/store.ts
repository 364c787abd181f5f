// Myths in the database: ciphertext, and which kind of story each is.
import type { Myth, MythInput, MythPatch } from '../../../shared/nouns/myth.ts';
import { entryStore } from '../../entries/entry-store.ts';

export const mythStore = entryStore<'myth', Myth, MythInput, MythPatch>({
  kind: 'myth',
  clear: { storyType: { column: 'story_type', type: 'text' } },
  lock: null,
});
