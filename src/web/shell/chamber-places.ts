// The chambers: the one list from which the head, the dashboard and the palette are made, in their order.
import type { ScreenPath } from '../../shared/screens.ts';
import type { SigilName } from '../ui/sigil.tsx';

interface ChamberPlace {
  to: ScreenPath;
  sigil: SigilName;
  name: string;
  /** The part of the name that stands in the head where there is little room. */
  short: string;
  /** In the row of the head it is never more than that. */
  brief?: true;
  /** What can be begun at `<path>/new`, as a command says it. */
  creates?: string;
  /** Begins another group in the head. */
  apart?: true;
}

export const chamberPlaces = [
  { to: '/memory-vault', sigil: 'memory', name: 'Memory Vault', short: 'Memory', creates: 'New memory' },
  {
    to: '/relationship-ledger',
    sigil: 'relation',
    name: 'Relationship Ledger',
    short: 'Ledger',
    creates: 'New moment',
  },
  { to: '/ghost-mode', sigil: 'ghost', name: 'Ghost Mode', short: 'Ghost', creates: 'New note' },
  { to: '/myth-builder', sigil: 'myth', name: 'Myth Builder', short: 'Myth', creates: 'New story' },
  { to: '/sacred-keys', sigil: 'key', name: 'Sacred Keys', short: 'Keys', creates: 'New link' },
  {
    to: '/final-breath',
    sigil: 'breath',
    name: 'Final Breath',
    short: 'Breath',
    creates: 'New final breath',
  },
  { to: '/legacy-scroll', sigil: 'legacy', name: 'Legacy Scroll', short: 'Legacy', creates: 'New scroll' },
  {
    to: '/thirteen-holders',
    sigil: 'thirteen',
    name: 'The Thirteen',
    short: 'Thirteen',
    brief: true,
    apart: true,
  },
  { to: '/black-scroll', sigil: 'scroll', name: 'The Black Scroll', short: 'Black Scroll', brief: true },
  { to: '/whisper', sigil: 'whisper', name: 'The Whisper', short: 'Whisper', brief: true },
  { to: '/quantum-security', sigil: 'quantum', name: 'Quantum Security', short: 'Quantum', brief: true },
  { to: '/settings', sigil: 'settings', name: 'Sacred Settings', short: 'Sacred Settings' },
] as const satisfies readonly ChamberPlace[];

export type ChamberPath = (typeof chamberPlaces)[number]['to'];

/** Whether a path is the chamber's own, or the address of something in it. */
export const isWithin = (path: string, chamber: string) => path === chamber || path.startsWith(`${chamber}/`);

/** The address at which the chamber of a path begins something new, or null. */
export function newEntryAt(path: string): string | null {
  const place: ChamberPlace | undefined = chamberPlaces.find(({ to }) => isWithin(path, to));
  return place?.creates ? `${place.to}/new` : null;
}
