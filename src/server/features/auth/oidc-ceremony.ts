// What a browser carries to a sign-in provider and back: one cookie, which only this server can make and none can change.
// Beginning writes nothing down and counts nothing, so nobody can use it up for anybody else.

import { timingSafeEqual } from 'node:crypto';
import { MINUTE } from '../../../shared/time.ts';
import type { Deps } from '../../deps.ts';
import type { Brought } from './sign-up-store.ts';

/** How long somebody may take at the provider, in milliseconds. */
export const LASTS = 5 * MINUTE;

export interface Ceremony {
  /** What the provider sends back with its answer; 32 random bytes. */
  state: string;
  returnTo: string;
  begunAt: number;
  /** The session that is to be proved; absent for a sign-in. */
  proves?: string;
  /** What a new account may be created by. */
  brought?: Brought | null;
}

export function ceremonies({ digests, now }: Pick<Deps, 'digests' | 'now'>) {
  const bytes = (purpose: string, value: string) => Buffer.from(digests.keyed(purpose, value), 'hex');
  const text = (purpose: string, value: string) => bytes(purpose, value).toString('base64url');

  return {
    /** The cookie's value. */
    seal(ceremony: Ceremony): string {
      const body = Buffer.from(JSON.stringify(ceremony)).toString('base64url');
      return `${body}.${text('oidc-ceremony', body)}`;
    },

    /** The ceremony that an answer belongs to; null for none, another one, or one that took too long. */
    open(cookie: string | undefined, state: string | undefined): Ceremony | null {
      const [body = '', tag = ''] = (cookie ?? '').split('.');
      const given = Buffer.from(tag, 'base64url');
      const wanted = bytes('oidc-ceremony', body);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
      const ceremony = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Ceremony;
      return ceremony.state === state && now() < ceremony.begunAt + LASTS ? ceremony : null;
    },

    /** What only this server and, once it is spent, the provider know: neither is in the cookie. */
    secretsOf({ state }: Ceremony): { codeVerifier: string; nonce: string } {
      return { codeVerifier: text('oidc-verifier', state), nonce: text('oidc-nonce', state) };
    },
  };
}
