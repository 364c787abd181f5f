// Deliveries as another program's library signs them: the package `standardwebhooks`, which nobody here wrote.
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { RequestOptions } from './instance.ts';

interface Addressed {
  url: string;
  secret: string;
}

/** A payload as a sender has it. */
export const aPayload = (data: object = {}, beside: object = {}) => ({
  type: 'memory.created',
  timestamp: '2026-11-22T10:00:00Z',
  data: { title: 'The harbour at dawn', content: 'We walked to the harbour before anybody was up.', ...data },
  ...beside,
});

export interface Sending {
  payload?: unknown;
  /** What is sent in place of what was signed. */
  altered?: string | Uint8Array;
  id?: string;
  /** When it was signed, epoch milliseconds. */
  at: number;
  secret?: string;
  headers?: Record<string, string>;
  from?: string;
}

/** A signed delivery, as the options of a request. */
export function aDelivery(
  { secret: own }: Pick<Addressed, 'secret'>,
  { payload = aPayload(), altered, id = `msg_${randomUUID()}`, at, secret = own, headers, from }: Sending,
): RequestOptions {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return {
    body: altered ?? body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, new Date(at), body),
      ...headers,
    },
    ...(from ? { from } : {}),
  };
}

export const pathOf = ({ url }: Pick<Addressed, 'url'>) => new URL(url).pathname;
