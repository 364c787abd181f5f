// The Relationship Ledger: its two views, the search, and which of its dialogs stands open. The address says whom somebody
// looks at, by a number: no name may reach an address or the browser's history.
import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { counted } from '../../../shared/counted.ts';
import { listPaths, PEOPLE } from '../../../shared/screens.ts';
import { kindOf } from '../../../vault/entries/sealed-moment.ts';
import { search } from '../../../vault/entries/search.ts';
import { Listed } from '../../api/listed.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { cameFrom, useStep } from '../../ui/came-from.ts';
import { useLetterHint } from '../../ui/letter-keys.ts';
import { asQuestion } from '../../ui/question.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { ToastWords } from '../../ui/toast-store.ts';
import { personAt, personPath } from '../../vault/entries/addresses.ts';
import { EntryDialogsShown, Hindrance } from '../../vault/entries/entry-dialogs.tsx';
import { EntryFinder, searchWords } from '../../vault/entries/entry-rows.tsx';
import { type Person, peopleOf, personKey, personOf } from '../../vault/entries/people.ts';
import { RecentlyDeletedLink } from '../../vault/entries/recently-deleted-link.tsx';
import { type OpenedRelationship, useRelationships } from '../../vault/entries/relationships.ts';
import { SeveralDrafts } from '../../vault/entries/several-drafts.tsx';
import { type EntryNames, useEntryDialogs } from '../../vault/entries/use-entry-dialogs.ts';
import { useFinding } from '../../vault/entries/use-finding.ts';
import { MomentDialog } from './moment-dialog.tsx';
import { MomentReader } from './moment-reader.tsx';
import { MomentRows } from './moment-rows.tsx';
import { PeopleRows } from './people-rows.tsx';
import { PersonTimeline } from './person-timeline.tsx';

const names: EntryNames = { noun: 'moment', Noun: 'Entry', words: 'entry' };

const views = [
  { value: 'moments', label: 'Moments' },
  { value: 'people', label: 'People' },
] as const;

type View = (typeof views)[number]['value'];

export default function RelationshipLedgerPage() {
  const moments = useRelationships();
  const now = useNow();
  const hint = useLetterHint('n');
  const dialogs = useEntryDialogs(moments, names);
  const [path, navigate] = useLocation();
  const step = useStep();
  const returnTo = useRef<{ key: string; scroll: number } | null>(null);
  const all = moments.list.data;
  const finding = useFinding(all);
  const { query, setQuery, wanted } = finding;
  const people = useMemo(() => peopleOf(all ?? []), [all]);
  const foundPeople = useMemo(() => search(people, wanted), [people, wanted]);
  const { beneath } = dialogs;
  const number = personAt(beneath);
  const view: View = number !== null || beneath === PEOPLE ? 'people' : 'moments';
  const { person, isGone } = useShownPerson(number, people);
  const isComplete = all !== undefined && !moments.list.isFetching;
  const unreadable = useMemo(() => (all ?? []).filter(({ name }) => name === null).length, [all]);

  // The moment whose number stood for somebody was deleted, or is another person's now: one of those that are left does so.
  const isOther = person !== undefined && personOf(number ?? '', people) !== person;
  const moved = isOther ? personPath(person) : isGone && isComplete ? PEOPLE : null;
  useEffect(() => {
    if (moved !== null && path === beneath) navigate(moved, { replace: true, state: history.state });
  }, [moved, path, beneath, navigate]);

  function showTimeline({ name }: OpenedRelationship) {
    const key = personKey(name ?? '');
    const of = people.find((one) => one.key === key);
    if (of) step(personPath(of));
  }

  function choose(of: Person) {
    returnTo.current = { key: of.key, scroll: window.scrollY };
    step(personPath(of));
  }

  function showPeople() {
    if (cameFrom() === PEOPLE) return history.back();
    returnTo.current = person ? { key: person.key, scroll: 0 } : null;
    navigate(PEOPLE);
  }

  function changeView(next: View) {
    returnTo.current = null;
    setQuery('');
    finding.setTag(null);
    const to = next === 'people' ? PEOPLE : listPaths.relationship;
    if (window.location.pathname === to) return;
    // From one view to the other nothing is gone deeper into; from a person the way back leads to them.
    if (number === null) navigate(to, { replace: true, state: history.state });
    else navigate(to);
  }

  const looking = {
    words: finding.words,
    onTag(tag: string) {
      changeView('moments');
      finding.setTag(tag);
    },
  };
  const rows = {
    now,
    looking,
    onOpen: dialogs.read,
    onDelete: dialogs.remove,
  };

  return (
    <Chamber
      eyebrow="Chamber two"
      title="Relationship Ledger"
      action={
        <Button tone="primary" onClick={dialogs.showNew} {...hint}>
          Record Moment
        </Button>
      }
      dialogs={
        <EntryDialogsShown
          dialogs={dialogs}
          names={names}
          collection={moments}
          create={() => (
            <MomentDialog
              moments={moments}
              people={people}
              person={person?.name}
              onSealed={dialogs.showSealed}
              onClose={dialogs.close}
            />
          )}
          edit={(moment) => (
            <MomentDialog
              moments={moments}
              people={people}
              moment={moment}
              onSealed={dialogs.showSealed}
              onClose={dialogs.close}
            />
          )}
          read={(moment, actions) => (
            <MomentReader
              moment={moment}
              looking={looking}
              onTimeline={person || moment.name === null ? undefined : () => showTimeline(moment)}
              {...actions}
            />
          )}
          question={(moment) => {
            if (moment.name === null) return 'Delete this entry?';
            const kind = kindOf(moment);
            return asQuestion(`Delete ${kind ? `“${kind}”` : 'a moment'} with ${shortened(moment.name)}`);
          }}
        />
      }
    >
      <Hindrance
        says={number !== null && !person && !isGone && isComplete ? NOBODY : dialogs.hindrance}
        onClose={number === null ? dialogs.showList : () => navigate(PEOPLE, { replace: true })}
      />
      <SeveralDrafts list="/relationship-ledger" />
      <Listed
        query={moments.list}
        items={all}
        loading="Fetching and opening your ledger"
        empty={
          <EmptyState sigil="relation" title="Nobody is written of here yet">
            A moment with somebody: what happened, and how heavy it was. The name and the words are sealed in
            this browser before they leave.
          </EmptyState>
        }
      >
        {(all) => (
          <Tabs label="Views of the ledger" views={views} value={view} onChange={changeView}>
            {view === 'moments' && (
              <>
                <EntryFinder
                  collection={moments}
                  finding={finding}
                  title="Relationship Ledger"
                  label="Search your ledger"
                  kept={counted(all.length, 'moment', 'moments')}
                />
                <MomentRows moments={finding.found} arrangement={finding.arrangement} {...rows} />
              </>
            )}
            {view === 'people' && !person && (
              <>
                <SearchField
                  label="Search people"
                  placeholder={searchWords(
                    counted(people.length, 'person', 'people'),
                    moments.list.isFetching,
                  )}
                  value={query}
                  onChange={setQuery}
                  found={wanted.trim() === '' ? null : foundPeople.length}
                />
                {people.length > 0 && (
                  <PeopleRows people={foundPeople} now={now} returnTo={returnTo} onChoose={choose} />
                )}
                {unreadable > 0 && (
                  <p className="py-8 text-shade">
                    {unreadable === 1 ? 'One entry' : `${unreadable.toLocaleString('en-GB')} entries`} cannot
                    be read with this key, and nobody here can tell whose it was.
                  </p>
                )}
              </>
            )}
            {person && <PersonTimeline key={person.key} person={person} onBack={showPeople} {...rows} />}
          </Tabs>
        )}
      </Listed>
      <RecentlyDeletedLink />
    </Chamber>
  );
}

/** Whom the address shows: by its number, or who it was that it stood for when this page came to it. */
function useShownPerson(number: string | null, people: readonly Person[]) {
  const [known, setKnown] = useState<{ number: string; key: string } | null>(null);
  const isKnown = known?.number === number;
  const person =
    number === null
      ? undefined
      : (isKnown && people.find(({ key }) => key === known?.key)) || personOf(number, people);
  if (number !== null && person && !(isKnown && known?.key === person.key))
    setKnown({ number, key: person.key });
  return { person, isGone: number !== null && isKnown && !person };
}

const NOBODY: ToastWords = {
  title: 'There is nobody at this address',
  description: 'What was written of them was deleted, or it belongs to another vault.',
};

const NAME_SHOWN = 80;

/** A name as it fits into a question. */
function shortened(name: string): string {
  const letters = [...name.trim()];
  return letters.length > NAME_SHOWN ? `${letters.slice(0, NAME_SHOWN).join('')}…` : letters.join('');
}
