// The list of messages: what each is for, to whom, what became of it; and for those that wait, how to pass them on.
import { useEffect, useId, useRef, useState } from 'react';
import type { ReplyOf } from '../../../shared/http/call.ts';
import { inFours } from '../../../shared/in-fours.ts';
import type { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import type { Message, MessageKind } from '../../../shared/nouns/outbox.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Badge, type BadgeVariant } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatMoment, formatRecentDay, formatTime } from '../../ui/moments.ts';
import { Problem } from '../../ui/problem.tsx';
import type { Outbox } from './use-outbox.ts';

const kinds: Record<MessageKind, string> = {
  release: 'Release',
  reminder: 'Reminder',
  warning: 'Warning',
  'after-release': 'Told of a release',
  'contact-warning': 'Told a trusted contact',
  postponed: 'Told that a contact postponed',
  rehearsal: 'Rehearsal',
  'rehearsal-due': 'Told that a rehearsal is due',
  'kit-asked': 'Warning that guardians ask',
  'kit-stopped': 'Told that guardians were stopped',
  'kit-opened': 'Told that guardians opened a vault',
  'kit-made': 'Told that a guardians’ kit was made',
  'kit-removed': 'Told that a guardians’ kit was removed',
  'sister-letter': 'A letter from another server',
  'prove-address': 'Confirmation of an address',
  paused: 'Told that the switch is paused',
  'confirm-switch': 'Asked to confirm the database',
};
const channels: Record<Message['channel'], string> = {
  email: 'by mail',
  sms: 'by text message',
  whisper: 'to a vault of this server',
};
const badges: Record<Message['state'], [BadgeVariant, string]> = {
  waiting: ['locked', 'Waiting'],
  sent: ['open', 'Sent'],
  failed: ['danger', 'Failed'],
  cancelled: ['plain', 'Cancelled'],
};

interface MessageRowsProps {
  messages: readonly Message[];
  outbox: Outbox;
  /** What this server can send by itself; undefined while that is not known. */
  transports: ReplyOf<typeof legacyScrolls.transports> | undefined;
}

export function MessageRows({ messages, outbox, transports }: MessageRowsProps) {
  return (
    <ul className="mt-4 border-t border-line/60">
      {messages.map((message) => (
        <li key={message.id} className="border-b border-line/60">
          <Row
            message={message}
            outbox={outbox}
            carried={message.channel === 'whisper' || transports?.[message.channel] !== false}
          />
        </li>
      ))}
    </ul>
  );
}

const tried = (attempts: number) =>
  attempts === 0 ? 'Not tried yet' : attempts === 1 ? 'Tried once' : `Tried ${attempts} times`;

interface RowProps {
  message: Message;
  outbox: Outbox;
  /** There is a way to send it. */
  carried: boolean;
}

/** Which scrolls a message is about. A warning may name more than a line has room for. */
function scrollsOf({ scrollIds }: Message): string {
  if (scrollIds.length === 0) return '';
  if (scrollIds.length > 5) return `${scrollIds.length} letters`;
  return `${scrollIds.length === 1 ? 'Letter' : 'Letters'} ${scrollIds.join(', ')}`;
}

function Row({ message, outbox, carried }: RowProps) {
  const now = useNow();
  const [unfolded, setUnfolded] = useState(false);
  const { busy, problem, run } = useAttempt();
  const body = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const passing = useRef(false);
  const { kind, channel, state, byHand } = message;
  const [variant, word] = message.withheld ? (['locked', 'Withheld'] as const) : badges[state];
  const pending = state === 'waiting' || state === 'failed';
  const address = channel === 'whisper' ? inFours(message.address) : message.address;
  const about = scrollsOf(message);
  const what = `${kinds[kind].toLowerCase()} to ${address}${about && `, ${about.toLowerCase()}`}`;

  useEffect(() => {
    // What was pressed is gone with the word that it was passed on.
    if (pending || !passing.current) return;
    passing.current = false;
    heading.current?.focus();
  }, [pending]);

  const retry = () =>
    run(async () => {
      await outbox.retry(message);
    });

  return (
    <div className="grid gap-x-8 gap-y-3 py-5 md:grid-cols-[9rem_minmax(0,1fr)_auto] md:items-baseline">
      <span className="text-note text-shade">
        {formatRecentDay(message.createdAt, now)}, {formatTime(message.createdAt)}
      </span>
      <div className="grid min-w-0 gap-1.5">
        <h3 ref={heading} tabIndex={-1} className="font-display text-name font-medium wrap-anywhere">
          {kinds[kind]} <span className="text-dust">to</span> {address}
        </h3>
        <p className="flex flex-wrap items-baseline gap-x-6 gap-y-1 text-note text-shade">
          <Badge variant={variant}>{byHand ? 'Passed on' : word}</Badge>
          <span>{byHand ? 'by hand' : channels[channel]}</span>
          {about && <span>{about}</span>}
          {message.sentAt && <span>{formatMoment(message.sentAt)}</span>}
          {pending && <span>{tried(message.attempts)}</span>}
        </p>
        {message.why && (
          <p className="text-note text-dust wrap-anywhere">
            {message.why}
            {message.nextTryAt && ` Next try ${formatMoment(message.nextTryAt)}.`}
          </p>
        )}
        <Problem>{problem}</Problem>
      </div>
      {pending && (
        <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
          {carried && !message.withheld && (
            <Button tone="caps" onClick={() => void retry()} busy={busy} busyLabel="Trying">
              Try again<span className="sr-only">: {what}</span>
            </Button>
          )}
          {message.body !== null && (
            <Button
              tone="caps"
              aria-expanded={unfolded}
              aria-controls={unfolded ? body : undefined}
              onClick={() => setUnfolded(!unfolded)}
            >
              Pass it on by hand<span className="sr-only">: {what}</span>
            </Button>
          )}
        </div>
      )}
      {pending && unfolded && message.body !== null && (
        <div id={body} className="md:col-span-2 md:col-start-2">
          <ByHand
            message={message}
            address={address}
            text={message.body}
            onPassedOn={async () => {
              passing.current = true;
              await outbox.passedOn(message);
            }}
          />
        </div>
      )}
    </div>
  );
}

interface ByHandProps {
  message: Message;
  address: string;
  text: string;
  onPassedOn: () => Promise<void>;
}

/** What the message says, for the administrator to carry; and their word that they have. */
function ByHand({ message, address, text, onPassedOn }: ByHandProps) {
  const [asking, setAsking] = useState(false);
  const { busy, problem, run, forget } = useAttempt();

  return (
    <div className="grid gap-5 border border-line bg-ink-1 px-5 py-6 sm:px-8">
      <p className="font-machine text-small whitespace-pre-wrap normal-nums wrap-anywhere">{text}</p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-line pt-5">
        <CopyButton value={text}>Copy the message</CopyButton>
        <Button
          size="small"
          onClick={() => {
            forget();
            setAsking(true);
          }}
        >
          I have passed it on
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        onConfirm={() => void run(onPassedOn)}
        title="Has it arrived?"
        description={`Say so only when ${address} has this message. The server then stops trying and counts it as delivered.${message.kind === 'warning' ? ' A warning that was passed on by hand never brings a release nearer: only a mail server’s acceptance does.' : ''}`}
        confirmLabel="I have passed it on"
        tone="primary"
        busy={busy}
        error={problem}
      />
    </div>
  );
}
