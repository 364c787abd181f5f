// The row of each sealed kind, as the lists of the contract answer it. A kind without one does not compile.
import type * as z from 'zod/mini';
import type { KindName } from '../sealed-kinds.ts';
import { answersSchema } from './account.ts';
import { breathSchema } from './final-breath.ts';
import { ghostSchema } from './ghost.ts';
import { guardianKitSchema } from './guardian-kits.ts';
import { importWebhookSchema } from './import-webhooks.ts';
import { scrollSchema } from './legacy.ts';
import { memorySchema } from './memory.ts';
import { mythSchema } from './myth.ts';
import { relationshipSchema } from './relationship.ts';
import { shareableKeySchema } from './sacred-key.ts';

export const sealedRows = {
  memory: memorySchema,
  relationship: relationshipSchema,
  myth: mythSchema,
  onboarding: answersSchema,
  'sacred-key': shareableKeySchema,
  webhook: importWebhookSchema,
  'guardian-kit': guardianKitSchema,
  'legacy-scroll': scrollSchema,
  ghost: ghostSchema,
  breath: breathSchema,
} as const satisfies Record<KindName, z.ZodMiniObject>;

/** The row of each kind, by the kind's name. */
export type RowOf = { [K in KindName]: z.output<(typeof sealedRows)[K]> };
