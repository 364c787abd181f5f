// Screens, each of which is a part of its own (later.tsx), known by their paths: fetched when somebody reaches for their
// door, if that can be seen coming.
import type { ComponentType } from 'react';
import { type Later, later } from './ui/later.tsx';
import { Spinner } from './ui/spinner.tsx';

const preloads: { path: RegExp; preload: () => Promise<void> }[] = [];

/** Matches a path and what stands beneath it: an entry's address, or the form for a new one. */
const beneath = (path: string) => new RegExp(path === '/' ? '^/$' : `^${path}(?:[/%]|$)`);

/** A screen of its own chunk, at a path and at the addresses beneath it. */
export function screen(path: string, load: () => Promise<{ default: ComponentType<object> }>): Later<object> {
  const part = later(load, <Spinner screen />);
  preloads.push({ path: beneath(path), preload: part.preload });
  return part;
}

/** Gets the screen at a path ready, if there is one. Resolves when that is done or has failed. */
export async function preloadScreen(path: string): Promise<void> {
  const found = preloads.find((one) => one.path.test(path));
  // A failed preload is tried again, and told, when the screen is really wanted.
  await found?.preload().catch(() => {});
}
