// What the guide at /help tells of, in its order: its contents are made of this, and the palette finds it.
import { publicDocuments } from '../../shared/addresses.ts';

export const helpTopics = [
  { id: 'write', name: 'Writing', also: 'write diary memory photo picture draft print book markdown' },
  { id: 'lock', name: 'Locking until a day', also: 'time lock later date capsule' },
  { id: 'share', name: 'Showing one entry to somebody', also: 'share link once send passphrase' },
  {
    id: 'letters',
    name: 'Letters for later',
    also: 'letter scroll card recipient death will silence rehearse rehearsal',
  },
  {
    id: 'recovery',
    name: 'Coming back to your vault',
    also: 'recovery password passphrase words passkey lost forgotten key',
  },
  {
    id: 'phone',
    name: 'On a phone',
    also: 'phone mobile tablet second device install app home screen offline connection',
  },
  { id: 'keep', name: 'Taking it along', also: 'backup export import day one archive theme size' },
  { id: 'family', name: 'For a family', also: 'family admin administrator invite invitation server' },
] as const;

export type HelpTopic = (typeof helpTopics)[number]['id'];

/** The address of a topic within the guide. */
export const helpPath = (topic: HelpTopic) => `${publicDocuments.help}#${topic}`;
