import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aLetter } from '../../testing/letters.ts';
import { openTelephoneCompany, type TelephoneCompany } from '../../testing/telephone-company.ts';
import { createSmsTransport } from './sms.ts';

const TO = '+447700900123';

describe('text messages', () => {
  let company: TelephoneCompany;
  beforeEach(async () => {
    company = await openTelephoneCompany();
  });
  afterEach(() => company.close());

  const transport = (
    over: { from?: string; authToken?: string; url?: URL; deadline?: () => AbortSignal } = {},
  ) => {
    const { deadline, ...sms } = over;
    return createSmsTransport({
      sms: { ...company, url: new URL(company.url), from: '+447700900000', ...sms },
      ...(deadline ? { deadline } : {}),
    });
  };

  it('say what the letter says, from the number of this server', async () => {
    expect(
      await transport().send(aLetter(TO, { text: 'A scroll & more: https://vault.example/legacy/a+b' })),
    ).toBe('accepted');
    expect(company.received).toEqual([
      { to: TO, from: '+447700900000', body: 'A scroll & more: https://vault.example/legacy/a+b' },
    ]);
  });

  it('come from a messaging service where that is what sends', async () => {
    const service = `MG${'a'.repeat(32)}`;
    expect(await transport({ from: service }).send(aLetter(TO))).toBe('accepted');
    expect(company.received[0]?.from).toBe(service);
  });

  it.each(['07700 900123', 'ann@mail.example', '+44\r\n', ''])('go to no such number as %j', async (to) => {
    expect(await transport().send(aLetter(to))).toEqual({
      refused: 'for-good',
      why: 'This is not a phone number with its country.',
    });
  });

  it.each([
    [400, 21211, 'for-good', 'This is not a phone number (21211).'],
    [400, 21614, 'for-good', 'This number takes no text messages (21614).'],
    [400, 21214, 'for-good', 'This number cannot be reached (21214).'],
    [400, 21635, 'for-good', 'This number takes no text messages (21635).'],
    [400, 21408, 'alone', 'This server’s account at Twilio may not send to this country (21408).'],
    [400, 21612, 'alone', 'This server’s number at Twilio cannot reach this number (21612).'],
    // They speak of this server's own numbers.
    [400, 21401, 'for-now', 'Twilio does not take this message now (21401).'],
    [400, 21407, 'for-now', 'Twilio does not take this message now (21407).'],
    [400, 21421, 'for-now', 'Twilio does not take this message now (21421).'],
    [400, 21610, 'for-good', 'Whoever has this number wants no messages from this server (21610).'],
    [400, 21606, 'for-now', 'Twilio does not take this message now (21606).'],
    [400, 20001, 'for-now', 'Twilio does not take this message now (20001).'],
    [401, 20003, 'for-now', 'Twilio refused this server’s account (401).'],
    [403, 20403, 'for-now', 'Twilio refused this server’s account (403).'],
    [404, 20404, 'for-now', 'Twilio does not take this message now (404).'],
    [429, 20429, 'for-now', 'Twilio does not take this message now (429).'],
    [500, 20500, 'for-now', 'Twilio does not take this message now (500).'],
    // Errors of the number count only where Twilio speaks of the request.
    [503, 21211, 'for-now', 'Twilio does not take this message now (503).'],
    [200, 21211, 'for-now', 'Twilio does not take this message now (200).'],
  ])('are told apart when the answer is %i with %i', async (status, code, refused, why) => {
    company.behave({ status, code });
    expect(await transport().send(aLetter(TO))).toEqual(
      refused === 'alone' ? { refused: 'for-now', alone: true, why } : { refused, why },
    );
  });

  it('end when an answer does not', async () => {
    company.behave('hangs in its answer');
    const patience = new AbortController();
    const sent = transport({ deadline: () => patience.signal }).send(aLetter(TO));
    await company.hanging();
    patience.abort();
    expect(await sent).toMatchObject({ refused: 'for-now' });
  });

  it('say that nobody listens', async () => {
    const url = new URL('http://127.0.0.1:9');
    expect(await transport({ url }).send(aLetter(TO))).toEqual({
      refused: 'for-now',
      why: 'Twilio could not be reached.',
    });
  });

  it('are refused for now with another secret', async () => {
    expect(await transport({ authToken: 'hunter2' }).send(aLetter(TO))).toEqual({
      refused: 'for-now',
      why: 'Twilio refused this server’s account (401).',
    });
  });
});
