// Whom an author names to be told before a letter leaves by silence, and who may postpone it once. The server reads all of it.
import * as z from 'zod/mini';
import { AUTHOR_NAME_MAX, authorNameProblem, normaliseAuthorName } from '../author-name.ts';
import { call } from '../http/call.ts';
import { clear } from '../http/field-classes.ts';
import { timestamp } from '../http/wire.ts';
import { addressProblem } from './scroll-recipients.ts';

/** A line that mails carry, as `normaliseAuthorName` has it. */
const line = z.pipe(
  z.string().check(
    z.maxLength(4 * AUTHOR_NAME_MAX, 'This name is too long.'),
    z.superRefine((name, context) => {
      const problem = authorNameProblem(name);
      if (problem) context.addIssue(problem);
    }),
  ),
  z.transform(normaliseAuthorName),
);
const NAME = 'the name of your trusted contact';
const ADDRESS = 'the mail address of your trusted contact';
const OWN = 'the name that mails to your trusted contact give as yours, if you enter one';

export const trustedContactSchema = z.object({
  name: clear(NAME, z.string()),
  address: clear(ADDRESS, z.string()),
  /** Null where none was entered. */
  authorName: z.nullable(clear(OWN, z.string())),
  namedAt: clear('when you named your trusted contact', timestamp),
  /** When they have postponed last, in this silence or in one before. */
  postponedAt: z.nullable(clear('when your trusted contact postponed your letters', timestamp)),
  /** Milliseconds of counted time for which nothing is released by silence because of it; 0 for none. */
  postponedFor: clear('how long your letters are postponed', z.int()),
  /** The last mail that told them of a coming release; null for none. */
  told: z.nullable(
    z.object({
      at: clear('when your trusted contact was written to', timestamp),
      state: clear('what became of a message', z.enum(['waiting', 'sent', 'failed', 'cancelled'])),
      why: z.nullable(clear('why a message did not arrive', z.string())),
    }),
  ),
});
export type TrustedContact = z.output<typeof trustedContactSchema>;

const reply = z.object({ contact: z.nullable(trustedContactSchema) });

/** What an author is told of a contact who wants to be none: as `why` of `told`. */
export const CONTACT_DECLINED =
  'They do not want to be your trusted contact, and are told of nothing any more. Name somebody else.';

export const trustedContact = {
  get: call({ method: 'GET', path: '/api/trusted-contact', access: 'signed-in', reply }),
  /** Names them, or somebody else in their place: then an earlier link counts no more. It is a sign of activity. */
  put: call({
    method: 'PUT',
    path: '/api/trusted-contact',
    access: 'signed-in',
    fresh: true,
    body: z.object({
      name: clear(
        NAME,
        z.pipe(
          line,
          z
            .string()
            .check(z.minLength(1, 'Enter the name of your contact.'), z.maxLength(4 * AUTHOR_NAME_MAX)),
        ),
      ),
      address: clear(
        ADDRESS,
        z.string('This is not an e-mail address.').check(
          z.maxLength(254, { error: 'This address is too long.', abort: true }),
          z.refine((value) => addressProblem('email', value) === null, 'This is not an e-mail address.'),
        ),
      ),
      authorName: z.nullish(clear(OWN, line)),
    }),
    reply,
  }),
  /** What they have postponed ends with it. It is a sign of activity. */
  remove: call({
    method: 'DELETE',
    path: '/api/trusted-contact',
    access: 'signed-in',
    fresh: true,
    status: 204,
  }),
};
