// The Memory Vault's calls. The server moves ciphertext and minds the locks; it can read neither title nor words.
import type { Hono } from 'hono';
import { deletedMemories, memories } from '../../../shared/nouns/memory.ts';
import type { Deps } from '../../deps.ts';
import { entryRoutes } from '../../entries/entry-routes.ts';
import { memoryStore } from '../../entries/memories.ts';

export function memoryRoutes(app: Hono, deps: Deps): void {
  entryRoutes(app, deps, memories, deletedMemories, memoryStore);
}
