// The page for the heirs of whoever runs a server. It is read on paper by somebody who may never have typed a command, in a
// bad week: short sentences, what to do before why, and nothing that the program does not know for certain.
import { switchRules } from '../../shared/nouns/switch-rules.ts';
import { DAY, HOUR } from '../../shared/time.ts';
import type { Dependents } from '../deadman/heir-store.ts';
import type { Block, Page, Section } from './blocks.ts';
import { type Commands, commandsFor } from './commands.ts';
import { costs } from './costs.ts';
import { ending } from './ending.ts';
import { type Facts, whereOpened } from './facts.ts';
import { running } from './running.ts';

export function heirPage(facts: Facts): Page {
  const commands = commandsFor(facts);
  const sections: Section[] = [
    ['Please do not switch this machine off', beginning(facts)],
    ['The first days', firstDays(facts)],
    ['What depends on it', dependence(facts)],
    ['What happens when it stops', stopping(facts)],
    ...running(facts, commands),
    ['What has to be paid and kept', costs(facts)],
    ['What you must never do', never(facts)],
    ['If you want to look after it for longer', lookingAfter(facts, commands)],
    ['If you decide to end it', ending(facts, commands)],
    ['What the administrator has written', noteOf(facts)],
  ];
  return {
    title: `When I am gone: ${facts.domain ?? facts.origin}`,
    made: `Printed on ${dayOf(facts.at)} by Latebra ${facts.version}. Print it again when something changes, and once a year.`,
    blocks: sections.flatMap(([heading, blocks], i): Block[] => [
      { kind: 'heading', text: `${i + 1}. ${heading}` },
      ...blocks,
    ]),
  };
}

const dayOf = (at: number) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(at);
const minuteOf = (at: number) =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).format(at)} (UTC)`;

const beginning = ({ origin, dependents }: Facts): Block[] => [
  {
    kind: 'text',
    text: `This machine runs a program that is called Latebra, at the address ${origin}. People keep private writing in it. Some leave letters in it, which are to reach somebody when their writer is no longer there.`,
  },
  ...('problem' in dependents || dependents.waiting === 0
    ? []
    : [
        {
          kind: 'text' as const,
          text: `${count(dependents.waiting, 'letter is', 'letters are')} waiting here today. If this machine stops for good, ${dependents.waiting === 1 ? 'it never arrives' : 'they never arrive'}.`,
        },
      ]),
  {
    kind: 'text',
    text: 'If you read this, the person who looked after it has probably died, or cannot do it any more. Nothing has to be decided today. As long as the machine is on, connected to the internet and paid for, the program works by itself.',
  },
  {
    kind: 'text',
    text: 'You do not have to understand computers. Where a line is set apart like the next one, ask somebody who works with computers to sit beside you, and show them this page:',
  },
  { kind: 'commands', commands: ['date'] },
  {
    kind: 'text',
    text: 'Such a line is a command. It is typed into a terminal, a window for typed commands, on this machine and exactly as it is printed here, and then you press Enter. (This one shows the date and changes nothing.) Where a line ends in \\ it goes on in the next one.',
  },
  {
    kind: 'blanks',
    labels: [
      'Where this machine stands, or which company has it',
      'Where its password is kept',
      'Who can help, and their telephone number',
    ],
  },
];

function firstDays(facts: Facts): Block[] {
  const { origin, domain, mail } = facts;
  return [
    {
      kind: 'checks',
      items: [
        'Leave the machine on, and its connection to the internet.',
        'Cancel no contract and close no bank account before you have read section 8: the bills below may be paid from it.',
        ...(domain === null
          ? []
          : [`Find out until when the name ${domain} is paid for, and extend it (section 8).`]),
        `Look whether it runs: open ${origin} ${whereOpened(facts)} (section 6).`,
        'Make a backup, and keep it somewhere else (section 7).',
        ...(mail === null
          ? ['This server sends no mail by itself. Somebody has to pass its letters on (section 10).']
          : [
              `Keep the mailbox ${mail.from}. In the mailbox of the person who died, click on no link of a mail from this server (section 9).`,
            ]),
        'Find somebody who looks after it with you. Give them this page.',
      ],
    },
  ];
}

function dependence({ dependents, at }: Facts): Block[] {
  return [
    ...('problem' in dependents
      ? [{ kind: 'text' as const, text: dependents.problem }]
      : [
          {
            kind: 'list' as const,
            items: numbers(dependents, at),
          },
        ]),
    {
      kind: 'text',
      text: 'A letter is released by itself: when its writer has not been seen here for as long as they chose, or on a day that they chose. Then its recipient is told, and opens it on this server with a card or a passphrase that the writer gave them. They may have had that card for years.',
    },
    {
      kind: 'text',
      text: 'Nobody can read what is stored here: not you, not the person who ran it, not an expert with all the time in the world. It is sealed, and the keys are with those who write and those they write to. What waits can therefore not be delivered in another way: it needs this program, with its data, at this address.',
    },
  ];
}

function numbers({ vaults, waiting, unopened, unsent, clock }: Dependents, at: number): string[] {
  return [
    vaults === 0
      ? 'Nobody has a vault here yet.'
      : `${count(vaults, 'person has a vault', 'people have a vault')} here: their private writing.`,
    waiting === 0
      ? 'No letter is waiting.'
      : `${count(waiting, 'letter is', 'letters are')} waiting to be released.`,
    ...(unopened === 0
      ? []
      : [
          `${count(unopened, 'person has', 'people have')} not opened yet what was released to them. It can be read only as long as this server runs.`,
        ]),
    ...(unsent === 0
      ? []
      : [`${count(unsent, 'message waits', 'messages wait')} to be sent, or could not be sent.`]),
    runs(clock.ticked_at, at),
  ];
}

/** A tick comes each minute. */
function runs(tickedAt: number, at: number): string {
  if (tickedAt === 0) return 'The program has not run with these data yet.';
  return at - tickedAt <= switchRules.standsStillAfter
    ? 'The program was running when this page was printed.'
    : `The program has counted no time since ${minuteOf(tickedAt)}: it does not run, or its address does not lead to it. Section 6 says how to start it.`;
}

function stopping({ pauseEnds }: Facts): Block[] {
  const hours = (time: number) => `${time / HOUR} hours`;
  const days = (time: number) => `${time / DAY} days`;
  const {
    absenceCounts,
    outage,
    holdAfterOutage,
    longOutage,
    holdAfterLongOutage,
    holdAtMost,
    pauseEndsAfter,
    pauseEndsUntoldAfter,
  } = switchRules;
  return [
    {
      kind: 'text',
      text: 'While it is off, nobody reaches what they have written, and no letter is released. If it is off for a time and comes back, nothing is lost: switch it on again, and it goes on by itself. If it never comes back, everything in it is lost, the letters too.',
    },
    {
      kind: 'text',
      text: 'The program knows that people could not reach it while it was off, and releases no letter because of that. These are its rules:',
    },
    {
      kind: 'pairs',
      pairs: [
        [
          hours(absenceCounts),
          `However long it was off, that time counts as a writer’s absence for ${hours(absenceCounts)} at most.`,
        ],
        [
          hours(holdAfterOutage),
          `When it comes back after more than ${hours(outage)}, no letter is released for a writer’s absence for ${hours(holdAfterOutage)}, unless it is overdue by ${days(holdAtMost)}, and writers are warned anew first.`,
        ],
        [
          days(holdAfterLongOutage),
          `When it comes back after more than ${days(longOutage)}, nothing is released for a writer’s absence for ${days(holdAfterLongOutage)}.`,
        ],
        [
          days(pauseEndsAfter),
          pauseEnds
            ? `If it has paused the letters because it doubts its data (section 7), and nobody answers for ${days(pauseEndsAfter)} after a writer was told of it by mail, or for ${days(pauseEndsUntoldAfter)} where no mail reached one, it goes on by itself, if its address leads to it as before.`
            : 'If it has paused the letters because it doubts its data (section 7), it waits until somebody confirms, for as long as that takes: this server was set up so, or has no address of its own by which it would know that it is not a copy.',
        ],
      ],
    },
  ];
}

const never = ({ postgres }: Facts): Block[] => [
  {
    kind: 'list',
    items: [
      `Never let two copies of it run at the same time, on one machine or on two. Both would send the letters.${postgres ? ' (Machines that share one database are no copies.)' : ''}`,
      'Never throw away the data folder, and never delete, move or change a single file in it. The small ones matter as much as the large ones.',
      'Never set the clock of the machine by hand. Letters go by it.',
      'Never put an old backup over newer data. It has forgotten who was here since.',
      'Never give up the name of the address, and never change it. What people use to get in belongs to it, and stops working under another one.',
      'Never click on a link in a mail that this server has sent to somebody who has died, and never open their vault. Both say: I am still here. Their letters then wait for as long again.',
      'Never ask anybody for their words, passphrase or card. You need none of them for anything on this page, and no honest helper does.',
    ],
  },
];

function lookingAfter({ mail, sendsTexts, way }: Facts, { again }: Commands): Block[] {
  const passesOn =
    mail === null
      ? 'This server has no mail service. Whatever is to be sent, also the news that a letter was released, waits at the page /outbox until its administrator passes it on by hand. Without an administrator nobody is told. Become one soon.'
      : `Messages that could not be sent${sendsTexts ? '' : ', and all text messages,'} wait at the page /outbox for the administrator.`;
  return [
    { kind: 'text', text: passesOn },
    {
      kind: 'steps',
      steps: [
        {
          text: 'Open the address, and make a vault of your own there (“Begin the Ritual”). If it lets nobody new in, change the setting SIGN_UP to open for that time (section 6).',
        },
        { text: 'In your vault, “Sacred Settings” shows your account number. Write it down.' },
        {
          text: 'Set ADMIN_SUBJECTS to that number (section 6). If the setting is there already, put your number behind what it has, with a comma between.',
        },
        { text: 'Look at the page /outbox once a week. It says what has to be done.' },
      ],
    },
    {
      kind: 'text',
      text: `This makes you the administrator. It does not let you read anything. ${way.kind === 'container' ? 'The folder of compose.yaml' : 'The program folder'} has more for your helper, in docs/operations.md: how the program is brought up to date, and what to do when something breaks. This page is printed again by:`,
    },
    { kind: 'commands', commands: again },
  ];
}

function noteOf({ note, dataDir }: Facts): Block[] {
  if (note && 'text' in note) return [{ kind: 'note', text: note.text }];
  const text =
    note === null
      ? `Nothing yet. What is written into the file heir.txt in ${dataDir} is printed here. There is room for it here, too:`
      : note.problem;
  return [
    { kind: 'text', text },
    { kind: 'blanks', labels: ['Notes', 'Notes', 'Notes', 'Notes'] },
  ];
}

const count = (n: number, one: string, more: string): string => `${n} ${n === 1 ? one : more}`;
