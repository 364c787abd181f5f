// How a server is ended without harm to those who rely on it, for somebody who may not know one of them.
import type { Block } from './blocks.ts';
import type { Commands } from './commands.ts';
import type { Facts } from './facts.ts';

export function ending({ way, dependents }: Facts, { stop }: Commands): Block[] {
  const isEmpty =
    !('problem' in dependents) && dependents.vaults === 0 && dependents.waiting + dependents.unopened === 0;
  return [
    {
      kind: 'text',
      text: isEmpty
        ? 'Nobody has a vault here and no letter waits, so it may end at any time. If that has changed since this page was printed:'
        : 'You may end it. Give people time first. They have trusted it with things that exist nowhere else.',
    },
    {
      kind: 'steps',
      steps: [
        {
          text: 'Let nobody new in: set SIGN_UP to closed (section 6).',
        },
        {
          text: 'Tell everybody whom you can find. The program does not know who its people are: most have given no address. Look among the friends and papers of the person who ran it. Say until when it will run.',
        },
        {
          text: 'Tell them what to do: sign in, open “Sacred Settings”, and choose “Export”. It gives them everything that they have written, as a file. Whoever has left a letter here should give it to its recipient in another way.',
        },
        {
          text: 'Wait. Half a year is the least: many look in seldom. Letters may have to wait for years, and this page cannot say for how long. As long as one waits, the kindest end is to let the machine run, or to find somebody who takes it over.',
        },
        {
          text: 'Letters that still wait cannot be saved by you. They are sealed: you cannot read them, print them, or send them on. When the server ends, they are lost.',
        },
        {
          text: 'Make a last backup (section 7) and keep it for some years, with the program folder and the settings. As long as it exists, a server can be made of it again at the same address.',
        },
        way.kind === 'npm'
          ? { text: 'End the program: press Ctrl and C in its window. Keep the name for a year more.' }
          : { text: 'End the program. Keep the name for a year more.', commands: stop },
      ],
    },
  ];
}
