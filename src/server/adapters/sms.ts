// Text messages by Twilio's HTTP API (Messages resource, 2010-04-01), by plain fetch. What it says is never repeated,
// only its error's number.
import { addressProblem } from '../../shared/nouns/scroll-recipients.ts';
import type { Config } from '../config.ts';
import {
  DEADLINE,
  type Deadline,
  type Delivery,
  type Letter,
  type Refusal,
  type Transport,
} from './transport.ts';

export interface SmsOptions {
  sms: NonNullable<Config['sms']>;
  deadline?: Deadline;
}

export function createSmsTransport({ sms, deadline = DEADLINE }: SmsOptions): Transport {
  const base = sms.url.href.replace(/\/$/, '');
  const place = `${base}/2010-04-01/Accounts/${sms.accountSid}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${sms.accountSid}:${sms.authToken}`).toString('base64')}`;
  const sender = /^MG[0-9a-f]{32}$/i.test(sms.from) ? { MessagingServiceSid: sms.from } : { From: sms.from };
  return {
    async send(letter: Letter) {
      if (addressProblem('sms', letter.to) !== null) {
        return { refused: 'for-good', why: 'This is not a phone number with its country.' };
      }
      const signal = deadline();
      try {
        const answer = await fetch(place, {
          method: 'POST',
          headers: { authorization, accept: 'application/json' },
          body: new URLSearchParams({ To: letter.to, ...sender, Body: letter.text }),
          // The secret goes to the place that was configured and to no other.
          redirect: 'manual',
          signal,
        });
        return await deliveryOf(answer);
      } catch {
        return forNow(signal.aborted ? 'Twilio did not answer in time.' : 'Twilio could not be reached.');
      }
    },
  };
}

const forNow = (why: string): Refusal => ({ refused: 'for-now', why });

/** Twilio's errors that lie with the number it is sent to, and stay: https://www.twilio.com/docs/api/errors */
const FOR_GOOD: Record<number, string> = {
  21211: 'This is not a phone number',
  21214: 'This number cannot be reached',
  21217: 'This is not a phone number',
  21610: 'Whoever has this number wants no messages from this server',
  21614: 'This number takes no text messages',
  21635: 'This number takes no text messages',
};
/** Those that speak of this number, and that the administrator can put right. */
const ALONE: Record<number, string> = {
  21408: 'This server’s account at Twilio may not send to this country',
  21612: 'This server’s number at Twilio cannot reach this number',
};

async function deliveryOf(answer: Response): Promise<Delivery> {
  if (answer.status === 201) {
    await answer.body?.cancel();
    return 'accepted';
  }
  const code = answer.status === 400 ? await errorCode(answer) : null;
  if (answer.status !== 400) await answer.body?.cancel();
  const [known, alone] = code === null ? [] : [FOR_GOOD[code], ALONE[code]];
  if (known) return { refused: 'for-good', why: `${known} (${code}).` };
  if (alone) return { refused: 'for-now', alone: true, why: `${alone} (${code}).` };
  if (answer.status === 401 || answer.status === 403) {
    return forNow(`Twilio refused this server’s account (${answer.status}).`);
  }
  return forNow(`Twilio does not take this message now (${code ?? answer.status}).`);
}

/** The number in Twilio's error, or null when it holds none. */
async function errorCode(answer: Response): Promise<number | null> {
  const said = (await answer.json().catch(() => null)) as { code?: unknown } | null;
  return typeof said?.code === 'number' && Number.isSafeInteger(said.code) ? said.code : null;
}
