// What opens the pictures of a gallery before a printer is asked, also where the gallery's code is still on its way.
import { useState } from 'react';
import type { Later } from '../../ui/later.tsx';
import { toast } from '../../ui/toaster.tsx';

type Open = () => Promise<void>;

/** Is given by a gallery what opens its pictures, as a ref would be, and lets others wait until then. */
class Opening {
  private open: Open | null = null;
  private readonly waiting: (() => void)[] = [];

  get current(): Open | null {
    return this.open;
  }

  set current(open: Open | null) {
    this.open = open;
    if (open) for (const go of this.waiting.splice(0)) go();
  }

  there(): Promise<void> {
    return this.open ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }
}

/**
 * @param gallery what shows the files, fetched when it is wanted
 * @param hasFiles whether it is shown
 * @returns what the gallery is given, and what is done before a printer is asked: it is resolved once the pictures can be drawn
 */
export function useGalleryForPrinter(gallery: Pick<Later<never>, 'preload'>, hasFiles: boolean) {
  const [opening] = useState(() => new Opening());
  const [, showAgain] = useState(0);
  async function beforePrint(): Promise<void> {
    if (!hasFiles) return;
    try {
      await Promise.all([gallery.preload(), import('./opened-pictures.ts')]);
    } catch {
      toast({
        title: 'Pictures Are Missing',
        description: 'What shows photos and files could not be fetched. The words are printed without them.',
        tone: 'destructive',
      });
      return;
    }
    // One that could not be fetched at first is shown by that.
    showAgain((times) => times + 1);
    await opening.there();
    await opening.current?.();
  }
  return { opening, beforePrint };
}
