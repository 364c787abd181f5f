// The Relationship Ledger: its two views, the search, and which of its dialogs stands open. The address says whom somebody
// looks at, by a number: no name may reach an address or the browser's history.
import { useMemo } from 'react';
import { counted } from '../../../shared/counted.ts';
import { kindOf } from '../../../vault/entries/sealed-moment.ts';
import { search } from '../../../vault/entries/search.ts';
import { useNow } from '../../hooks/use-now.ts';
import { Chamber } from '../../shell/chamber.tsx';
import { Button } from '../../ui/button.tsx';
import { useLetterHint } from '../../ui/letter-keys.ts';
import { asQuestion } from '../../ui/question.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import type { ToastWords } from '../../ui/toast-store.ts';

import { VaultList } from '../../vault/book/vault-list.tsx';
import { EntryDialogsShown, Hindrance } from '../../vault/entries/entry-dialogs.tsx';
import type { EntryNames } from '../../vault/entries/entry-hindrance.ts';
import { EntryFinder, searchWords } from '../../vault/entries/entry-rows.tsx';
import { type Person, peopleOf, personKey } from '../../vault/entries/people.ts';
import { RecentlyDeletedLink } from '../../vault/entries/recently-deleted-link.tsx';
import {
  type OpenedRelationship,
  type Relationships,
  useRelationships,
} from '../../vault/entries/relationships.ts';
import { SeveralDrafts } from '../../vault/entries/several-drafts.tsx';
import { type EntryDialogs, useEntryDialogs } from '../../vault/entries/use-entry-dialogs.ts';
import { type Looking, useFinding } from '../../vault/entries/use-finding.ts';
import { MomentDialog } from './moment-dialog.tsx';
import { MomentReader } from './moment-reader.tsx';
import { MomentRows } from './moment-rows.tsx';
import { PeopleRows } from './people-rows.tsx';
import { PersonTimeline } from './person-timeline.tsx';
import { type Shown, useShown, type View } from './use-shown.ts';

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
  const all = moments.list.data;
  const finding = useFinding(all);
  const people = useMemo(() => peopleOf(all ?? []), [all]);
  const isComplete = all !== undefined && !moments.list.isFetching;
  const shown = useShown(dialogs.beneath, people, isComplete);
  const { person, view } = shown;

  function changeView(next: View) {
    finding.setQuery('');
    finding.setTag(null);
    shown.changeView(next);
  }

  function showTimeline({ name }: OpenedRelationship) {
    const key = personKey(name ?? '');
    const of = people.find((one) => one.key === key);
    if (of) shown.showTimeline(of);
  }

  function showTag(tag: string) {
    changeView('moments');
    finding.setTag(tag);
  }

  const looking = { words: finding.words, onTag: showTag };
  const rows = { now, looking, onOpen: dialogs.read, onDelete: dialogs.remove };

  return (
    <Chamber
      eyebrow="Chamber two"
      title="Relationship Ledger"
      action={
        <Button tone="primary" onClick={dialogs.showNew} {...hint}>
          Record Moment
        </Button>
      }
      dialogs={<LedgerDialogs {...{ dialogs, moments, people, person, looking }} onTimeline={showTimeline} />}
    >
      <Hindrance
        says={shown.isNobody ? NOBODY : dialogs.hindrance}
        onClose={shown.isOne ? shown.leaveForPeople : dialogs.showList}
      />
      <SeveralDrafts list="/relationship-ledger" />
      <VaultList
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
              <PeopleView
                {...{ people, finding, now }}
                isFetching={moments.list.isFetching}
                unreadable={all.filter(({ name }) => name === null).length}
                returnTo={shown.returnTo}
                onChoose={shown.choose}
              />
            )}
            {person && (
              <PersonTimeline key={person.key} person={person} onBack={shown.showPeople} {...rows} />
            )}
          </Tabs>
        )}
      </VaultList>
      <RecentlyDeletedLink />
    </Chamber>
  );
}

interface LedgerDialogsProps {
  dialogs: EntryDialogs<OpenedRelationship>;
  moments: Relationships;
  people: readonly Person[];
  /** Whose timeline is shown, if it is one. */
  person: Person | undefined;
  looking: Looking;
  onTimeline: (moment: OpenedRelationship) => void;
}

function LedgerDialogs({ dialogs, moments, people, person, looking, onTimeline }: LedgerDialogsProps) {
  return (
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
          onTimeline={person || moment.name === null ? undefined : () => onTimeline(moment)}
          {...actions}
        />
      )}
      question={(moment) => {
        if (moment.name === null) return 'Delete this entry?';
        const kind = kindOf(moment);
        return asQuestion(`Delete ${kind ? `“${kind}”` : 'a moment'} with ${shortened(moment.name)}`);
      }}
    />
  );
}

interface PeopleViewProps {
  people: readonly Person[];
  finding: Pick<ReturnType<typeof useFinding>, 'query' | 'setQuery' | 'wanted'>;
  now: number;
  isFetching: boolean;
  /** How many moments have no name that opens. */
  unreadable: number;
  returnTo: Shown['returnTo'];
  onChoose: (of: Person) => void;
}

function PeopleView({ people, finding, now, isFetching, unreadable, returnTo, onChoose }: PeopleViewProps) {
  const { query, setQuery, wanted } = finding;
  const found = useMemo(() => search(people, wanted), [people, wanted]);
  return (
    <>
      <SearchField
        label="Search people"
        placeholder={searchWords(counted(people.length, 'person', 'people'), isFetching)}
        value={query}
        onChange={setQuery}
        found={wanted.trim() === '' ? null : found.length}
      />
      {people.length > 0 && <PeopleRows people={found} now={now} returnTo={returnTo} onChoose={onChoose} />}
      {unreadable > 0 && (
        <p className="py-8 text-shade">
          {unreadable === 1 ? 'One entry' : `${unreadable.toLocaleString('en-GB')} entries`} cannot be read
          with this key, and nobody here can tell whose it was.
        </p>
      )}
    </>
  );
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
