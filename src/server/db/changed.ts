// What counts as a change of a sealed row: the columns that its list shows, by kind. Each change gets the next number of its
// vault (change-triggers.ts). A test walks the schema, so a new column must be named here.
import {
  type KindName,
  kindNames,
  type RestorableKind,
  restorableKinds,
  sealedKinds,
} from '../../shared/sealed-kinds.ts';
import type { Schema } from './schema.ts';
import { sealedTables } from './sealed-tables.ts';

type TableOf<K extends KindName> = (typeof sealedTables)[K]['table'];
type Column<K extends KindName> = keyof Schema[TableOf<K>] & string;

interface Shown<Name> {
  /** A row whose column of these changes is changed. Those that tell it soonest stand first. */
  shown: readonly Name[];
  /** What no list shows, or what never changes. */
  unshown: readonly Name[];
}

/** Of the lists of entries: what is sealed, and what its author chose beside it. */
const entries = restorableKinds(sealedKinds).map((kind): [RestorableKind, Shown<string>] => {
  const chosen = sealedKinds[kind].bound.map((fact) =>
    fact.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  return [
    kind,
    {
      shown: [
        ...new Set([
          'version',
          'updated_at',
          'deleted_at',
          'key_fingerprint',
          ...chosen,
          ...Object.values(sealedTables[kind].columns),
        ]),
      ],
      unshown: ['id', 'account_id', 'seal_id', 'created_at'],
    },
  ];
});

const otherKinds: { [K in Exclude<KindName, RestorableKind>]: Shown<Column<K>> } = {
  onboarding: {
    shown: ['created_at', 'seal_id', 'key_fingerprint', 'question1', 'question2', 'question3'],
    unshown: ['account_id'],
  },
  'sacred-key': {
    shown: [
      ...(['opened_at', 'door_hash', 'expires_at', 'seal_id', 'key_fingerprint'] as const),
      ...(['encrypted_secret', 'stretching'] as const),
    ],
    // Its words leave by the link alone.
    unshown: [
      ...([
        'id',
        'account_id',
        'key_id',
        'entry_type',
        'entry_id',
        'created_at',
        'encrypted_content',
      ] as const),
      ...(['claim_hash', 'redemption_hash', 'lease_until', 'file_count'] as const),
    ],
  },
  webhook: {
    shown: [
      ...(['received', 'last_used_at', 'refused_at', 'refused_reason', 'old_secret_until'] as const),
      ...(['seal_id', 'key_fingerprint', 'name'] as const),
    ],
    unshown: ['id', 'account_id', 'token_hash', 'secret_salt', 'old_secret_salt', 'created_at'],
  },
  'guardian-kit': {
    shown: [
      ...(['asked_at', 'asked_counted', 'ended_at', 'asks', 'stopped_at', 'opened_at'] as const),
      ...(['seal_id', 'key_fingerprint', 'details'] as const),
    ],
    // What never changes, what the switch notes for itself, and what goes to guardians alone.
    unshown: [
      ...([
        'id',
        'account_id',
        'needed',
        'count',
        'wait_days',
        'address',
        'claim_hash',
        'created_at',
      ] as const),
      ...(['wrap', 'stopped_counted', 'asked_again', 'warning_step', 'warning_accepted'] as const),
      'next_check_at',
    ],
  },
  'legacy-scroll': {
    shown: [
      ...([
        'version',
        'updated_at',
        'state',
        'released_at',
        'armed_at',
        'handed_over_at',
        'warning',
      ] as const),
      ...(['trigger_type', 'trigger_value', 'time_zone', 'label', 'author_name'] as const),
      ...(['seal_id', 'key_fingerprint', 'encrypted_scroll_key', 'title', 'encrypted_content'] as const),
    ],
    // What the switch notes for itself, and when it looks again: the list makes of it how a scroll stands at the moment.
    unshown: [
      ...(['id', 'account_id', 'created_at', 'period', 'due_at', 'watching_since', 'warning_step'] as const),
      ...(['warning_accepted', 'contact_told_at', 'next_check_at', 'releasable_at', 'kept_until'] as const),
      ...(['author_hash', 'texts_permitted', 'rehearsal_sentence', 'rehearse_at'] as const),
    ],
  },
  ghost: {
    shown: ['current_reads', 'max_reads', 'expires_at', 'seal_id', 'key_fingerprint'],
    unshown: ['id', 'account_id', 'created_at'],
  },
  breath: {
    shown: ['created_at', 'released_at', 'seal_id', 'key_fingerprint'],
    // Its words leave it once, by a release.
    unshown: ['account_id', 'encrypted_content', 'redemption_hash', 'lease_until'],
  },
};

/** Recipients are shown with their scroll. They come and go with an edit of it; what becomes of them changes it as well. */
export const shownOfRecipients: Shown<keyof Schema['scroll_recipients'] & string> = {
  shown: [
    ...(['released_at', 'opened_at', 'unopened_since', 'reminders', 'tell', 'access'] as const),
    ...(['public_id', 'recipient_type', 'recipient_address', 'card_number', 'envelope', 'position'] as const),
    'sheets_needed',
    'rehearsals_stopped_at',
  ],
  unshown: [
    ...(['id', 'scroll_id', 'account_id', 'recipient_account_id', 'claim_hash', 'stretching'] as const),
    ...(['wrapped_key', 'encrypted_name', 'released_counted', 'reminders_stopped_at'] as const),
  ],
};

/** A table whose rows are a vault's, of one kind. */
export interface ChangedTable extends Shown<string> {
  kind: KindName;
  table: string;
  /** The column of its number; null where a vault has one row at most, which counts as 0. */
  id: 'id' | null;
}

const shownColumns: Record<string, Shown<string>> = { ...Object.fromEntries(entries), ...otherKinds };

export const changedTables: readonly ChangedTable[] = kindNames(sealedKinds).map((kind) => {
  const { table, id } = sealedTables[kind];
  return { kind, table, id, ...(shownColumns[kind] as Shown<string>) };
});
