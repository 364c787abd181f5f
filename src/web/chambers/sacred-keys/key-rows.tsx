// The list of sacred keys: what each leads to, whether it still opens, and what can be done with it.
import { type ShareState, shareState } from '../../../shared/nouns/sacred-key.ts';
import type { OpenedKey } from '../../../vault/outbox/link-writer.ts';
import { Badge, type BadgeVariant } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatMoment, formatRecentDay } from '../../ui/moments.ts';
import { VirtualRows } from '../../ui/virtual-rows.tsx';
import { ChangedInList } from '../../vault/entries/changed.tsx';
import { OutsideBadge } from '../../vault/entries/outside.tsx';
import { linkCopied, linkNotCopied } from '../../vault/sharing/link-dialog.tsx';
import { entryTypeLabels } from './entry-choice.tsx';

interface RowsProps {
  keys: readonly OpenedKey[];
  now: number;
  onShow: (key: OpenedKey & { link: string }) => void;
  onRemove: (key: OpenedKey) => void;
  onAdopt: (key: OpenedKey) => void;
}

const badges: Record<ShareState, [BadgeVariant, string]> = {
  active: ['open', 'Active'],
  used: ['plain', 'Used'],
  expired: ['plain', 'Expired'],
  unsealed: ['danger', 'Not ready'],
};

function whatHappened(key: OpenedKey, state: ShareState): string {
  if (state === 'used') return key.openedAt ? `Opened on ${formatMoment(key.openedAt)}` : 'Opened';
  if (state === 'expired') return `Expired ${formatMoment(key.expiresAt)}`;
  if (state === 'unsealed') return 'Its words never arrived: it opens nothing';
  return `Expires ${formatMoment(key.expiresAt)}`;
}

export function KeyRows({ keys, ...rest }: RowsProps) {
  return <VirtualRows items={keys} rowHeight={118} row={(key) => <Row sacredKey={key} {...rest} />} />;
}

function Row({
  sacredKey: key,
  now,
  onShow,
  onRemove,
  onAdopt,
}: { sacredKey: OpenedKey } & Omit<RowsProps, 'keys'>) {
  const state = shareState(key, now);
  const [variant, word] = badges[state];
  const { link, title } = key;
  const spent = state === 'used' || state === 'expired';
  const what = title ?? 'an unreadable key';
  const kind = `${entryTypeLabels[key.entryType]}${key.hasPassphrase ? ', with a passphrase' : ''}`;
  return (
    <div className="grid gap-x-8 gap-y-3 py-5 md:grid-cols-[9rem_1fr_auto] md:items-baseline">
      <span className="text-note text-shade">{formatRecentDay(key.createdAt, now)}</span>
      <div className="grid min-w-0 gap-1.5">
        <span
          className={classes(
            'min-w-0 truncate font-display text-name font-medium',
            (spent || title === null) && 'text-shade',
            title === null && 'italic',
          )}
        >
          {title ??
            (key.changed
              ? 'Its link is not shown'
              : state === 'unsealed'
                ? 'Never finished'
                : 'Unreadable with this key')}
        </span>
        <span className="flex flex-wrap items-baseline gap-x-6 gap-y-1 text-note text-shade">
          <Badge variant={variant}>{word}</Badge>
          {key.outside && <OutsideBadge />}
          <span>{kind}</span>
          <span>{whatHappened(key, state)}</span>
        </span>
        {key.changed && <ChangedInList changed={key.changed} />}
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <CopyButton
          value={link ?? ''}
          disabled={state !== 'active' || link === null}
          onCopied={linkCopied}
          onFailed={linkNotCopied}
        >
          Copy link<span className="sr-only"> to {what}</span>
        </CopyButton>
        {state === 'active' && link !== null && (
          <Button tone="caps" onClick={() => onShow({ ...key, link })}>
            Show<span className="sr-only"> the link to {what}</span>
          </Button>
        )}
        {key.outside && (
          <Button tone="caps" onClick={() => onAdopt(key)}>
            It is mine<span className="sr-only">: the key to {what}</span>
          </Button>
        )}
        <Button tone="caps" onClick={() => onRemove(key)}>
          {state === 'active' ? 'Revoke' : 'Delete'}
          <span className="sr-only"> the key to {what}</span>
        </Button>
      </div>
    </div>
  );
}
