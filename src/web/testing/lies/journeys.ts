// Short walks through the app, each of which uses the answers that it is about. What is pressed is known by its words.
import type { Journey } from './machine.ts';
import { PASSPHRASE } from './world.ts';

const OWN = { browser: 'own' } as const;

export const journeys: readonly Journey[] = [
  {
    ...OWN,
    name: 'the chambers',
    about: ['account.user', 'summary.get', 'theSwitch.get'],
    steps: () => [{ open: '/' }],
  },
  {
    ...OWN,
    name: 'reading a memory',
    about: ['memories.list'],
    steps: ({ newest }) => [{ open: '/memory-vault' }, { open: `/memory-vault/${newest.memory}` }],
  },
  {
    ...OWN,
    name: 'changing a memory',
    about: ['memories.update'],
    steps: ({ newest }) => [
      { open: `/memory-vault/${newest.memory}` },
      { press: /^Edit$/ },
      { fill: /^Memory/, text: 'Ladders, and somebody singing.' },
      { press: /^Seal/ },
    ],
  },
  {
    ...OWN,
    name: 'writing a memory',
    about: ['memories.create'],
    steps: () => [
      { open: '/memory-vault/new' },
      { fill: /^Title/, text: 'The well' },
      { fill: /^Memory/, text: 'It never ran dry.' },
      { press: /^Seal Memory/ },
    ],
  },
  {
    ...OWN,
    name: 'reading a moment',
    about: ['relationships.list'],
    steps: ({ newest }) => [
      { open: '/relationship-ledger' },
      { open: `/relationship-ledger/${newest.relationship}` },
    ],
  },
  {
    ...OWN,
    name: 'changing a moment',
    about: ['relationships.update'],
    steps: ({ newest }) => [
      { open: `/relationship-ledger/${newest.relationship}` },
      { press: /^Edit$/ },
      { fill: /^What happened/, text: 'It was never said.' },
      { press: /^Record Moment/ },
    ],
  },
  {
    ...OWN,
    name: 'reading a myth',
    about: ['myths.list'],
    steps: ({ newest }) => [{ open: '/myth-builder' }, { open: `/myth-builder/${newest.myth}` }],
  },
  {
    ...OWN,
    name: 'beginning a myth',
    about: ['stories.writer'],
    steps: () => [{ open: '/myth-builder/new' }],
  },
  {
    ...OWN,
    name: 'reading a ghost',
    about: ['ghosts.list', 'ghosts.read'],
    steps: () => [{ open: '/ghost-mode' }, { press: /reading/ }],
  },
  {
    ...OWN,
    name: 'writing a ghost',
    about: ['ghosts.create'],
    steps: () => [
      { open: '/ghost-mode/new' },
      { fill: /^Thought/, text: 'A thought for a day.' },
      { press: /^Seal the thought/ },
    ],
  },
  {
    ...OWN,
    name: 'releasing the final breath',
    about: ['finalBreath.get', 'finalBreath.read'],
    steps: () => [{ open: '/final-breath' }, { press: /^Release Final Breath/ }, { press: /^Release it/ }],
  },
  {
    ...OWN,
    name: 'looking at one-time links',
    about: ['shareableKeys.list'],
    steps: () => [{ open: '/sacred-keys' }],
  },
  {
    ...OWN,
    name: 'making a one-time link',
    about: ['shareableKeys.create', 'shareableKeys.seal'],
    steps: ({ newest }) => [
      { open: `/memory-vault/${newest.memory}` },
      { press: /^Share/ },
      { press: /^Make a one-time link/ },
    ],
  },
  {
    name: 'opening a one-time link',
    browser: 'stranger',
    about: ['shares.state', 'shares.redeem'],
    steps: ({ link }) => [{ open: link }, { press: /^Open and read/ }],
  },
  {
    ...OWN,
    name: 'looking at legacy scrolls',
    about: ['legacyScrolls.list', 'legacyScrolls.transports', 'proofOfLife.give'],
    steps: () => [{ open: '/legacy-scroll' }, { press: /^Still here/ }],
  },
  {
    ...OWN,
    name: 'setting a scroll to watch',
    about: ['legacyScrolls.activate', 'warningAddress.get', 'switchOutlook.get'],
    steps: () => [
      { open: '/legacy-scroll' },
      { press: /^Activate Watch/ },
      { tick: /^I have handed it over/ },
      { choose: /^Warnings/, value: 'dashboard' },
      { press: /^Activate Watch/ },
    ],
  },
  {
    ...OWN,
    name: 'writing to another vault',
    about: ['vaults.find', 'legacyScrolls.create'],
    steps: ({ friend }) => [
      { open: '/legacy-scroll' },
      { fill: /^Title/, text: 'For you alone' },
      { fill: /^Letter/, text: 'Burn this.' },
      { choose: /^Trigger/, value: 'manual' },
      { choose: /^Recipient$/, value: 'whisper' },
      { fill: /^Vault address/, text: friend },
      { press: /^Create Legacy Scroll/ },
    ],
  },
  {
    ...OWN,
    name: 'reading a whisper',
    about: ['whispers.list', 'whispers.open'],
    steps: () => [{ open: '/legacy-scroll' }, { press: /^Read the whisper/ }],
  },
  {
    name: 'opening a letter with its card',
    browser: 'stranger',
    about: ['legacy.state', 'legacy.open'],
    steps: ({ card }) => [{ open: card }, { press: /^Open the scroll/ }],
  },
  {
    name: 'opening a letter with its passphrase',
    browser: 'stranger',
    about: ['legacy.state', 'legacy.open'],
    steps: ({ guardedLetter }) => [
      { open: guardedLetter },
      { press: /^Open the scroll/ },
      { fill: /^Passphrase/, text: PASSPHRASE },
      { press: /^Open the scroll/ },
    ],
  },
  {
    name: 'opening a one-time link with its passphrase',
    browser: 'stranger',
    about: ['shares.state', 'shares.redeem'],
    steps: ({ guardedLink }) => [
      { open: guardedLink },
      { press: /^Open and read/ },
      { fill: /^Passphrase/, text: PASSPHRASE },
      { press: /^Open and read/ },
    ],
  },
  {
    name: 'trying a card before its time',
    browser: 'stranger',
    about: ['legacy.state', 'legacy.open'],
    refused: ['legacy.open'],
    steps: ({ waitingCard }) => [{ open: waitingCard }, { press: /^Try the card/ }],
  },
  {
    name: 'unlocking',
    browser: 'locked',
    about: ['vaultKey.get'],
    steps: () => [{ open: '/' }, { fill: /^Passphrase/, text: PASSPHRASE }, { press: /^Unlock/ }],
  },
  {
    name: 'unlocking in a new browser',
    browser: 'new',
    about: ['vaultKey.get'],
    steps: () => [{ open: '/' }, { fill: /^Passphrase/, text: PASSPHRASE }, { press: /^Unlock/ }],
  },
  {
    name: 'entering',
    browser: 'stranger',
    about: ['gate.passphraseSalt', 'gate.passphraseEnter', 'signUp.get'],
    steps: ({ member }) => [
      { open: '/enter' },
      { press: /^(A|Enter with a) name and a passphrase$/ },
      { fill: /^Name/, text: member.user.name ?? '' },
      { fill: /^Passphrase/, text: PASSPHRASE },
      { press: /^Enter/ },
    ],
  },
  {
    ...OWN,
    name: 'looking at the settings',
    about: [
      'account.answers',
      'sessions.list',
      'activity.list',
      'passkeys.list',
      'usage.get',
      'billing.get',
      'linkedWallet.get',
    ],
    steps: () => [{ open: '/settings' }, { press: /^Read them again/ }],
  },
  {
    ...OWN,
    name: 'taking everything along',
    about: ['memories.list', 'account.answers'],
    steps: () => [
      { open: '/settings' },
      { press: /^Export$/ },
      { choose: /^Form/, value: 'readable' },
      { press: /^Export readable/ },
    ],
  },
  {
    ...OWN,
    name: 'looking at what was deleted',
    about: ['deletedMemories.list', 'deletedRelationships.list', 'deletedMyths.list'],
    steps: () => [{ open: '/recently-deleted' }],
  },
  {
    ...OWN,
    name: 'restoring what was deleted',
    about: ['deletedMemories.restore'],
    steps: () => [{ open: '/recently-deleted' }, { press: /^Restore.*Thrown away/ }],
  },
];
