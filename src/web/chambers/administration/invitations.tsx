// One-time invitations: made, handed over, revoked. A link is shown once, also as a QR code; the server keeps a hash of its
// secret, and the name that the administrator gave the invitation.
import { useState } from 'react';
import {
  INVITATION_DAYS,
  INVITATIONS_OPEN_MAX,
  INVITED_MAX,
  type Invitation,
  invitations,
} from '../../../shared/nouns/invitations.ts';
import { ApiError, sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { Badge, type BadgeVariant } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/choice-fields.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatDay, formatMoment } from '../../ui/moments.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { isThisComputer } from '../../ui/this-computer.ts';
import { toast } from '../../ui/toaster.tsx';
import { RevokeInvitations } from './revoke-invitations.tsx';

const DAYS = [1, INVITATION_DAYS, 30, 90];
const choices = DAYS.map((days) => ({ value: String(days), label: days === 1 ? '1 day' : `${days} days` }));

const STATES: Record<Invitation['state'], [BadgeVariant, string]> = {
  unused: ['open', 'Unused'],
  used: ['unlocked', 'Used'],
  revoked: ['plain', 'Revoked'],
  expired: ['plain', 'Expired'],
};

/** What an invitation is called in the list. */
const calledBy = ({ invited, createdAt }: Pick<Invitation, 'invited' | 'createdAt'>) =>
  invited === '' ? `Made on ${formatMoment(createdAt)}` : `For ${invited}`;

const linkOf = (secret: string) => `${window.location.origin}/enter?invited#invitation=${secret}`;

/** @param counts whether new accounts take an invitation just now */
export function Invitations({ counts }: { counts: boolean }) {
  const { send } = useApi();
  const list = useAnswer(invitations.list, { refetchOnMount: 'always' });
  const [invited, setInvited] = useState('');
  const [days, setDays] = useState(String(INVITATION_DAYS));
  const [busy, setBusy] = useState<number | 'new' | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  const open = list.data?.filter(({ state }) => state === 'unused').length ?? 0;

  async function attempt(what: number | 'new', work: () => Promise<void>) {
    setBusy(what);
    try {
      await work();
      await list.refetch();
    } catch (error) {
      if (error instanceof ApiError && [404, 409].includes(error.status)) await list.refetch();
      toast({ title: 'That did not work', description: sentenceOf(error), tone: 'destructive' });
    } finally {
      setBusy(null);
    }
  }

  const make = () =>
    attempt('new', async () => {
      const { secret, ...made } = await send(invitations.create, {
        body: { days: Number(days), invited: invited.trim() },
      });
      setMade({ link: linkOf(secret), ...made });
      setInvited('');
    });

  const revoke = (id: number) =>
    attempt(id, async () => {
      await send(invitations.revoke, { params: { id: String(id) } });
      toast({ title: 'Invitation revoked', description: 'Its link creates no account any more.' });
    });

  return (
    <div className="grid gap-6">
      <h3 className="label text-dust">Invitations</h3>
      {!counts && (
        <p className="text-note text-dust">They count only while a new account needs an invitation.</p>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Whom it is for"
          optional
          hint="Only you see it, in the list below."
          maxLength={INVITED_MAX}
          autoComplete="off"
          value={invited}
          onChange={(event) => setInvited(event.target.value)}
        />
        <SelectField
          label="Expires after"
          choices={choices}
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
      </div>
      <div>
        <Button busy={busy === 'new'} disabled={busy !== null} onClick={() => void make()}>
          Make an invitation
        </Button>
      </div>
      {list.isPending && <LoadingRows rows={2} label="Fetching the invitations" />}
      {list.isError && <ErrorState onRetry={() => void list.refetch()}>{sentenceOf(list.error)}</ErrorState>}
      {list.data?.length === 0 && <p className="text-dust">No invitation was made yet.</p>}
      <OpenInvitations {...{ open, busy }} onRevoked={() => list.refetch()} />
      {list.data && list.data.length > 0 && (
        <ul className="border-t border-line" aria-label="Invitations">
          {list.data.map((invitation) => (
            <OneInvitation
              key={invitation.id}
              {...{ invitation, busy }}
              onRevoke={() => void revoke(invitation.id)}
            />
          ))}
        </ul>
      )}
      {made && <MadeDialog {...made} onClose={() => setMade(null)} />}
    </div>
  );
}

interface OpenProps extends Pick<OneProps, 'busy'> {
  /** How many there are. */
  open: number;
  onRevoked: () => Promise<unknown>;
}

/** How many are open, and how all of them are revoked. */
function OpenInvitations({ open, busy, onRevoked }: OpenProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      {open > 1 && (
        <p className="flex items-center justify-between gap-x-6">
          <span className="text-note text-dust">
            {open >= INVITATIONS_OPEN_MAX
              ? `${open} are open, and there can be no more until some are used, revoked or expired.`
              : `${open} are open.`}
          </span>
          <Button size="small" className="shrink-0" disabled={busy !== null} onClick={() => setAsking(true)}>
            Revoke all<span className="sr-only"> open invitations</span>
          </Button>
        </p>
      )}
      {asking && <RevokeInvitations open={open} onRevoked={onRevoked} onClose={() => setAsking(false)} />}
    </>
  );
}

interface OneProps {
  invitation: Invitation;
  /** What is under way: the making of one, or the revoking of another. */
  busy: number | 'new' | null;
  onRevoke: () => void;
}

function OneInvitation({ invitation, busy, onRevoke }: OneProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line/60 py-4">
      <div className="min-w-0">
        <p className="wrap-anywhere" dir="auto">
          {calledBy(invitation)}
        </p>
        <p className="text-note text-shade">{fateOf(invitation)}</p>
      </div>
      <div className="flex items-center gap-4">
        <Badge variant={STATES[invitation.state][0]}>{STATES[invitation.state][1]}</Badge>
        {invitation.state === 'unused' && (
          <Button
            size="small"
            busy={busy === invitation.id}
            disabled={busy !== null}
            aria-label={`Revoke the invitation: ${calledBy(invitation)}`}
            onClick={onRevoke}
          >
            Revoke
          </Button>
        )}
      </div>
    </li>
  );
}

function fateOf({ state, endedAt, expiresAt }: Invitation): string {
  if (state === 'used' && endedAt) return `An account was created by it on ${formatMoment(endedAt)}`;
  if (state === 'revoked' && endedAt) return `Revoked on ${formatMoment(endedAt)}`;
  return state === 'expired' ? `Expired on ${formatDay(expiresAt)}` : `Expires on ${formatMoment(expiresAt)}`;
}

interface Made extends Pick<Invitation, 'invited' | 'createdAt' | 'expiresAt'> {
  link: string;
}

function MadeDialog({ link, invited, expiresAt, onClose }: Made & { onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={invited === '' ? 'An invitation' : `An invitation for ${invited}`}
      description={`It creates one account, until ${formatMoment(expiresAt)}. Hand it over now: it is not shown again.`}
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <CopyButton size="regular" tone="primary" value={link}>
            Copy link
          </CopyButton>
        </>
      }
    >
      {isThisComputer(window.location.hostname) && (
        <p role="alert" className="border border-blood/55 p-4 text-blood">
          This link leads to {window.location.host}, and so every other device to itself. Open this server at
          the address that others can reach, and make the invitation there.
        </p>
      )}
      <TextField label="Link" readOnly value={link} onFocus={(event) => event.target.select()} />
      <div className="grid justify-items-center gap-3">
        <QrCode text={link} label="The invitation as a QR code" />
        <p className="text-center text-note text-dust">Somebody beside you points a phone’s camera at it.</p>
      </div>
    </Dialog>
  );
}
