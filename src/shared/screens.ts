// The route table of the screens: who may see which path. The server answers 404 by it, the browser routes by it.
import type { RestorableKind } from './sealed-kinds.ts';

/** A visitor is signed out; somebody at onboarding has not answered the three questions; a member has. */
export type Standing = 'visitor' | 'onboarding' | 'member';

export const screens = {
  '/': ['visitor', 'onboarding', 'member'],
  '/enter': ['visitor', 'onboarding', 'member'],
  '/share/{keyId}': ['visitor', 'onboarding', 'member'],
  '/legacy/{publicId}': ['visitor', 'onboarding', 'member'],
  '/sheets': ['visitor', 'onboarding', 'member'],
  '/black-scroll': ['visitor', 'member'],
  '/thirteen-holders': ['visitor', 'member'],
  '/still-here': ['visitor', 'onboarding', 'member'],
  '/memory-vault': ['member'],
  '/memory-vault/{entry}': ['member'],
  '/relationship-ledger': ['member'],
  '/relationship-ledger/{entry}': ['member'],
  '/relationship-ledger/people': ['member'],
  '/relationship-ledger/people/{person}': ['member'],
  '/ghost-mode': ['member'],
  '/ghost-mode/new': ['member'],
  '/myth-builder': ['member'],
  '/myth-builder/{entry}': ['member'],
  '/sacred-keys': ['member'],
  '/sacred-keys/new': ['member'],
  '/final-breath': ['member'],
  '/final-breath/new': ['member'],
  '/legacy-scroll': ['member'],
  '/legacy-scroll/new': ['member'],
  '/imports': ['member'],
  '/recently-deleted': ['member'],
  '/book': ['member'],
  '/outbox': ['member'],
  '/quantum-security': ['member'],
  '/settings': ['member'],
  '/settings/appearance': ['member'],
  '/settings/account': ['member'],
  '/settings/recovery': ['member'],
  '/settings/devices': ['member'],
  '/settings/plan': ['member'],
  '/settings/data': ['member'],
  '/administration': ['member'],
  '/checkout': ['member'],
  '/shadow': ['visitor', 'member'],
  '/test-verification': ['visitor', 'member'],
  '/whisper': ['visitor', 'member'],
} as const satisfies Record<`/${string}`, readonly Standing[]>;

/** Stands behind the address of the gate where somebody comes for the first time. It belongs to no other page. */
export const FIRST_TIME = '#first-time';

/** Where the source code of the running version is had: the server's archive, or the operator's address for it. */
export const SOURCE_PATH = '/source';

export type ScreenPath = keyof typeof screens;

/** A one-time link: mail filters may have glued the secret to its number, so whatever is one segment counts. */
export const isSharePath = (path: string) => /^\/share\/[^/]+$/.test(path);

/** The address of a letter, at home or at one of its sisters, with the same leniency. */
export const LEGACY_PATH = /^\/(?:legacy|sisters)\/[^/]+$/;
export const isLegacyPath = (path: string) => LEGACY_PATH.test(path);

/** Where a warning's link leads, also where a mail filter has glued its token on. */
export const isStillHerePath = (path: string) => /^\/still-here(?:%(?:25)*23[^/]*)?$/.test(path);

/** Where guardians look whether their sheets are whole, with the same leniency. */
export const isSheetsPath = (path: string) => /^\/sheets(?:%(?:25)*23[^/]*)?$/.test(path);

/** Added to a path without a screen for visitors, it asks to sign in and be led back to that path. */
export const SIGN_IN_QUERY = 'sign-in';

/** Whether a path shows the same page to everybody: the gate, and what links lead to. Nobody has to be signed in there. */
export const isForEverybody = (path: string) =>
  path === '/enter' || isSharePath(path) || isLegacyPath(path) || isStillHerePath(path) || isSheetsPath(path);

/** The people of the ledger. Beneath it each has an address: the seal number of one of their moments, which is random. */
export const PEOPLE = '/relationship-ledger/people';

const PERSON_PATH = new RegExp(`^${PEOPLE}/[^/]+$`);

/** Where the entries of each kind are listed. Beneath it each has an address. */
export const listPaths = {
  memory: '/memory-vault',
  relationship: '/relationship-ledger',
  myth: '/myth-builder',
} as const satisfies Record<RestorableKind, ScreenPath>;

const ENTRY_PATH = new RegExp(`^(${Object.values(listPaths).join('|')})/[^/]+$`);

/**
 * The list to which the address of an entry, or of a new one, belongs; null for every other path. Whether there is such an
 * entry, the browser alone finds out: the number in the path is random, and no server looks it up.
 */
export const listOfEntry = (path: string): string | null => ENTRY_PATH.exec(path)?.[1] ?? null;

function templateOf(path: string): string {
  if (path === PEOPLE) return path;
  if (PERSON_PATH.test(path)) return `${PEOPLE}/{person}`;
  const list = listOfEntry(path);
  if (list) return `${list}/{entry}`;
  if (isSharePath(path)) return '/share/{keyId}';
  if (isStillHerePath(path)) return '/still-here';
  if (isSheetsPath(path)) return '/sheets';
  return isLegacyPath(path) ? '/legacy/{publicId}' : path;
}

/** What no member finds who is not an administrator. */
const ofAdministrators: ReadonlySet<string> = new Set<ScreenPath>(['/outbox']);

/** Whether somebody of this standing finds a screen at this path. */
export function hasScreen(path: string, standing: Standing, isAdmin = false): boolean {
  const template = templateOf(path);
  if (!Object.hasOwn(screens, template)) return false;
  if (ofAdministrators.has(template) && !isAdmin) return false;
  return (screens[template as ScreenPath] as readonly Standing[]).includes(standing);
}
