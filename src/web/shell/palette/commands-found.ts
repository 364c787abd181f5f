// What the palette offers besides entries: screens, new things, and what ends a visit.
import { publicDocuments } from '../../../shared/addresses.ts';
import { listPaths, type ScreenPath } from '../../../shared/screens.ts';
import { fold, wordsOf } from '../../../vault/entries/search.ts';
import { everyEntryKind } from '../../../vault/kinds/entry-kinds.ts';
import type { SigilName } from '../../ui/sigil.tsx';
import { chamberPlaces } from '../chamber-places.ts';
import type { Overlay } from '../commands.ts';
import { helpPath, helpTopics } from '../help-topics.ts';
import { settingsGroups } from '../settings-groups.ts';

/** What happens when a line is chosen. */
export type Action = { to: string } | { document: string } | { show: Overlay } | 'lock';

export interface Command {
  id: string;
  label: string;
  /** Further words by which it is found. */
  also: string;
  sigil: SigilName;
  action: Action;
}

/** What decides which screens are offered. */
export interface Standing {
  isAdmin: boolean;
  /** Whether the server sells a plan. */
  isSelling: boolean;
}

/** Screens that are no chambers. Those of the game are for whoever finds them. */
const otherScreens: {
  to: ScreenPath;
  name: string;
  also: string;
  sigil: SigilName;
  only?: keyof Standing;
}[] = [
  { to: '/', name: 'The chambers', also: 'home dashboard start', sigil: 'mark' },
  {
    to: '/recently-deleted',
    name: 'Recently deleted',
    also: 'bin trash restore bring back undo',
    sigil: 'bin',
  },
  {
    to: '/book',
    name: 'The Book',
    also: 'changes history check server missing compare devices words',
    sigil: 'scroll',
  },
  {
    to: '/imports',
    name: 'Imports',
    also: 'import bring in files day one notion whatsapp webhooks',
    sigil: 'down',
  },
  {
    to: '/checkout',
    name: 'Checkout',
    also: 'plan subscription pay enhanced',
    sigil: 'candle',
    only: 'isSelling',
  },
  {
    to: '/administration',
    name: 'Administration',
    also: 'admin administrator accounts members users invitations invite test mail',
    sigil: 'settings',
    only: 'isAdmin',
  },
  {
    to: '/outbox',
    name: 'The outbox',
    also: 'messages mail administrator',
    sigil: 'scroll',
    only: 'isAdmin',
  },
];

/** By what else people may look for a chamber. */
const also: Partial<Record<string, string>> = {
  ...Object.fromEntries(everyEntryKind.map(({ noun, words }) => [listPaths[noun], words.also])),
  '/ghost-mode': 'burn notes thoughts',
  '/sacred-keys': 'links share',
  '/final-breath': 'message once',
  '/legacy-scroll': 'scrolls letters dead man switch will card recipient',
  '/settings': 'preferences options',
  '/quantum-security': 'fingerprint encryption what this server can see',
};

/** Everything that can be asked for, in groups. */
export function commandsFor(standing: Standing): { label: string; commands: Command[] }[] {
  const screens = [
    ...otherScreens.slice(0, 1),
    ...chamberPlaces,
    ...otherScreens.slice(1).filter(({ only }) => !only || standing[only]),
  ];
  return [
    {
      label: 'New',
      commands: chamberPlaces.flatMap((place) =>
        'creates' in place
          ? [
              {
                id: `new${place.to}`,
                label: place.creates,
                also: `write create ${place.name}`,
                sigil: place.sigil,
                action: { to: `${place.to}/new` },
              },
            ]
          : [],
      ),
    },
    {
      label: 'Go to',
      commands: screens.map((place) => ({
        id: `go${place.to}`,
        label: place.name,
        also: `go to ${'also' in place ? place.also : (also[place.to] ?? '')}`,
        sigil: place.sigil,
        action: { to: place.to },
      })),
    },
    {
      label: 'This vault',
      commands: [
        { id: 'lock', label: 'Lock', also: 'close vault', sigil: 'lock', action: 'lock' },
        { id: 'leave', label: 'Leave', also: 'sign out log out', sigil: 'wall', action: { show: 'leave' } },
        {
          id: 'keys',
          label: 'Keyboard shortcuts',
          also: 'keys help',
          sigil: 'key',
          action: { show: 'keys' },
        },
      ],
    },
    {
      label: 'Settings',
      commands: settingsGroups.map(({ to, name, also }) => ({
        id: `go${to}`,
        label: name,
        also: `settings ${also}`,
        sigil: 'settings' as const,
        action: { to },
      })),
    },
    {
      label: 'Help',
      commands: [
        {
          id: 'help',
          label: 'The guide',
          also: 'help guide how documentation manual',
          sigil: 'scroll',
          action: { document: publicDocuments.help },
        },
        ...helpTopics.map(({ id, name, also }) => ({
          id: `help-${id}`,
          label: name,
          also: `help how ${also}`,
          sigil: 'scroll' as const,
          action: { document: helpPath(id) },
        })),
        {
          id: 'privacy',
          label: 'Privacy',
          also: 'what this server can see data protection log',
          sigil: 'eye',
          action: { document: publicDocuments.privacy },
        },
      ],
    },
  ];
}

/** The commands in whose words every word of the query begins one. A blank query keeps all. */
export function findCommands(query: string, groups: ReturnType<typeof commandsFor>) {
  const words = wordsOf(query);
  const fits = ({ label, also }: Command) => {
    const own = fold(`${label} ${also}`).split(/\s+/);
    return words.every((word) => own.some((part) => part.startsWith(word)));
  };
  return groups
    .map(({ label, commands }) => ({ label, commands: commands.filter(fits) }))
    .filter(({ commands }) => commands.length > 0);
}
