// Where the server is on its machine, how it is started, backed up, moved and confirmed.
import { pauseWords } from '../../shared/nouns/pause-words.ts';
import { switchRules } from '../../shared/nouns/switch-rules.ts';
import { HOUR } from '../../shared/time.ts';
import type { Block, Section, Step } from './blocks.ts';
import type { Commands } from './commands.ts';
import { type Facts, whereOpened } from './facts.ts';

export const running = (facts: Facts, commands: Commands): Section[] => [
  ['Where it is', place(facts)],
  ['How to start it, and see that it runs', start(facts, commands)],
  ['Backups, moving, and letters that are paused', keep(facts, commands)],
];

function place({
  way,
  programDir,
  dataDir,
  postgres,
  origin,
  settings,
  hasSecretInSettings,
}: Facts): Block[] {
  const inside = way.kind === 'container' ? ' (inside the container)' : '';
  const ways = {
    container: 'by Docker, in a container',
    service: `by the machine itself, as the service “${way.kind === 'service' ? way.name : ''}” (systemd)`,
    npm: 'by hand, in a terminal, as far as this program can tell',
  };
  const database = !postgres
    ? `in the data folder (latebra.db)`
    : `PostgreSQL, a program of its own: ${postgres.place ? `“${postgres.place.name}” on ${postgres.place.host}` : 'the setting DATABASE_URL says where'}`;
  return [
    {
      kind: 'pairs',
      pairs: [
        ['Address', origin],
        ['Started', ways[way.kind]],
        ['Program folder', `${programDir}${inside}`],
        ['Data folder', `${dataDir}${inside}`],
        ['Database', database],
        ['Settings', settingsAre(way)],
        ['Settings that it was given', settings.length > 0 ? settings.join(', ') : 'none'],
      ],
    },
    {
      kind: 'text',
      text: `The data folder${postgres ? ' and the database are' : ' is'} what matters. The program can be had again, and the data cannot.`,
    },
    ...(way.kind === 'service'
      ? [
          {
            kind: 'text' as const,
            text: 'A command that begins with sudo may ask for a password: that of the account you are signed in with. Nothing is shown while you type it.',
          },
        ]
      : []),
    ...(hasSecretInSettings
      ? [
          {
            kind: 'text' as const,
            text: 'The secret key of this server is among the settings (SECRET_KEY), not in the data folder. Keep the settings with every backup. This page shows none of their values.',
          },
        ]
      : []),
    ...(way.kind === 'container'
      ? [
          {
            kind: 'text' as const,
            text: 'The data folder lies in a volume of Docker, most often with “data” in its name. The commands below are typed in the folder of the file compose.yaml, on the machine itself.',
          },
          { kind: 'blanks' as const, labels: ['Folder of compose.yaml'] },
        ]
      : []),
    ...(way.kind === 'npm' && settings.length > 0
      ? [{ kind: 'blanks' as const, labels: ['Where the settings and their values are written down'] }]
      : []),
  ];
}

function settingsAre(way: Facts['way']): string {
  if (way.kind === 'container') return 'in compose.yaml and the file .env beside it';
  if (way.kind === 'service') return way.settings ?? `in the unit of the service ${way.name}`;
  return 'in the environment of whoever starts it';
}

function start(facts: Facts, { start, look, restart }: Commands): Block[] {
  const { way, origin, domain, settings, hasProxy, isHereAlone } = facts;
  const afterwards = {
    container: 'It also starts by itself with the machine, unless somebody has stopped it.',
    service: 'From then on it also starts by itself with the machine.',
    npm: 'Leave that window open: the program ends with it. It does not start by itself with the machine. Ask your helper to make it a service.',
  }[way.kind];
  const given = way.kind === 'npm' && settings.length > 0 ? ', with the settings of section 5' : '';
  return [
    {
      kind: 'steps',
      steps: [
        {
          text: `Open ${origin} ${whereOpened(facts)}. If the page of Latebra comes up, it runs${isHereAlone ? '' : ', here or on another machine'}: start nothing.`,
        },
        { text: `If no page comes up, type this${given}. ${afterwards}`, commands: start },
        {
          text: `Open ${origin}/readyz. It should say “ready”. If it says “not-ready”, wait two minutes and look again. If it says “storage-full”, the disk of the machine is full.`,
        },
        look.length === 0
          ? {
              text: 'If it does not, read what the program has said in its window, and show it to your helper.',
            }
          : {
              text: 'If it does not, this shows what the program has said. Show it to your helper.',
              commands: look,
            },
      ],
    },
    ...(domain !== null && hasProxy
      ? [
          {
            kind: 'text' as const,
            text: `Another program, on this machine or before it (a proxy, such as Caddy or nginx), receives what comes to ${domain} and has the certificate. It has to run as well. If this program runs and the address does not answer, look there, and at the name (section 8).`,
          },
        ]
      : []),
    { kind: 'subheading', text: 'To change a setting' },
    { kind: 'text', text: changed(way) },
    ...(restart.length > 0 ? [{ kind: 'commands' as const, commands: restart }] : []),
  ];
}

function changed(way: Facts['way']): string {
  if (way.kind === 'container') {
    return 'Under “environment:” in compose.yaml it is a line of its own: the name of the setting, a colon, a space and the value. Afterwards type:';
  }
  if (way.kind === 'service') {
    return `In ${way.settings ?? `the unit of the service ${way.name}, behind “Environment=”`} it is a line of its own: the name of the setting, the sign = and the value, without spaces. Afterwards type:`;
  }
  return 'End the program (press Ctrl and C in its window), and start it as above with the setting before “npm start”: its name, the sign =, its value and a space.';
}

function keep(facts: Facts, { backup, backupIs, stop, confirm }: Commands): Block[] {
  const { postgres, way, domain } = facts;
  const needsSettings = backup.join().includes('DATABASE_URL')
    ? ' Where “$DATABASE_URL” stands, put the value of that setting.'
    : '';
  const stops: Step =
    way.kind === 'npm'
      ? { text: 'End the program on the old machine: press Ctrl and C in its window.' }
      : { text: 'End the program on the old machine.', commands: stop };
  const copies: Step = { text: 'Make a backup, as above.' };
  return [
    { kind: 'subheading', text: 'To make a backup' },
    { kind: 'commands', commands: backup },
    {
      kind: 'text',
      text: `It is then ${backupIs}.${needsSettings} The program may run meanwhile. Copy it to a stick or another computer. Whoever has it can read no letter with it, but keep it from strangers all the same.`,
    },
    { kind: 'blanks', labels: ['Where backups are kept'] },
    { kind: 'subheading', text: 'To move it to another machine (for your helper)' },
    {
      kind: 'steps',
      steps: [
        { text: 'Do it at a quiet hour. Only one machine may run at any time.' },
        ...(way.kind === 'container' ? [copies, stops] : [stops, copies]),
        {
          text: `Copy the backup, the settings and ${way.kind === 'container' ? 'the folder of compose.yaml' : 'the program folder'} to the new machine. docs/operations.md in that folder says how it is installed, under “${way.kind === 'container' ? 'Docker' : 'Install on a server'}”.`,
        },
        {
          text: postgres
            ? 'Read the backup into an empty database there (docs/operations.md, “Restore”), and put secret.key, if there is one, into the new data folder.'
            : 'The folder of the backup becomes the data folder there (docs/operations.md, “Restore”).',
        },
        ...(domain === null
          ? []
          : [
              {
                text: `Let the name ${domain} lead to the new machine. This is done where the name is paid for.`,
              },
            ]),
        { text: 'Start it there. The letters are paused at first, on purpose. Go on with the next part.' },
        { text: 'Keep the old machine off, and keep it for some months.' },
      ],
    },
    { kind: 'subheading', text: 'When the letters are paused' },
    ...paused(facts, confirm),
  ];
}

function paused(
  { dependents, pauseEnds, origin, isHereAlone, way, settings }: Facts,
  confirm: string[],
): Block[] {
  const reason = 'problem' in dependents ? null : dependents.clock.paused_reason;
  const now =
    'problem' in dependents
      ? []
      : [
          {
            kind: 'text' as const,
            text:
              reason === null
                ? 'They were not paused when this page was printed. Print it again to see whether they are.'
                : `They were paused when this page was printed. ${pauseWords[reason].what} ${pauseWords[reason].check}`,
          },
        ];
  const waits = pauseEnds
    ? 'There is no hurry: everything is kept meanwhile.'
    : 'Nothing is lost meanwhile, but it does not go on by itself here: somebody has to confirm.';
  return [
    {
      kind: 'text',
      text: `After a move, or after an old backup was brought back, the program cannot know whether its data are the right ones. It then stops sending letters and waits for a person to say so. ${waits}`,
    },
    ...now,
    { kind: 'text', text: 'Confirm only when you can tick all of these:' },
    {
      kind: 'checks',
      items: [
        'The data on this machine are the newest that there are.',
        'No other copy runs anywhere: the old machine is off, and so is every copy of it.',
        ...(isHereAlone ? [] : [`${origin} leads to this machine.`]),
      ],
    },
    {
      kind: 'text',
      text: `Then type this${way.kind === 'npm' && settings.length > 0 ? ', with the settings of section 5' : ''}:`,
    },
    { kind: 'commands', commands: confirm },
    {
      kind: 'text',
      text: `It asks once more. Type yes. Every countdown then begins anew, and for ${switchRules.holdAfterOutage / HOUR} hours nothing is released.`,
    },
  ];
}
