// The contract: each call of the API once. Server routes, the typed client, the route audit and the canary walk it.
import { account, admin, gate, proof } from '../nouns/account.ts';
import { activity } from '../nouns/activity.ts';
import { administration } from '../nouns/administration.ts';
import { billing } from '../nouns/billing.ts';
import { book } from '../nouns/book.ts';
import { changes } from '../nouns/changes.ts';
import { files } from '../nouns/files.ts';
import { finalBreath } from '../nouns/final-breath.ts';
import { game } from '../nouns/game.ts';
import { ghosts } from '../nouns/ghost.ts';
import { guardianKits } from '../nouns/guardian-kits.ts';
import { holders, linkedWallet } from '../nouns/holders.ts';
import { importWebhooks } from '../nouns/import-webhooks.ts';
import { instance } from '../nouns/instance.ts';
import { instanceKey } from '../nouns/instance-key.ts';
import { invitations } from '../nouns/invitations.ts';
import { jobs } from '../nouns/job.ts';
import { legacyScrolls } from '../nouns/legacy.ts';
import { legacy } from '../nouns/letter-page.ts';
import { deletedMemories, memories } from '../nouns/memory.ts';
import { deletedMyths, myths, stories } from '../nouns/myth.ts';
import { outbox, textPermissions } from '../nouns/outbox.ts';
import { regeneration } from '../nouns/regeneration.ts';
import { rehearsals } from '../nouns/rehearsals.ts';
import { deletedRelationships, relationships } from '../nouns/relationship.ts';
import { shareableKeys, shares } from '../nouns/sacred-key.ts';
import { serverNotices } from '../nouns/server-notices.ts';
import { sessions } from '../nouns/session.ts';
import { signUp } from '../nouns/sign-up.ts';
import { sisters } from '../nouns/sisters.ts';
import { summary } from '../nouns/summary.ts';
import { confirmations, reminders, switchOutlook } from '../nouns/switch.ts';
import { proofOfLife, theSwitch } from '../nouns/switch-state.ts';
import { transcription } from '../nouns/transcription.ts';
import { trustedContact } from '../nouns/trusted-contact.ts';
import { usage } from '../nouns/usage.ts';
import { vault } from '../nouns/vault.ts';
import { vaultKey } from '../nouns/vault-key.ts';
import { secondWarning, warningAddress } from '../nouns/warning-addresses.ts';
import { passkeys, passphrase } from '../nouns/ways-to-sign-in.ts';
import { whisperAudio } from '../nouns/whisper-audio.ts';
import { vaults, whispers } from '../nouns/whispers.ts';
import type { CallShape } from './call.ts';

export const contract = {
  account,
  gate,
  proof,
  sessions,
  passkeys,
  passphrase,
  admin,
  administration,
  activity,
  signUp,
  invitations,
  vaultKey,
  regeneration,
  book,
  changes,
  vault,
  memories,
  relationships,
  myths,
  deletedMemories,
  deletedRelationships,
  deletedMyths,
  files,
  importWebhooks,
  guardianKits,
  sisters,
  stories,
  ghosts,
  shareableKeys,
  shares,
  finalBreath,
  legacyScrolls,
  legacy,
  rehearsals,
  whispers,
  vaults,
  proofOfLife,
  secondWarning,
  warningAddress,
  confirmations,
  reminders,
  theSwitch,
  trustedContact,
  switchOutlook,
  outbox,
  textPermissions,
  holders,
  linkedWallet,
  instanceKey,
  game,
  whisperAudio,
  transcription,
  jobs,
  serverNotices,
  summary,
  usage,
  billing,
  instance,
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
