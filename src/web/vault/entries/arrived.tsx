// Says of an entry that it was not written in this vault, and where it arrived from. The mark stays when it is edited.

import { arrivedWords } from '../../../vault/entries/arrival-words.ts';
import type { Arrival } from '../../../vault/entries/details.ts';
import { webhookList } from '../../../vault/outbox/webhook-writer.ts';
import { Badge } from '../../ui/badge.tsx';
import { useRows } from '../session/use-rows.ts';

/** Nothing for what was written in this vault. */
export function ArrivedBadge({ arrived }: { arrived: Arrival | null }) {
  return arrived && <Badge>{arrivedWords(arrived)}</Badge>;
}

/** The same in a sentence that names the webhook, while there still is one. */
export function ArrivedFrom({ arrived }: { arrived: Arrival }) {
  const byWebhook = arrived.by === 'webhook';
  const { data } = useRows(webhookList, { enabled: byWebhook });
  const name = byWebhook ? data?.find(({ id }) => id === arrived.id)?.name : null;
  return (
    <span className="wrap-anywhere">
      {arrivedWords(arrived)}
      {name && (
        <>
          {' '}
          “<bdi>{name}</bdi>”
        </>
      )}
    </span>
  );
}
