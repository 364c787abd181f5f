// Account activity: what happened around this account, newest first, in plain sentences.
import { useState } from 'react';
import { ACTIVITY_DAYS, type Activity, type ActivityKind, activity } from '../../../shared/nouns/activity.ts';
import { Listed } from '../../api/listed.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Section } from '../../ui/section.tsx';

/** How many are shown before somebody asks for all. */
const SHOWN_AT_FIRST = 10;

const WAYS: Record<NonNullable<Activity['way']>, string> = {
  passkey: 'a passkey',
  passphrase: 'a passphrase',
  words: 'the twenty-four words',
  oidc: 'a sign-in provider',
};

const by = ({ way }: Activity) => (way ? ` with ${WAYS[way]}` : '');

const FAILED: Record<NonNullable<Activity['way']>, string> = {
  passkey: 'A passkey was refused',
  passphrase: 'A wrong passphrase was tried',
  words: 'Wrong words were tried',
  oidc: 'A sign-in provider refused',
};

const SENTENCES: Record<ActivityKind, (row: Activity) => string> = {
  'account-created': (row) => `Account created${by(row)}`,
  'sign-in': (row) => `Signed in${by(row)}`,
  'new-device': (row) => `Signed in on a new device${by(row)}`,
  'failed-sign-in': ({ way }) => `${way ? FAILED[way] : 'A try failed'} when signing in`,
  'failed-proof': ({ way }) => `${way ? FAILED[way] : 'A try failed'} by somebody who was signed in`,
  'book-went-back': () => 'A browser found that the server shows an older state of the vault',
  'book-other-history': () => 'A browser found that the server shows another history of the vault',
  'book-other-rows': () => 'A browser found entries that are not as they were last written',
  export: () => 'Everything was exported',
  'link-opened': () => 'A one-time link was opened',
  'scroll-opened': () => 'A letter that was sent was opened for the first time',
  'vault-asked-for': () => 'Guardians asked to open this vault',
  'vault-opened-by-guardians': () => 'Guardians were given what opens this vault',
  'key-made': () => 'The vault key was created',
  'key-replaced': () => 'The vault key was replaced',
  'passphrase-set': () => 'Name and passphrase were set',
  'passphrase-removed': () => 'Name and passphrase were removed',
  'passkey-added': () => 'A passkey was added',
  'passkey-removed': () => 'A passkey was removed',
  'way-back-added': ({ way }) =>
    `${way ? WAYS[way].replace(/^a/, 'A') : 'A recovery method'} opens the vault now`,
  'words-kept': () => 'The twenty-four words were confirmed',
  'session-ended': () => 'A session was ended',
  'other-sessions-ended': () => 'All other sessions were ended',
  'texts-permitted': () => 'The administrator permitted text messages',
  'texts-refused': () => 'The administrator took the permission for text messages back',
  'became-admin': () => 'This account became the administrator',
  'account-erased': () => 'An account of this server was erased',
  'sign-up-changed': () => 'Who may create an account was changed',
  'invitation-made': () => 'An invitation was made',
  'invitation-revoked': () => 'An invitation was revoked',
  'invitations-revoked': () => 'All open invitations were revoked',
  'wallet-linked': () => 'A wallet was linked',
  'wallet-unlinked': () => 'The wallet was unlinked',
  'webhook-made': () => 'A webhook was made',
  'webhook-secret-replaced': () => 'A webhook was given another secret',
  'webhook-revoked': () => 'A webhook was revoked',
  'guardian-kit-made': () => 'A guardians’ kit was made',
  'guardian-kit-removed': () => 'A guardians’ kit was removed',
};

const ALARMING = new Set<ActivityKind>(['failed-sign-in', 'failed-proof']);

/** When, where, and how often. */
function detailOf({ at, count, device, kind }: Activity): string {
  const often =
    count > 1 &&
    (ALARMING.has(kind) ? `${count} times within the hour, last on ` : `${count} times, last on `);
  return `${often || 'On '}${formatMoment(at)}${device ? `, ${device}` : ''}`;
}

export function AccountActivity() {
  const list = useAnswer(activity.list, { refetchOnMount: 'always' });
  const [all, setAll] = useState(false);
  const rows = list.data ?? [];
  const shown = all ? rows : rows.slice(0, SHOWN_AT_FIRST);
  return (
    <Section
      title="Account activity"
      says={`What happened around this account in ${ACTIVITY_DAYS} days, without addresses. If something here was not you, end the other sessions, then change what signs you in.`}
    >
      <Listed
        query={list}
        items={list.data}
        loading="Fetching the activity of your account"
        rows={3}
        tellsStale
        empty={<p className="text-dust">Nothing has happened yet.</p>}
      >
        {() => (
          <ul className="border-t border-line" aria-label="Account activity">
            {shown.map((row) => (
              <li
                key={row.id}
                className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line/60 py-4"
              >
                <div className="min-w-0">
                  <p>{SENTENCES[row.kind](row)}</p>
                  <p className="text-note text-shade">{detailOf(row)}</p>
                </div>
                {ALARMING.has(row.kind) && <Badge variant="danger">Failed</Badge>}
                {row.kind === 'new-device' && <Badge variant="locked">New device</Badge>}
              </li>
            ))}
          </ul>
        )}
      </Listed>
      {rows.length > SHOWN_AT_FIRST && !all && (
        <div>
          <Button onClick={() => setAll(true)}>Show all {rows.length}</Button>
        </div>
      )}
    </Section>
  );
}
