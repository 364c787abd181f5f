// What the desk shows of the vault's own words: the latest entries, this day in other years, the letters that watch. It comes
// after the first view, and fetches no more than it shows.
import { useState } from 'react';
import { Link } from 'wouter';
import { counted } from '../../../shared/counted.ts';
import { countRecoveryMethods } from '../../../shared/nouns/recovery-methods.ts';
import { NEWEST } from '../../../vault/replica/entry-list.ts';
import { memberNotice } from '../../api/notice-call.ts';
import { useAnswer } from '../../api/use-answer.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { later } from '../../ui/later.tsx';
import { formatDay } from '../../ui/moments.ts';
import { NothingHere, VaultList } from '../../vault/book/vault-list.tsx';
import { isNoticeRead, noteNoticeRead } from '../../vault/device/device.ts';
import { useNewest } from '../../vault/entries/newest.ts';
import { SeveralDrafts } from '../../vault/entries/several-drafts.tsx';
import { useVault } from '../../vault/session/vault-context.ts';
import { Aside } from './aside.tsx';
import { EntryRow, Remembered } from './entry-lines.tsx';
import { Letters } from './letters.tsx';

const WordsDialog = later(() => import('../../vault/key/recovery/words-dialog.tsx'));

const LATEST = 5;
const MOST = 3;

interface ListsProps {
  /** How many memories there are, once that is known. */
  memories: number | undefined;
  /** Whether the recovery methods are asked for here, and not above. */
  asksForRecovery: boolean;
}

export default function Lists({ memories, asksForRecovery }: ListsProps) {
  const [everything, setEverything] = useState(false);
  const newest = useNewest(everything);
  const now = useNow();
  const latest = newest.isPending ? undefined : newest.latest(LATEST);
  return (
    <>
      <SeveralDrafts />
      <div className="mb-16 flex flex-wrap gap-x-12 gap-y-10">
        <section aria-labelledby="lately" className="min-w-0 flex-[1.75] basis-144">
          <h2 id="lately" className="font-display text-[1.75rem]/[1.1] font-medium">
            Lately
          </h2>
          <VaultList
            query={newest}
            items={newest.isError ? undefined : latest}
            loading="Fetching and opening your latest entries"
            empty={
              <p className="mt-2 text-dust">
                Nothing is kept here yet. Write the first line above, or{' '}
                <Link href="/imports" className="underline underline-offset-4 hover:text-bone">
                  bring in what you wrote elsewhere
                </Link>
                .
              </p>
            }
          >
            {(entries) => (
              <ul className="mt-2">
                {entries.map((one) => (
                  <EntryRow key={`${one.kind.noun} ${one.entry.id}`} known={one} now={now} />
                ))}
              </ul>
            )}
          </VaultList>
          {memories !== undefined && memories > 0 && (
            <ButtonLink to="/memory-vault" tone="caps">
              {memories === 1 ? 'The one memory' : `All ${counted(memories, 'memory', 'memories')}`}
            </ButtonLink>
          )}
        </section>
        <div className="grid min-w-0 flex-1 basis-72 content-start">
          <AdministratorsNotice />
          <OnThisDay
            newest={newest}
            now={now}
            everything={everything}
            onEverything={() => setEverything(true)}
          />
          <Letters now={now} />
          {asksForRecovery && <Recovery />}
        </div>
      </div>
    </>
  );
}

/** What the administrator tells everybody, until somebody has read it in this browser. Whoever is not told by it does without. */
function AdministratorsNotice() {
  const { user } = useVault();
  const { data: notice } = useAnswer(memberNotice, { refetchOnMount: 'always' });
  const [read, setRead] = useState<string | null>(null);
  if (!notice || notice.since === read || isNoticeRead(user.id, notice.since)) return null;
  return (
    <Aside title="From the administrator">
      <p className="whitespace-pre-line wrap-anywhere" dir="auto">
        {notice.says}
      </p>
      <p className="text-note text-shade">{formatDay(notice.since)}</p>
      <Button
        tone="caps"
        onClick={() => {
          noteNoticeRead(user.id, notice.since);
          setRead(notice.since);
        }}
      >
        I have read it
      </Button>
    </Aside>
  );
}

interface OnThisDayProps {
  newest: ReturnType<typeof useNewest>;
  now: number;
  everything: boolean;
  onEverything: () => void;
}

/** The day of an entry is sealed, so that no server can find it: where not all are open, looking further is a press. */
function OnThisDay({ newest, now, everything, onEverything }: OnThisDayProps) {
  const found = newest.onThisDay(now).slice(0, MOST);
  if (newest.isPending || newest.isError || (found.length === 0 && newest.isWhole && !everything))
    return null;
  return (
    <Aside title="On this day">
      {found.map((known) => (
        <Remembered key={`${known.kind.noun} ${known.entry.id}`} known={known} now={now} />
      ))}
      {found.length === 0 && newest.isWhole && (
        <NothingHere>
          <p role="status" className="text-note text-dust">
            Nothing is kept of this day in other years.
          </p>
        </NothingHere>
      )}
      {found.length === 0 && !newest.isWhole && (
        <p role="status" className="text-note text-dust">
          {everything
            ? 'Opening everything that is kept here.'
            : `Nothing among the newest ${NEWEST} of each list.`}
        </p>
      )}
      {!newest.isWhole && !everything && (
        <Button tone="caps-lit" onClick={onEverything}>
          Look further back
        </Button>
      )}
    </Aside>
  );
}

/** For those who have one way back, and little to lose yet: the others are asked above. */
function Recovery() {
  const { user } = useVault();
  const [open, setOpen] = useState(false);
  if (countRecoveryMethods(user) !== 1) return null;
  return (
    <Aside title="Recovery: your ways back">
      <p className="text-note text-dust">
        You have one. Two are rarely lost together: the twenty-four words open the vault on any device.
      </p>
      {user.wordsKeptAt === null ? (
        <Button tone="caps-lit" onClick={() => setOpen(true)}>
          Write them down
        </Button>
      ) : (
        <ButtonLink to="/settings/recovery" tone="caps-lit">
          Set up another
        </ButtonLink>
      )}
      {open && <WordsDialog onClose={() => setOpen(false)} />}
    </Aside>
  );
}
