// What a decoded string unlocks in this browser.
import type { Decoded, Unlockable } from '../../shared/nouns/game.ts';
import { toast } from '../ui/toast-store.ts';
import { type Flag, setFlag } from './flags.ts';

const OPENED: Record<Unlockable, { flag: Flag; title: string; description: string }> = {
  shadow_chamber_access: {
    flag: 'phase2Decoded',
    title: 'Shadow Chamber Unlocked',
    description: 'The shadow page can now be reached at /shadow.',
  },
  shadow_scroll_002: {
    flag: 'shadowAccessed',
    title: 'Shadow Scroll Unlocked',
    description: 'Phase 2 scroll is now accessible',
  },
};

/** Sets the flags that a decoded string earns, and says so. */
export function unlock({ unlocks }: Pick<Decoded, 'unlocks'>): void {
  for (const name of unlocks) {
    const { flag, title, description } = OPENED[name];
    setFlag(flag);
    toast({ title, description });
  }
}
