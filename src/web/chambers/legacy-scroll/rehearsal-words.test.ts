import { describe, expect, test } from 'vitest';
import type { Rehearsal, ScrollRecipient } from '../../../shared/nouns/scroll-recipients.ts';
import { DAY } from '../../../shared/time.ts';
import { isRehearsalDue, rehearsalState, stoppedWords } from './rehearsal-words.ts';

const ASKED = '2030-05-01T12:00:00.000Z';
const AT = '2030-05-03T12:00:00.000Z';
const now = Date.parse(ASKED) + DAY;
const sent = { state: 'sent' as const, at: ASKED, attempts: 1, why: null, nextTryAt: null };

const aRehearsal = (over: Partial<Rehearsal> = {}): Rehearsal => ({
  ...{ askedAt: ASKED, isOver: false, delivery: sent, seenAt: null, keylessAt: null },
  ...{ wrongTries: 0, openedAt: null },
  ...over,
});
const said = (
  over: Partial<Rehearsal> = {},
  to: Partial<
    Pick<ScrollRecipient, 'access' | 'sheetsNeeded' | 'recipientType' | 'rehearsalsStoppedAt'>
  > = {},
  { name = 'Agnes' as string | undefined, at = now } = {},
) => {
  const recipient = {
    recipientType: 'email',
    access: 'card',
    sheetsNeeded: null,
    rehearsalsStoppedAt: null,
    ...to,
  } as const;
  return rehearsalState({ ...recipient, rehearsal: aRehearsal(over) }, name, at);
};

const passphrase = { access: 'passphrase' } as const;
const sheets = { sheetsNeeded: 2 } as const;
const refused = { ...sent, state: 'failed' as const, why: 'The mail server refused this address (550).' };

test('that a recipient wants no more rehearsals is told by name', () => {
  expect(stoppedWords({ rehearsalsStoppedAt: null }, 'Agnes')).toBeNull();
  expect(stoppedWords({ rehearsalsStoppedAt: AT }, 'Agnes')).toMatch(
    /^Agnes asked for no more rehearsals on 3 May 2030\. .* the letter still will be\.$/,
  );
  expect(stoppedWords({ rehearsalsStoppedAt: AT }, undefined)).toMatch(/^They asked for no more/);
});

describe('what became of a rehearsal', () => {
  test.each([
    [
      'nothing sent to who wants no more',
      said({ delivery: null }, { rehearsalsStoppedAt: AT }),
      'waits',
      'Nothing is sent: Agnes must be asked by another way.',
      null,
    ],
    [
      'one sent before they wanted no more',
      said({}, { rehearsalsStoppedAt: AT }),
      'waits',
      'The message to Agnes was handed over for delivery',
      null,
    ],
    ['opened', said({ openedAt: AT }), 'opened', 'Agnes opened it on 3 May 2030.', null],
    [
      'opened after all',
      said({ openedAt: AT, wrongTries: 4, keylessAt: AT }),
      'opened',
      'Agnes opened it',
      null,
    ],
    [
      'a bounce',
      said({ delivery: refused }),
      'failed',
      'The message to Agnes could not be delivered. The mail server refused this address (550)',
      'Correct the address',
    ],
    [
      'a lost card',
      said({ keylessAt: AT, seenAt: AT }),
      'failed',
      'Agnes has said on 3 May 2030 that the key card cannot be found.',
      'Make a new card',
    ],
    [
      'lost sheets',
      said({ keylessAt: AT, seenAt: AT }, sheets),
      'failed',
      'Agnes has said on 3 May 2030 that not enough sheets can be found.',
      'Make new sheets',
    ],
    [
      'older sheets',
      said({ wrongTries: 1, seenAt: AT }, sheets),
      'failed',
      'Sheets that do not open it were tried on the page for Agnes',
      'Make new sheets',
    ],
    [
      'a forgotten passphrase',
      said({ keylessAt: AT }, passphrase),
      'failed',
      'the passphrase is not known',
      'Agree on a new passphrase',
    ],
    [
      'an older card',
      said({ wrongTries: 1, seenAt: AT }),
      'failed',
      'A card that does not open it was tried on the page for Agnes',
      'present card',
    ],
    [
      'three wrong passphrases',
      said({ wrongTries: 3, seenAt: AT }, passphrase),
      'failed',
      'A wrong passphrase was tried 3 times on the page for Agnes, and none that opens it.',
      'Agree on a new passphrase',
    ],
    [
      'one wrong passphrase',
      said({ wrongTries: 1, seenAt: AT }, passphrase),
      'waits',
      'tried a wrong passphrase once',
      'Ask whether they know the passphrase.',
    ],
    [
      'a page that was opened',
      said({ seenAt: AT }),
      'waits',
      'Agnes opened the page on 3 May 2030, but not the rehearsal.',
      'Ask whether they have their card.',
    ],
    [
      'a mail of today',
      said(),
      'waits',
      'The message to Agnes was handed over for delivery on 1 May 2030. Nobody has opened its page yet.',
      null,
    ],
    [
      'a mail that was lost',
      said({}, {}, { at: now + 3 * DAY }),
      'failed',
      'The message to Agnes was handed over for delivery on 1 May 2030, and nobody has opened its page',
      'unwanted mail',
    ],
    ['one that is over', said({ isOver: true }), 'failed', 'It is over.', 'Ask them by another way'],
    [
      'one that waits to be sent',
      said({ delivery: { ...sent, state: 'waiting', at: null } }),
      'waits',
      'The message to Agnes waits to be sent.',
      null,
    ],
    [
      'somebody who looks for themselves',
      said({ delivery: null }, { recipientType: 'card' }),
      'waits',
      'Nothing is sent: Agnes must be asked',
      null,
    ],
    [
      'nobody who looked',
      said({ delivery: null, isOver: true }, { recipientType: 'card' }),
      'failed',
      'Agnes has not opened the page, and it is over.',
      'Ask whether they have their card.',
    ],
  ])('%s is told with its reason and what to do', (_, state, outcome, says, todo) => {
    expect(state.outcome).toBe(outcome);
    expect(state.says).toContain(says);
    if (todo === null) expect(state.todo).toBeNull();
    else expect(state.todo).toContain(todo);
  });

  test('somebody without a name is “they”', () => {
    const nameless = rehearsalState(
      {
        ...{ recipientType: 'email', access: 'card', sheetsNeeded: null, rehearsalsStoppedAt: null },
        rehearsal: aRehearsal({ openedAt: AT }),
      },
      undefined,
      now,
    );
    expect(nameless.says).toBe('They opened it on 3 May 2030.');
  });
});

test('a rehearsal is due a year after the last one, or after the activation', () => {
  const recipients = (askedAt: string | null) =>
    [{ rehearsal: askedAt === null ? null : aRehearsal({ askedAt }) }] as unknown as ScrollRecipient[];
  const due = (activatedAt: string | null, askedAt: string | null, days: number) =>
    isRehearsalDue({ recipients: recipients(askedAt), activatedAt }, Date.parse(ASKED) + days * DAY);
  expect(due(ASKED, null, 364)).toBe(false);
  expect(due(ASKED, null, 366)).toBe(true);
  expect(due(ASKED, '2030-12-01T12:00:00.000Z', 366)).toBe(false);
  expect(due(null, null, 999)).toBe(false);
});
