// A page that was loaded anew, or another tab: what its modules know is its own.
import { vi } from 'vitest';

/**
 * Has whatever is imported from now on be another page's. The page before it is gone: it hears no other tab any more, or it would go on
 * to follow those of the tests that come after.
 */
export async function loadAnew(): Promise<void> {
  const { tabs } = await import('../vault/session/leaving.ts');
  tabs()?.close();
  vi.resetModules();
}
