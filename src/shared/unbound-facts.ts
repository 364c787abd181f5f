// What a row says in the clear and is not sealed in with its ciphertext, and why. Every field of every row is sealed, bound
// (sealed-kinds.ts) or named here: one that is forgotten does not compile.
import type { RowOf } from './nouns/sealed-rows.ts';
import {
  type BoundName,
  type FieldName,
  type KindName,
  type Kinds,
  type RestorableKind,
  restorableKinds,
  sealedKinds,
} from './sealed-kinds.ts';

const BY_SERVER = 'the server makes it, and nothing is concluded from it';
const CONTEXT = 'it is in the additional data of every seal: with another one nothing opens';
const KEY = 'it says which key to try: another key opens nothing';
const TIME = 'the server’s; what is shown is the time in the seal';
const COUNT = 'the server counts it, and only the server can';

const everyRow = { sealId: CONTEXT, keyFingerprint: KEY, createdAt: TIME } as const;
const editedRow = { ...everyRow, id: BY_SERVER, updatedAt: TIME } as const;

const entries = Object.fromEntries(restorableKinds(sealedKinds).map((kind) => [kind, editedRow]));

export const unboundFacts = {
  ...(entries as Record<RestorableKind, typeof editedRow>),
  onboarding: everyRow,
  'sacred-key': {
    ...everyRow,
    id: BY_SERVER,
    keyId: 'the server makes it: with another one, the link’s own secret opens nothing',
    entryId: BY_SERVER,
    hasBeenUsed: COUNT,
    openedAt: COUNT,
    sealed: BY_SERVER,
  },
  webhook: {
    ...everyRow,
    id: BY_SERVER,
    lastUsedAt: COUNT,
    received: COUNT,
    oldSecretUntil: 'the server acts on it alone, and it is changed without ciphertext',
    lastRefusal: COUNT,
  },
  'guardian-kit': {
    ...everyRow,
    id: BY_SERVER,
    asks: COUNT,
    asked: COUNT,
    stoppedAt: BY_SERVER,
    openedAt: BY_SERVER,
  },
  'legacy-scroll': {
    ...editedRow,
    encryptedContent: 'its words, sealed under the letter’s own key, which is bound',
    recipientType: 'those of the first recipient once more, for other clients; browsers read `recipients`',
    recipientAddress: 'those of the first recipient once more, for other clients; browsers read `recipients`',
    isActive: 'activating and disarming carry no ciphertext, and the server acts on it alone',
    hasTriggered: BY_SERVER,
    lastActivity: COUNT,
    handedOverAt: 'said when it is activated, without ciphertext',
    label: 'chosen when it is activated, without ciphertext, and shown to its author alone',
    activatedAt: 'the server’s, when it was activated, without ciphertext',
    warning: 'chosen when it is activated, without ciphertext',
    remaining: COUNT,
    hold: BY_SERVER,
    warned: BY_SERVER,
    releasedAt: BY_SERVER,
  },
  ghost: { ...everyRow, id: BY_SERVER, currentReads: COUNT },
  breath: { ...everyRow, releasedAt: BY_SERVER },
} as const satisfies {
  [K in KindName]: Record<Exclude<keyof RowOf[K], FieldName<Kinds[K]> | BoundName<Kinds[K]>>, string>;
};
