// Guardians' kits: their author's calls, and the one that guardians make together.
import type { Hono } from 'hono';
import { guardianKits } from '../../../../shared/nouns/guardian-kits.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { idParam, route } from '../../../http/route.ts';
import { askForVault } from './ask-store.ts';
import { insertKit, listKits, removeKit } from './store.ts';

export function guardianKitRoutes(app: Hono, deps: Deps): void {
  route(app, deps, guardianKits.list, ({ caller }) => listKits(deps, caller.accountId));

  route(app, deps, guardianKits.create, async ({ body, caller, deps }) => {
    const made = await insertKit(deps, caller, body);
    if (typeof made === 'string') throw new AppError(made);
    return made;
  });

  route(app, deps, guardianKits.remove, async ({ params, caller, deps }) => {
    if (!(await removeKit(deps, caller, idParam(params.id)))) throw new AppError('not-found');
  });

  route(app, deps, guardianKits.ask, async ({ body: { address, claim, again = false } }) => {
    const answer = await askForVault(deps, { address, claim, again });
    if (typeof answer === 'string') throw new AppError(answer);
    return answer;
  });
}
