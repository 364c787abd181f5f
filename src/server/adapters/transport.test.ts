// What every transport owes the server, compared with the real ones before real servers, and against the one that other
// tests are given.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aLetter } from '../../testing/letters.ts';
import { openPostOffice } from '../../testing/post-office.ts';
import { openTelephoneCompany } from '../../testing/telephone-company.ts';
import { collectingTransport, type TransportMood } from '../../testing/transports.ts';
import { readConfig } from '../config.ts';
import { createMailTransport } from './mail.ts';
import { createSmsTransport } from './sms.ts';
import type { Deadline, Transport } from './transport.ts';
import { createTransports } from './transports.ts';

interface Bench {
  transport: Transport;
  address: string;
  behave(mood: Exclude<TransportMood, 'throws'> | 'drops'): void;
  /** The texts of what was accepted. */
  arrived(): string[];
  hanging(): Promise<void>;
  close(): Promise<void>;
}

const HOUSE = new URL('https://vault.example');

const benches: Record<string, (deadline: Deadline) => Promise<Bench>> = {
  mail: async (deadline) => {
    const office = await openPostOffice();
    const mail = { url: new URL(office.url), from: { name: '', address: 'vault@vault.example' } };
    return {
      transport: createMailTransport({ mail, instance: HOUSE, deadline }),
      address: 'ann@mail.example',
      behave: (mood) =>
        office.behave(
          mood === 'hangs' ? 'hangs after the message' : mood === 'drops' ? 'drops after the message' : mood,
        ),
      arrived: () => office.received.map(({ mail }) => mail.text?.trim() ?? ''),
      hanging: office.hanging,
      close: office.close,
    };
  },
  'text messages': async (deadline) => {
    const company = await openTelephoneCompany();
    const sms = { ...company, url: new URL(company.url), from: '+447700900000' };
    return {
      transport: createSmsTransport({ sms, deadline }),
      address: '+447700900123',
      behave: (mood) =>
        company.behave(
          mood === 'refuses for good'
            ? { status: 400, code: 21610 }
            : mood === 'refuses for now'
              ? { status: 429 }
              : mood,
        ),
      arrived: () => company.received.map(({ body }) => body.trim()),
      hanging: company.hanging,
      close: company.close,
    };
  },
  'the collecting transport': async (deadline) => {
    const transport = collectingTransport();
    return {
      transport,
      address: 'ann@mail.example',
      behave: (mood) => {
        transport.behave(mood === 'drops' ? 'refuses for now' : mood);
        deadline().addEventListener('abort', () =>
          transport.comeBack({ refused: 'for-now', why: 'The mail server did not answer in time.' }),
        );
      },
      arrived: () => transport.accepted.map(({ text }) => text.trim()),
      hanging: async () => {},
      close: async () => {},
    };
  },
};

describe.each(Object.entries(benches))('%s', (_name, open) => {
  let bench: Bench;
  let patience: AbortController;
  beforeEach(async () => {
    patience = new AbortController();
    bench = await open(() => patience.signal);
  });
  afterEach(() => bench.close());

  const send = (text = 'What it says') => bench.transport.send(aLetter(bench.address, { text }));

  it('hands a letter over', async () => {
    expect(await send('First')).toBe('accepted');
    expect(await send('Second')).toBe('accepted');
    expect(bench.arrived()).toEqual(['First', 'Second']);
  });

  it.each(['refuses for good', 'refuses for now'] as const)(
    'tells what %s from anything else',
    async (mood) => {
      bench.behave(mood);
      const delivery = await send();
      expect(delivery).toMatchObject({ refused: mood.slice('refuses '.length).replace(' ', '-') });
      expect(delivery).toMatchObject({ why: expect.stringMatching(/^[A-Z][^:]*\(\d{3,5}\)\.$/) });
      expect(bench.arrived()).toEqual([]);
    },
  );

  it('gives up on what hangs, for now', async () => {
    bench.behave('hangs');
    const sent = send();
    await bench.hanging();
    patience.abort();
    expect(await sent).toMatchObject({ refused: 'for-now', why: expect.stringMatching(/ in time\.$/) });
    expect(bench.arrived()).toEqual([]);
  });

  it('takes a broken connection for now', async () => {
    bench.behave('drops');
    expect(await send()).toMatchObject({ refused: 'for-now' });
    bench.behave('accepts');
    expect(await send()).toBe('accepted');
  });

  it('repeats nothing that a server said, and nothing of the letter', async () => {
    for (const mood of ['refuses for good', 'refuses for now'] as const) {
      bench.behave(mood);
      expect(JSON.stringify(await send('A word of the letter'))).not.toMatch(
        /nobody repeats|word of the|ann/,
      );
    }
  });
});

describe('the transports of a server', () => {
  it('are none unless it was given some', () => {
    expect(createTransports(readConfig({}))).toEqual({ email: null, sms: null });
  });

  it('carry what it was given', async () => {
    const [office, company] = await Promise.all([openPostOffice(), openTelephoneCompany()]);
    const { email, sms } = createTransports(
      readConfig({
        PUBLIC_URL: 'https://vault.example',
        SMTP_URL: office.url,
        MAIL_FROM: 'Latebra <vault@vault.example>',
        TWILIO_URL: company.url,
        TWILIO_ACCOUNT_SID: company.accountSid,
        TWILIO_AUTH_TOKEN: company.authToken,
        TWILIO_FROM: '+447700900000',
      }),
    );
    expect(await email?.send(aLetter('ann@mail.example'))).toBe('accepted');
    expect(await sms?.send(aLetter('+447700900123'))).toBe('accepted');
    expect([office.received.length, company.received.length]).toEqual([1, 1]);
    await Promise.all([office.close(), company.close()]);
  });
});
