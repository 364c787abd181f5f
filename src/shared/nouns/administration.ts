// What an administrator does for the server and its people: the accounts, a mail that shows whether mail works, and a notice
// that everybody reads.
import * as z from 'zod/mini';
import { call } from '../http/call.ts';
import { clear, message } from '../http/field-classes.ts';
import { entryId, pageQuery, timestamp } from '../http/wire.ts';

/** What has to be typed before an account is erased. */
export const ERASE_WORD = 'ERASE';

export const keptAccountSchema = z.object({
  id: entryId,
  accountId: clear('a random account number', z.string().check(z.maxLength(64))),
  /** The sign-in name, or what a sign-in provider told; null where there is neither. */
  name: z.nullable(clear('what an account is called', z.string())),
  isAdmin: clear('whether you are an administrator', z.boolean()),
  bytes: clear('how many bytes you store', z.int()),
  createdAt: clear('when an account was created', timestamp),
  /** Null for somebody who has not been there since the account was created. */
  lastSeen: z.nullable(clear('when you were last active', timestamp)),
});
export type KeptAccount = z.output<typeof keptAccountSchema>;

/** What a mail server has said to one mail. `why` is a sentence, and repeats nothing of it but a number. */
export const testMailSchema = z.object({
  outcome: message('what became of a test mail', z.enum(['accepted', 'refused', 'no-mail'])),
  why: z.nullable(message('why a test mail was refused', z.string())),
});
export type TestMailResult = z.output<typeof testMailSchema>;

export const NOTICE_MAX = 600;
/** What an administrator tells everybody here, such as that a backup was restored, and from when. */
export const memberNoticeSchema = z.object({
  says: message('what the administrator tells everybody', z.string()),
  since: message('since when the administrator tells it', timestamp),
});
export type MemberNotice = z.output<typeof memberNoticeSchema>;

export const administration = {
  /** Every account, the newest first. */
  accounts: call({
    method: 'GET',
    path: '/api/admin/accounts',
    access: 'admin',
    query: pageQuery,
    reply: z.array(keptAccountSchema),
  }),
  /**
   * Erases an account and its vault, as its owner could (`vault.destroy`). 409 `is-administrator` for one that looks after
   * the server, the caller's own included: its owner destroys it.
   */
  erase: call({
    method: 'POST',
    path: '/api/admin/accounts/{accountId}/erase',
    access: 'admin',
    fresh: true,
    status: 204,
    body: z.object({
      /** What becomes of scrolls that watch, or were released. Nobody chooses it but whoever erases. */
      scrolls: clear(
        'what becomes of your letters when an administrator erases your account',
        z.enum(['disarm', 'release']),
      ),
      confirm: clear('the word that erases an account', z.literal(ERASE_WORD, `Type ${ERASE_WORD}.`)),
    }),
  }),
  /** Sends one mail now, past the outbox, and answers what the mail server said. Ten an hour. */
  testMail: call({
    method: 'POST',
    path: '/api/admin/test-mail',
    access: 'admin',
    fresh: true,
    body: z.object({
      to: clear('where a test mail goes', z.string().check(z.trim(), z.minLength(1), z.maxLength(320))),
    }),
    reply: testMailSchema,
  }),
  /** What stands on everybody's first page; null for nothing. */
  notice: call({
    method: 'GET',
    path: '/api/notice',
    access: 'signed-in',
    beside: true,
    reply: z.nullable(memberNoticeSchema),
  }),
  /** Puts a notice in the place of the one before; an empty one takes it back. */
  putNotice: call({
    method: 'PUT',
    path: '/api/admin/notice',
    access: 'admin',
    fresh: true,
    body: z.object({
      says: clear(
        'what the administrator tells everybody',
        z.string().check(z.trim(), z.maxLength(NOTICE_MAX)),
      ),
    }),
    reply: z.nullable(memberNoticeSchema),
  }),
};
