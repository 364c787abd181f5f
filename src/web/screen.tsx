// Screens that are loaded when they are first wanted: when somebody reaches for their door, if that can be seen coming.
import { type ComponentType, lazy } from 'react';
import { listOfEntry } from '../shared/screens.ts';

const preloads = new Map<string, () => Promise<void>>();

/**
 * A screen of its own chunk, known by its path. Once preloaded it is shown at once: React would keep a fallback for at
 * least 300 ms.
 */
export function screen(path: string, load: () => Promise<{ default: ComponentType }>): ComponentType {
  let Ready: ComponentType | null = null;
  const fetched = async () => {
    const module = await load();
    Ready = module.default;
    return module;
  };
  const Later = lazy(fetched);
  // A failed preload is tried again, and told, when the screen is really wanted.
  preloads.set(path, () =>
    fetched().then(
      () => {},
      () => {},
    ),
  );
  return () => (Ready ? <Ready /> : <Later />);
}

/** Gets the screen at a path ready, if there is one. Resolves when that is done or has failed. */
export async function preloadScreen(path: string): Promise<void> {
  await preloads.get(listOfEntry(path) ?? path.replace(/\/new$/, ''))?.();
}
