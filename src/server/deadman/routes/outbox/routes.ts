// The administrator's calls: what leaves this server, and the word that a paused switch waits for.
import type { Context, Hono } from 'hono';
import { type Message, outbox } from '../../../../shared/nouns/outbox.ts';
import { switchOutlook } from '../../../../shared/nouns/switch.ts';
import { theSwitch } from '../../../../shared/nouns/switch-state.ts';
import { iso, isoOrNull } from '../../../db/times.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { idParam, listRoute, route } from '../../../http/route.ts';
import { origin } from '../../../http/site.ts';
import { countedTime } from '../../clock/counted-time-store.ts';
import { countUnopened } from '../../delivery/follow-up-store.ts';
import { letterWriter } from '../../delivery/message-writer.ts';
import { nextTry } from '../../delivery/send-limits.ts';
import {
  confirmHere,
  listMessages,
  type MessageRow,
  markPassedOn,
  readSwitchOutlook,
  readSwitchState,
  retryMessage,
  vouchHere,
} from './store.ts';
import { textPermissionRoutes } from './text-permissions.ts';

export function outboxRoutes(app: Hono, deps: Deps): void {
  route(app, deps, theSwitch.get, () => readSwitchState(deps));
  route(app, deps, switchOutlook.get, () => readSwitchOutlook(deps));
  route(app, deps, theSwitch.confirm, async () => {
    await confirmHere(deps);
    return readSwitchState(deps);
  });

  route(app, deps, theSwitch.vouch, async ({ body }) => {
    if (!(await vouchHere(deps, Date.parse(body.says)))) throw new AppError('calendar-moved');
    return readSwitchState(deps);
  });

  const write = letterWriter(deps);
  /** Rows with what the administrator may pass on. A whisper has no letter: it is there, or there is nobody to tell. */
  async function show(rows: MessageRow[], c: Context): Promise<Message[]> {
    const time = await countedTime(deps.db);
    // A port that is forwarded is another one outside, and the administrator has just typed it.
    const here = origin(deps.config, c);
    const hasLetter = ({ channel, state }: MessageRow) =>
      channel !== 'whisper' && (state === 'waiting' || state === 'failed');
    return rows.map((row) =>
      toMessage(row, {
        body: hasLetter(row) ? write(row, row.confirmations, time, here).text : null,
        nextTryAt: row.state === 'waiting' ? nextTry(row.next_try, time, deps.now()) : null,
      }),
    );
  }
  async function showOne(row: MessageRow | undefined, c: Context): Promise<Message> {
    const [message] = await show(row ? [row] : [], c);
    if (!message) throw new AppError('not-found');
    return message;
  }

  route(app, deps, outbox.unopened, async () => ({ recipients: await countUnopened(deps.db) }));

  listRoute(app, deps, outbox.list, async (asked, { c }) => {
    const { rows, more } = await listMessages(deps, asked);
    return { rows: await show(rows, c), more };
  });

  route(app, deps, outbox.retry, async ({ params, c }) =>
    showOne(await retryMessage(deps, idParam(params.id)), c),
  );
  textPermissionRoutes(app, deps);

  route(app, deps, outbox.passedOn, async ({ params, c }) =>
    showOne(await markPassedOn(deps, idParam(params.id)), c),
  );
}

/** Those that a message is about, as long as they are there. */
const scrollsOf = ({ scroll_id, scrolls, releases }: MessageRow): number[] =>
  scroll_id !== null
    ? [scroll_id]
    : [...scrolls, ...releases].flatMap((one) => (one.scroll_id === null ? [] : [one.scroll_id]));

function toMessage(row: MessageRow, { body, nextTryAt }: Pick<Message, 'body' | 'nextTryAt'>): Message {
  return {
    id: row.id,
    kind: row.kind,
    channel: row.channel,
    address: row.address,
    state: row.state,
    attempts: row.attempts,
    why: row.why,
    withheld: row.state === 'waiting' ? row.withheld : null,
    nextTryAt,
    createdAt: iso(row.created_at),
    sentAt: isoOrNull(row.sent_at),
    byHand: row.by_hand === 1,
    scrollIds: scrollsOf(row),
    body,
  };
}
