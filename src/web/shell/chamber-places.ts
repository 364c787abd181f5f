// The chambers, in their order: the one list from which the dashboard, the palette and the head's More are made. And the places
// that stand in the head itself.
import { PEOPLE, type ScreenPath } from '../../shared/screens.ts';
import type { SigilName } from '../ui/sigil.tsx';

interface ChamberPlace {
  to: ScreenPath;
  sigil: SigilName;
  name: string;
  /** What can be begun at `<path>/new`, as a command says it. */
  creates?: string;
}

export const chamberPlaces = [
  { to: '/memory-vault', sigil: 'memory', name: 'Memory Vault', creates: 'New memory' },
  {
    to: '/relationship-ledger',
    sigil: 'relation',
    name: 'Relationship Ledger',
    creates: 'New moment',
  },
  { to: '/ghost-mode', sigil: 'ghost', name: 'Ghost Mode', creates: 'New note' },
  { to: '/myth-builder', sigil: 'myth', name: 'Myth Builder', creates: 'New story' },
  { to: '/sacred-keys', sigil: 'key', name: 'Sacred Keys', creates: 'New link' },
  {
    to: '/final-breath',
    sigil: 'breath',
    name: 'Final Breath',
    creates: 'New final breath',
  },
  { to: '/legacy-scroll', sigil: 'legacy', name: 'Legacy Scroll', creates: 'New letter' },
  { to: '/thirteen-holders', sigil: 'thirteen', name: 'The Thirteen' },
  { to: '/black-scroll', sigil: 'scroll', name: 'The Black Scroll' },
  { to: '/whisper', sigil: 'whisper', name: 'The Whisper' },
  { to: '/quantum-security', sigil: 'quantum', name: 'Quantum Security' },
  { to: '/settings', sigil: 'settings', name: 'Sacred Settings' },
] as const satisfies readonly ChamberPlace[];

/** What stands in the head, by what people come for, and the chamber that each belongs to. The fifth, Search, is no screen. */
export const headPlaces = [
  { to: '/memory-vault/new', sigil: 'pen', name: 'Write', chamber: '/memory-vault' },
  { to: PEOPLE, sigil: 'relation', name: 'People', chamber: '/relationship-ledger' },
  { to: '/legacy-scroll', sigil: 'legacy', name: 'Letters', chamber: '/legacy-scroll' },
  { to: '/sacred-keys', sigil: 'key', name: 'Share', chamber: '/sacred-keys' },
] as const satisfies readonly { to: string; sigil: SigilName; name: string; chamber: ScreenPath }[];

export type ChamberPath = (typeof chamberPlaces)[number]['to'];

/** Whether a path is the chamber's own, or the address of something in it. */
export const isWithin = (path: string, chamber: string) => path === chamber || path.startsWith(`${chamber}/`);

/** The address at which the chamber of a path begins something new, or null. */
export function newEntryAt(path: string): string | null {
  const place: ChamberPlace | undefined = chamberPlaces.find(({ to }) => isWithin(path, to));
  return place?.creates ? `${place.to}/new` : null;
}
