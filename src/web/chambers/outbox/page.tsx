// The administrator's outbox: whether the switch works, and every message that leaves this server. Nothing of a scroll's words
// is ever in one.
import { Link } from 'wouter';
import { ADMINISTRATION_PATH } from '../../../shared/addresses.ts';
import type { ReplyOf } from '../../../shared/http/call.ts';
import { legacyScrolls } from '../../../shared/nouns/legacy.ts';
import { outbox } from '../../../shared/nouns/outbox.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { Listed } from '../../api/listed.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { failingWords } from '../../vault/legacy/failing-words.ts';
import { useSwitch } from '../../vault/legacy/the-switch.ts';
import { MessageRows } from './message-rows.tsx';
import { SwitchState } from './switch-state.tsx';
import { TextPermissions } from './text-permissions.tsx';
import { TroubledJobs } from './troubled-jobs.tsx';
import { useOutbox } from './use-outbox.ts';

export default function OutboxPage() {
  const messagesHere = useOutbox();
  const transports = useAnswer(legacyScrolls.transports);
  const { list, messages } = messagesHere;
  return (
    <Chamber
      eyebrow={
        <Link href={ADMINISTRATION_PATH} className="inline-block py-2 underline-offset-8 hover:underline">
          Administration
        </Link>
      }
      title="The outbox"
      lead="What this server sends on behalf of its letters: warnings, confirmation links and releases. A release says where a letter waits. It carries no word of it, and no key."
    >
      <SwitchState />
      <TroubledJobs />
      <TextPermissions sends={transports.data?.sms !== false} />
      <section aria-labelledby="messages" className="border-t border-line pt-10">
        <h2 id="messages" className="font-display text-heading">
          Messages
        </h2>
        {transports.data && <Transports {...transports.data} />}
        <Failing />
        <Unopened />
        <Listed
          query={list}
          items={messages}
          loading="Fetching the messages"
          empty={
            <EmptyState sigil="scroll" title="Nothing has been sent">
              Messages appear here when a letter warns, is sent, or when an address is to be confirmed.
            </EmptyState>
          }
        >
          {(messages) => (
            <MessageRows messages={messages} outbox={messagesHere} transports={transports.data} />
          )}
        </Listed>
        {list.hasNextPage && (
          <p className="pt-8 text-center">
            <Button
              onClick={() => void list.fetchNextPage()}
              busy={list.isFetchingNextPage}
              busyLabel="Fetching"
            >
              Older messages
            </Button>
          </p>
        )}
        {list.isFetchNextPageError && (
          <p role="alert" className="pt-4 text-center text-blood">
            {sentenceOf(list.error)}
          </p>
        )}
      </section>
    </Chamber>
  );
}

/** What has been set up and cannot be sent just now. */
function Failing() {
  const { data } = useSwitch();
  const failing = data && failingWords(data);
  if (!failing) return null;
  return (
    <p role="status" className="mt-2 mb-6 max-w-prose border-l border-ember pl-4 text-ember">
      {failing.says} Each message that waits says why. They are tried each day, after a month each week, for
      two years; only an address that is refused ends one. Check the settings and the account at your
      provider, then try one of them again: when it was accepted after more than a day, all others follow at
      once.
    </p>
  );
}

/** Letters that nobody has opened. It tells how many, and not whose. */
function Unopened() {
  const { data } = useAnswer(outbox.unopened, { refetchOnMount: 'always' });
  const count = data?.recipients ?? 0;
  if (count === 0) return null;
  return (
    <p className="mt-2 mb-6 max-w-prose text-dust">
      {count === 1 ? 'One recipient has' : `${count} recipients have`} not opened a letter that was sent, and
      nothing more is sent to them. Their authors see which.
    </p>
  );
}

/** What this server cannot send by itself. */
function Transports({ email, sms }: Pick<ReplyOf<typeof legacyScrolls.transports>, 'email' | 'sms'>) {
  if (email && sms) return null;
  const missing = email ? 'text messages' : sms ? 'mail' : 'neither mail nor text messages';
  return (
    <p className="mt-2 mb-6 max-w-prose text-dust">
      This server sends {email || sms ? 'no ' : ''}
      {missing}: no way to do so has been set up. Such messages wait here until you pass them on by hand.
    </p>
  );
}
