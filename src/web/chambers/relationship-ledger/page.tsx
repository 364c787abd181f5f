// The Relationship Ledger: its two views, the search, and which of its dialogs stands open. Whom somebody looks at is
// state of this page alone: no name may reach an address or the browser's history.
import { useMemo, useRef, useState } from 'react';
import { counted } from '../../../shared/counted.ts';
import { kindOf } from '../../../vault/entries/sealed-moment.ts';
import { search } from '../../../vault/entries/search.ts';
import { Listed } from '../../api/listed.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { useLetterHint } from '../../ui/letter-keys.ts';
import { asQuestion } from '../../ui/question.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { EntryDialogsShown, Hindrance } from '../../vault/entries/entry-dialogs.tsx';
import { EntryFinder, searchWords } from '../../vault/entries/entry-rows.tsx';
import { type Person, peopleOf, personKey } from '../../vault/entries/people.ts';
import { usePersonAsked } from '../../vault/entries/person-asked.ts';
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

export default function RelationshipLedgerPage() {
  const moments = useRelationships();
  const now = useNow();
  const hint = useLetterHint('n');
  const dialogs = useEntryDialogs(moments, names);
  const [view, setView] = useState<(typeof views)[number]['value']>('moments');
  const [chosen, setChosen] = useState<string | null>(null);
  const asked = usePersonAsked();
  const [followed, setFollowed] = useState<string | null>(null);
  const returnTo = useRef<{ key: string; scroll: number } | null>(null);
  const all = moments.list.data;
  const finding = useFinding(all);
  const { query, setQuery, wanted } = finding;
  const people = useMemo(() => peopleOf(all ?? []), [all]);
  const foundPeople = useMemo(() => search(people, wanted), [people, wanted]);
  const person = view === 'people' ? people.find(({ key }) => key === chosen) : undefined;
  const unreadable = useMemo(() => (all ?? []).filter(({ name }) => name === null).length, [all]);

  // Asked for from elsewhere, by the number of one of their moments.
  if (all && asked && asked.nonce !== followed) {
    const of = people.find(({ moments }) => moments.some(({ id }) => id === asked.personOf));
    setFollowed(asked.nonce);
    setQuery('');
    setView('people');
    setChosen(of?.key ?? null);
  }

  function showTimeline({ name }: OpenedRelationship) {
    dialogs.close();
    setView('people');
    returnTo.current = null;
    setChosen(name === null ? null : personKey(name));
  }

  function choose({ key }: Person) {
    returnTo.current = { key, scroll: window.scrollY };
    setChosen(key);
  }

  function changeView(next: typeof view) {
    returnTo.current = null;
    setView(next);
    setChosen(null);
    setQuery('');
    finding.setTag(null);
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
      <Hindrance says={dialogs.hindrance} onClose={dialogs.close} />
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
            {person && (
              <PersonTimeline key={person.key} person={person} onBack={() => setChosen(null)} {...rows} />
            )}
          </Tabs>
        )}
      </Listed>
      <RecentlyDeletedLink />
    </Chamber>
  );
}

const NAME_SHOWN = 80;

/** A name as it fits into a question. */
function shortened(name: string): string {
  const letters = [...name.trim()];
  return letters.length > NAME_SHOWN ? `${letters.slice(0, NAME_SHOWN).join('')}…` : letters.join('');
}
