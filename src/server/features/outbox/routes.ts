// The keeper's calls: what leaves this house, and the word that a paused switch waits for.
import type { Hono } from 'hono';
import { type Message, outbox, theSwitch } from '../../../shared/switch.ts';
import { iso, isoOrNull } from '../../db/times.ts';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { linkNextPage } from '../../http/pages.ts';
import { idParam, route } from '../../http/route.ts';
import { houseTime } from '../../switch/house-clock-store.ts';
import { letterWriter } from '../../switch/letter-writer.ts';
import {
  confirmHere,
  listMessages,
  type MessageRow,
  markPassedOn,
  readSwitchState,
  retryMessage,
} from './store.ts';

export function outboxRoutes(app: Hono, deps: Deps): void {
  route(app, deps, theSwitch.get, () => readSwitchState(deps));
  route(app, deps, theSwitch.confirm, () => confirmHere(deps));

  const write = letterWriter(deps);
  /** Rows with what the keeper may pass on. A whisper has no letter: it is there, or there is nobody to tell. */
  async function show(rows: MessageRow[]): Promise<Message[]> {
    const time = await houseTime(deps.db);
    const hasLetter = ({ channel, state }: MessageRow) =>
      channel !== 'whisper' && (state === 'waiting' || state === 'failed');
    return rows.map((row) => toMessage(row, hasLetter(row) ? write(row, row.presses, time).text : null));
  }
  async function showOne(row: MessageRow | undefined): Promise<Message> {
    const [message] = await show(row ? [row] : []);
    if (!message) throw new AppError('not-found');
    return message;
  }

  route(app, deps, outbox.list, async ({ query, c }) => {
    const rows = await listMessages(deps, query);
    linkNextPage(c, outbox.list.path, query.limit, { rows, more: rows.length === query.limit });
    return show(rows);
  });

  route(app, deps, outbox.retry, async ({ params }) => showOne(await retryMessage(deps, idParam(params.id))));
  route(app, deps, outbox.passedOn, async ({ params }) =>
    showOne(await markPassedOn(deps, idParam(params.id))),
  );
}

function toMessage(row: MessageRow, body: string | null): Message {
  return {
    id: row.id,
    kind: row.kind,
    channel: row.channel,
    address: row.address,
    state: row.state,
    attempts: row.attempts,
    why: row.why,
    createdAt: iso(row.created_at),
    sentAt: isoOrNull(row.sent_at),
    byHand: row.by_hand === 1,
    scrollId: row.scroll_id,
    body,
  };
}
