// Live imports: the addresses to which other programs post, and plain words about who can read what.
import { useState } from 'react';
import { type DeliveryRefusal, WEBHOOKS_MAX } from '../../../shared/nouns/import-webhooks.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import {
  type OpenedWebhook,
  type WebhookAccess,
  webhookList,
  webhookWriter,
} from '../../../vault/outbox/webhook-writer.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { formatDay, formatMoment } from '../../ui/moments.ts';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { toast } from '../../ui/toaster.tsx';
import { NothingHere } from '../../vault/book/vault-list.tsx';
import { useRows } from '../../vault/session/use-rows.ts';
import { useVault } from '../../vault/session/vault-context.ts';
import { WebhookAccessDialog } from './webhook-access.tsx';
import { NewWebhookDialog, RevokeDialog, RotateDialog } from './webhook-dialogs.tsx';

/** What a program needs to deliver, as it is shown once. */
type Access = { access: WebhookAccess; oldStays?: boolean };

type Asking = 'new' | { rotate: OpenedWebhook } | { revoke: OpenedWebhook };

export function WebhooksSection() {
  const vault = useVault();
  const writer = webhookWriter(vault);
  // What has arrived since it was last seen is what it is looked at for.
  const list = useRows(webhookList, { refetchOnMount: 'always' });
  const [asking, setAsking] = useState<Asking | null>(null);
  const [shown, setShown] = useState<Access | null>(null);
  const full = (list.data?.length ?? 0) >= WEBHOOKS_MAX;

  return (
    <section aria-labelledby="import-webhooks" className="border-t border-line py-10">
      <div className="mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <Lead />
        {list.data && list.data.length > 0 && (
          <Button className="max-sm:w-full" onClick={() => setAsking('new')} disabled={full}>
            New webhook
          </Button>
        )}
      </div>
      <div className="grid gap-8">
        {list.isPending && <LoadingRows rows={2} label="Fetching the webhooks" />}
        {list.isError && (
          <ErrorState onRetry={() => void list.refetch()} retrying={list.isFetching}>
            {sentenceOf(list.error)}
          </ErrorState>
        )}
        {list.data?.length === 0 && (
          <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 border border-line bg-ink-1 px-6 py-7 sm:px-8">
            <NothingHere>
              <p className="text-dust">There is no webhook yet. Nothing can arrive from outside.</p>
            </NothingHere>
            <Button className="max-sm:w-full" onClick={() => setAsking('new')}>
              New webhook
            </Button>
          </div>
        )}
        {list.data && list.data.length > 0 && (
          <ul className="border-t border-line" aria-label="Webhooks">
            {list.data.map((webhook) => (
              <Row
                key={webhook.id}
                webhook={webhook}
                onRotate={() => setAsking({ rotate: webhook })}
                onRevoke={() => setAsking({ revoke: webhook })}
              />
            ))}
          </ul>
        )}
        {full && (
          <p className="text-note text-dust">
            These are {WEBHOOKS_MAX}, and there can be no more. Revoke one to make another.
          </p>
        )}
        <WhoReads />
      </div>
      {asking && (
        <Asked asking={asking} writer={writer} onAccess={setShown} onClose={() => setAsking(null)} />
      )}
      {shown && (
        <WebhookAccessDialog
          {...shown}
          onClose={() => {
            setShown(null);
            // A first delivery may have been tried meanwhile.
            void vault.lists.refresh(webhookList);
          }}
        />
      )}
    </section>
  );
}

const Lead = () => (
  <div className="max-w-prose">
    <h2 id="import-webhooks" className="font-display text-heading">
      Live imports
    </h2>
    <p className="mt-2 text-note text-dust">
      Another program posts to an address of yours, and what it sends becomes a memory: a journal on your
      phone, a mail rule, a script. Deliveries are signed by{' '}
      <span className="whitespace-nowrap">Standard Webhooks.</span>
    </p>
  </div>
);

interface AskedProps {
  asking: Asking;
  writer: ReturnType<typeof webhookWriter>;
  onAccess: (access: Access) => void;
  onClose: () => void;
}

function Asked({ asking, writer, onAccess, onClose }: AskedProps) {
  if (asking === 'new')
    return (
      <NewWebhookDialog
        onClose={onClose}
        onCreate={async (name) => {
          onAccess({ access: await writer.create(name) });
          onClose();
        }}
      />
    );
  if ('rotate' in asking)
    return (
      <RotateDialog
        webhook={asking.rotate}
        onClose={onClose}
        onRotate={async (oldStays) => {
          onAccess({ access: await writer.rotate(asking.rotate, oldStays), oldStays });
          onClose();
        }}
      />
    );
  return (
    <RevokeDialog
      webhook={asking.revoke}
      onClose={onClose}
      onRevoke={async () => {
        await writer.revoke(asking.revoke);
        toast({ title: 'Webhook revoked', description: 'Nothing arrives through it any more.' });
        onClose();
      }}
    />
  );
}

const REFUSALS: Record<DeliveryRefusal, string> = {
  signature: 'its signature was wrong. The program may have another secret',
  time: 'its timestamp was more than five minutes from this server’s clock',
  body: 'its body was not as it has to be',
  rate: 'too many came at once',
  room: 'your vault was full',
  key: 'your vault had no key to seal it to',
};

interface RowProps {
  webhook: OpenedWebhook;
  onRotate: () => void;
  onRevoke: () => void;
}

function Row({ webhook, onRotate, onRevoke }: RowProps) {
  const { name, createdAt, lastUsedAt, received, oldSecretUntil, lastRefusal } = webhook;
  const called = name ?? 'an unreadable webhook';
  const now = useNow();
  const isOldAccepted = oldSecretUntil !== null && Date.parse(oldSecretUntil) > now;
  // What was refused before the last one that arrived is over.
  const trouble = lastRefusal && (lastUsedAt === null || lastRefusal.at > lastUsedAt) ? lastRefusal : null;
  return (
    <li className="grid gap-x-8 gap-y-4 border-b border-line/60 py-6 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div className="min-w-0">
        <p
          dir="auto"
          className={`font-display text-name font-medium wrap-anywhere ${name === null ? 'text-shade italic' : ''}`}
        >
          {name ?? 'Unreadable with this key'}
        </p>
        <p className="mt-1 text-note text-shade">
          Made {formatDay(createdAt)}
          {lastUsedAt === null
            ? ', never used'
            : `, last used ${formatMoment(lastUsedAt)}. ${received.toLocaleString('en-GB')} ${
                received === 1 ? 'memory has' : 'memories have'
              } arrived`}
          .
        </p>
        <p className="mt-2 flex flex-wrap gap-x-6 gap-y-1">
          {trouble ? (
            <Badge variant="danger">Refused {formatMoment(trouble.at)}</Badge>
          ) : (
            <Badge variant={lastUsedAt === null ? 'plain' : 'open'}>
              {lastUsedAt === null ? 'Waiting for a first delivery' : 'Working'}
            </Badge>
          )}
          {isOldAccepted && (
            <Badge variant="locked">Old secret accepted until {formatMoment(oldSecretUntil)}</Badge>
          )}
        </p>
        {trouble && (
          <p className="mt-2 text-note text-dust">
            The last delivery was refused: {REFUSALS[trouble.reason]}.
          </p>
        )}
      </div>
      <div className="flex flex-wrap gap-3">
        <Button size="small" onClick={onRotate} aria-label={`Make a new secret for ${called}`}>
          New secret
        </Button>
        <Button size="small" onClick={onRevoke} aria-label={`Revoke ${called}`}>
          Revoke
        </Button>
      </div>
    </li>
  );
}

const FACTS = [
  {
    term: 'What happens to a delivery',
    says: 'This server reads each delivery once, seals it to your vault and forgets it. Only this vault can open it. When you next see the list, your browser seals it anew under your own key, and marks it as arrived by webhook.',
  },
  {
    term: 'What this server could do',
    says: 'What you write here is sealed before it leaves your browser. A delivery is not: the program that sends it can read it, and so could this server, or whoever runs it, in the moment in which it arrives. That is called zero-access, not end-to-end.',
  },
  {
    term: 'What is kept of it',
    says: 'The ciphertext, when it came and by which webhook. And for thirty days a fingerprint of its number, so that it is not taken in twice.',
  },
];

function WhoReads() {
  return (
    <dl className="grid border-t border-l border-line md:grid-cols-3">
      {FACTS.map(({ term, says }) => (
        <div key={term} className="border-r border-b border-line px-6 py-5">
          <dt className="font-display text-[1.375rem]/[1.2] font-medium">{term}</dt>
          <dd className="mt-1.5 text-note text-dust">{says}</dd>
        </div>
      ))}
    </dl>
  );
}
