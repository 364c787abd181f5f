// An address that warnings go to, whether it is confirmed, and what became of the question.
import type { WarningAddress as Address, WarningChannel } from '../../../shared/nouns/warning-addresses.ts';
import { Badge } from '../../ui/badge.tsx';

type Facts = Pick<Address, 'address' | 'provedAt' | 'request'>;

interface FactsProps extends Facts {
  channel?: WarningChannel | null;
  /** Whether this server sends what asks there. */
  sends: boolean;
}

export function AddressFacts({ address, provedAt, request, channel, sends }: FactsProps) {
  return (
    <>
      {address !== null && (
        <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
          <span className="min-w-0 wrap-anywhere">{address}</span>
          {provedAt ? (
            <Badge variant="open">Confirmed</Badge>
          ) : (
            <Badge variant="locked">Not confirmed yet</Badge>
          )}
        </div>
      )}
      <div role="status" className="grid gap-3 empty:hidden">
        {request && request.state !== 'cancelled' && (
          <p className={request.state === 'failed' ? 'text-note text-blood' : 'text-note text-dust'}>
            {requestWords(request, channel ?? 'email', { sends, proved: provedAt !== null })}
          </p>
        )}
      </div>
    </>
  );
}

/** Whether somebody was asked to confirm it, who may have done so elsewhere. */
export const wasAsked = ({ request }: Facts): boolean => request !== null && request.state !== 'cancelled';

const by: Record<WarningChannel, { way: string; sent: string }> = {
  email: { way: 'by mail', sent: 'mail' },
  sms: { way: 'by text message', sent: 'text messages' },
};

function requestWords(
  { state, why }: NonNullable<Address['request']>,
  channel: WarningChannel,
  { sends, proved }: { sends: boolean; proved: boolean },
): string {
  const { way, sent } = by[channel];
  const until = proved ? ' Until then the address that was confirmed before stays in use.' : '';
  if (state === 'failed') return `The confirmation link could not be sent. ${why ?? ''}`.trim();
  if (state === 'sent')
    return `A confirmation link was sent there ${way}. Open it to confirm the address.${until}`;
  if (why) return `${why}${until}`;
  return sends
    ? `A confirmation link is on its way ${way}.${until}`
    : `This server sends no ${sent}: the confirmation link waits in the outbox, for its administrator to pass on.${until}`;
}
