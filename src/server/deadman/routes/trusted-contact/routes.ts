// The trusted contact, for the author who names them. What the contact presses is among the confirmations.
import type { Hono } from 'hono';
import { normaliseAddress } from '../../../../shared/nouns/scroll-recipients.ts';
import { trustedContact } from '../../../../shared/nouns/trusted-contact.ts';
import type { Deps } from '../../../deps.ts';
import { route } from '../../../http/route.ts';
import { nameContact, readContact, removeContact } from './store.ts';

export function trustedContactRoutes(app: Hono, deps: Deps): void {
  route(app, deps, trustedContact.get, async ({ caller }) => ({
    contact: await readContact(deps.db, caller.accountId),
  }));

  route(app, deps, trustedContact.put, async ({ body, caller }) => ({
    contact: await nameContact(deps, caller.accountId, {
      name: body.name,
      address: normaliseAddress('email', body.address),
      authorName: body.authorName || null,
    }),
  }));

  route(app, deps, trustedContact.remove, ({ caller }) => removeContact(deps, caller.accountId));
}
