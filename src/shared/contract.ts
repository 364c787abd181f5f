// The contract: each call of the API once. Server routes, the typed client, the route audit and the canary walk it.
import { account, admin, gate, house, passkeys, passphrase, proof, sessions } from './account.ts';
import { activity } from './activity.ts';
import type { CallShape } from './call.ts';
import { memories } from './entry.ts';
import { finalBreath } from './final-breath.ts';
import { ghosts } from './ghost.ts';
import { jobs } from './jobs.ts';
import { legacy, legacyScrolls, vaults, whispers } from './legacy.ts';
import { regeneration } from './regeneration.ts';
import { relationships } from './relationship.ts';
import { shareableKeys, shares } from './sacred-key.ts';
import { serverNotices } from './server-notices.ts';
import { invitations, signUp } from './sign-up.ts';
import { summary } from './summary.ts';
import { outbox, presses, proofOfLife, textPermissions, theSwitch, warningAddress } from './switch.ts';
import { usage } from './usage.ts';
import { vault } from './vault.ts';
import { vaultKey } from './vault-key.ts';

export const contract = {
  account,
  gate,
  proof,
  sessions,
  passkeys,
  passphrase,
  admin,
  activity,
  signUp,
  invitations,
  vaultKey,
  regeneration,
  vault,
  memories,
  relationships,
  ghosts,
  shareableKeys,
  shares,
  finalBreath,
  legacyScrolls,
  legacy,
  whispers,
  vaults,
  proofOfLife,
  warningAddress,
  presses,
  theSwitch,
  outbox,
  textPermissions,
  jobs,
  serverNotices,
  summary,
  usage,
  house,
};

/** Every row of the contract with its dotted name, for what must walk all of it. */
export function contractRows(): { name: string; row: CallShape }[] {
  return Object.entries(contract).flatMap(([noun, calls]) =>
    Object.entries(calls as Record<string, CallShape>).map(([verb, row]) => ({
      name: `${noun}.${verb}`,
      row,
    })),
  );
}
