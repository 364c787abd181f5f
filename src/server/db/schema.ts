// The tables as Kysely sees them, by whose they are as in the migrations (schema/). Times are epoch milliseconds and booleans
// 0 or 1, so that both engines agree.
import type {
  AccountActivityTable,
  AccountsTable,
  AttemptsTable,
  ChallengesTable,
  InvitationsTable,
  MemberNoticeTable,
  PasskeysTable,
  RetiredKeysTable,
  ServerSettingsTable,
  SessionsTable,
  SetupTokensTable,
  VaultKeysTable,
  VaultsTable,
  WhisperAudioTable,
  WrapsTable,
} from './schema/accounts.ts';
import type {
  MessageSlotsTable,
  TransportsTable,
  TrustedContactsTable,
  WarningAddressesTable,
} from './schema/addressees.ts';
import type { PaymentEventsTable, StoriesMadeTable, SubscriptionsTable } from './schema/billing.ts';
import type {
  ForeignPressesTable,
  GuardianKitsTable,
  InstanceClockTable,
  LastActivityTable,
  LegacyScrollsTable,
  OutsideLooksTable,
  RehearsalsTable,
  ScrollRecipientsTable,
  UptimeMarksTable,
} from './schema/deadman.ts';
import type {
  BookEntriesTable,
  ChangesTable,
  FinalBreathsTable,
  GhostEntriesTable,
  GhostWordsTable,
  ImportDeliveriesTable,
  ImportWebhooksTable,
  MemoryEntriesTable,
  MythStoriesTable,
  OnboardingAnswersTable,
  RegenerationsTable,
  RelationshipEntriesTable,
  RevokedWebhooksTable,
  ShareableKeysTable,
  StagedEntriesTable,
} from './schema/entries.ts';
import type { FilePartsTable, FilesTable, FilesToEraseTable, LinkFilesTable } from './schema/files.ts';
import type { JobsTable } from './schema/jobs.ts';
import type { MessagesTable, ToldReleasesTable, WarnedScrollsTable } from './schema/messages.ts';
import type { SisterLettersTable, SisterSharesTable, SisterTokensTable } from './schema/sisters.ts';
import type { HolderListsTable, LinkedWalletsTable, SigningKeysTable } from './schema/token.ts';
import type { QuotaTable, UsageTable } from './schema/usage.ts';

export interface Schema {
  accounts: AccountsTable;
  vaults: VaultsTable;
  onboarding_answers: OnboardingAnswersTable;
  passkeys: PasskeysTable;
  sessions: SessionsTable;
  challenges: ChallengesTable;
  attempts: AttemptsTable;
  vault_keys: VaultKeysTable;
  retired_keys: RetiredKeysTable;
  wraps: WrapsTable;
  memory_entries: MemoryEntriesTable;
  relationship_entries: RelationshipEntriesTable;
  myth_stories: MythStoriesTable;
  files: FilesTable;
  file_parts: FilePartsTable;
  files_to_erase: FilesToEraseTable;
  import_webhooks: ImportWebhooksTable;
  import_deliveries: ImportDeliveriesTable;
  revoked_webhooks: RevokedWebhooksTable;
  ghost_entries: GhostEntriesTable;
  ghost_words: GhostWordsTable;
  shareable_keys: ShareableKeysTable;
  final_breaths: FinalBreathsTable;
  book_entries: BookEntriesTable;
  changes: ChangesTable;
  legacy_scrolls: LegacyScrollsTable;
  link_files: LinkFilesTable;
  scroll_recipients: ScrollRecipientsTable;
  rehearsals: RehearsalsTable;
  guardian_kits: GuardianKitsTable;
  last_activity: LastActivityTable;
  warning_addresses: WarningAddressesTable;
  instance_clock: InstanceClockTable;
  foreign_presses: ForeignPressesTable;
  outside_looks: OutsideLooksTable;
  uptime_marks: UptimeMarksTable;
  messages: MessagesTable;
  trusted_contacts: TrustedContactsTable;
  warned_scrolls: WarnedScrollsTable;
  told_releases: ToldReleasesTable;
  message_slots: MessageSlotsTable;
  sister_letters: SisterLettersTable;
  sister_shares: SisterSharesTable;
  sister_tokens: SisterTokensTable;
  transports: TransportsTable;
  jobs: JobsTable;
  regenerations: RegenerationsTable;
  staged_entries: StagedEntriesTable;
  usage: UsageTable;
  quota: QuotaTable;
  setup_tokens: SetupTokensTable;
  account_activity: AccountActivityTable;
  server_settings: ServerSettingsTable;
  invitations: InvitationsTable;
  holder_lists: HolderListsTable;
  linked_wallets: LinkedWalletsTable;
  signing_keys: SigningKeysTable;
  whisper_audio: WhisperAudioTable;
  member_notice: MemberNoticeTable;
  subscriptions: SubscriptionsTable;
  payment_events: PaymentEventsTable;
  stories_made: StoriesMadeTable;
}
