// Letters on the desk.
import { isTroubled, namesSisters, scrollList } from '../../../vault/legacy/scroll-list.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { later } from '../../ui/later.tsx';
import { useRows } from '../../vault/session/use-rows.ts';
import { Aside } from './aside.tsx';
import { LetterName } from './letter-name.tsx';
import { nextDate } from './next-date.ts';

// Few letters have sisters.
const SisterTrouble = later(async () => ({
  default: (await import('./sister-trouble.tsx')).SisterTrouble,
}));

const MOST = 3;

/** Letters that watch, the next to be sent first, and those that did not arrive. */
export function Letters({ now }: { now: number }) {
  const list = useRows(scrollList, {
    // Time counts here as in the chamber (docs/interface.md, "Fetching").
    refetchOnMount: 'always',
  });
  if (list.isError) {
    return (
      <Aside title="Letters">
        <p className="text-note text-dust">Your letters could not be fetched.</p>
        <Button tone="caps" onClick={() => void list.refetch()} busy={list.isFetching} busyLabel="Asking">
          Ask again
        </Button>
      </Aside>
    );
  }
  const scrolls = list.data ?? [];
  const watching = scrolls
    .filter(({ isActive, hasTriggered }) => isActive && !hasTriggered)
    .map((scroll) => ({ scroll, next: nextDate(scroll, list.dataUpdatedAt, now) }))
    .sort((a, b) => a.next.at - b.next.at);
  const withSisters = scrolls.filter(namesSisters);
  const refused = scrolls.filter(({ recipients }) => recipients.some(isTroubled));
  return (
    <>
      {refused.length > 0 && (
        <Aside title="A letter was not received" tone="text-blood">
          {refused.slice(0, MOST).map((scroll) => (
            <LetterName key={scroll.id} scroll={scroll} />
          ))}
          <p className="text-note text-dust">It could not be delivered, or nobody has opened it.</p>
          <ButtonLink to="/legacy-scroll" tone="caps-lit">
            See what became of it
          </ButtonLink>
        </Aside>
      )}
      {withSisters.length > 0 && <SisterTrouble scrolls={withSisters} now={now} />}
      {watching.length > 0 && (
        <Aside title="Letters that watch">
          {watching.slice(0, MOST).map(({ scroll, next }) => (
            <div key={scroll.id} className="w-full min-w-0">
              <LetterName scroll={scroll} />
              <p className="text-note text-dust">{next.says}</p>
            </div>
          ))}
          <ButtonLink to="/legacy-scroll" tone="caps">
            {watching.length > MOST ? `All ${watching.length} that watch` : 'To the letters'}
          </ButtonLink>
        </Aside>
      )}
    </>
  );
}
