// The route table of the screens: who may see which path. The server answers 404 by it, the browser routes by it.

/** A visitor is signed out; an initiate has not answered the three questions; a resident has. */
export type Standing = 'visitor' | 'initiate' | 'resident';

export const screens = {
  '/': ['visitor', 'initiate', 'resident'],
  '/enter': ['visitor', 'initiate', 'resident'],
  '/memory-vault': ['resident'],
  '/settings': ['resident'],
} as const satisfies Record<`/${string}`, readonly Standing[]>;

export type ScreenPath = keyof typeof screens;

/** Whether somebody of this standing finds a screen at this path. */
export function hasScreen(path: string, standing: Standing): boolean {
  if (!Object.hasOwn(screens, path)) return false;
  return (screens[path as ScreenPath] as readonly Standing[]).includes(standing);
}
