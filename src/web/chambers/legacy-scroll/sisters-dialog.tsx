// The sisters of a letter: which of them keep it and how that stands, which are to, and what any of them can do, said before it is sent.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { inFours } from '../../../shared/in-fours.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import { type ListedSister, type Sent, SistersAway } from '../../../vault/outbox/sister-writer.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, SelectField } from '../../ui/choice-fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toaster.tsx';
import {
  hostOf,
  leastNeeded,
  listed,
  MAIL_WORDS,
  outcomeWords,
  powersOf,
  waitWords,
} from './sister-words.ts';
import { useSisterStates, useSisterWriter } from './use-sisters.ts';

export interface SistersProps {
  /** As the list has it by now. */
  scroll: ReadableScroll;
  onClose: () => void;
}

type Doing = 'sending' | 'asking' | 'ending' | null;

/** What went wrong, in a sentence. */
function why(error: unknown): string {
  if (error instanceof SistersAway)
    return `${listed(error.origins.map(hostOf))} does not answer this server just now, so that nothing can be sealed to it. Nothing was sent.`;
  return sentenceOf(error);
}

export function SistersDialog({ scroll, onClose }: SistersProps) {
  const writer = useSisterWriter();
  const { kept, states, going, asSent, lookAgain } = useSisterStates(scroll);
  const found = useQuery({
    queryKey: ['sisters', 'list'],
    queryFn: () => writer.list(),
    gcTime: 0,
    // One that was away may be back.
    refetchOnMount: 'always',
  });
  const [choice, setChoice] = useState<ReadonlySet<string> | null>(null);
  const [wantedNeeded, setWantedNeeded] = useState<number | null>(null);
  const [compared, setCompared] = useState(false);
  const [tried, setTried] = useState(false);
  const [doing, setDoing] = useState<Doing>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sent, setSent] = useState<readonly Sent[]>([]);

  const has = kept !== null && kept.of.length > 0;
  const all = found.data ?? [];
  const before = new Set(has ? kept.of.map(({ origin }) => origin) : all.map(({ origin }) => origin));
  const chosen = choice ?? before;
  const picked = all.filter(({ origin, keys }) => keys !== null && chosen.has(origin));
  const least = leastNeeded(picked.length);
  const needed = Math.min(Math.max(wantedNeeded ?? kept?.needed ?? least, least), picked.length);
  const tooFew = picked.length < 2;

  async function attempt(what: Exclude<Doing, null>, work: () => Promise<void>) {
    setDoing(what);
    setProblem(null);
    setSent([]);
    try {
      await work();
    } catch (error) {
      setProblem(why(error));
    } finally {
      setDoing(null);
      lookAgain();
    }
  }

  const send = () =>
    attempt('sending', async () => {
      const chosenNow = picked.flatMap(({ origin, address, keys }) =>
        keys ? [{ ...keys, origin, address }] : [],
      );
      const { sent } = await writer.send(scroll, chosenNow, needed);
      if (sent.every(({ outcome }) => outcome === 'kept')) {
        toast({
          title: 'Left With Sisters',
          description: `${listed(sent.map(({ origin }) => hostOf(origin)))} keep it now.`,
        });
        return onClose();
      }
      setSent(sent);
    });

  const end = () =>
    attempt('ending', async () => {
      const { away } = await writer.end(scroll);
      if (away.length > 0) return;
      toast({
        title: 'Sisters Ended',
        description: 'They have erased the letter. This server still has it.',
      });
      onClose();
    });

  function submit() {
    setTried(true);
    if (!tooFew && compared) void send();
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title="Sisters"
      description={
        <>
          Other instances can keep “{scroll.title}” too. Each counts your inactivity by itself, and enough of
          them together send it, also when this server is gone.
        </>
      }
      busy={doing !== null}
      onSubmit={submit}
      submitLabel={has ? 'Send it to these' : 'Leave it with these'}
      busyLabel={doing === 'ending' ? 'Ending' : doing === 'asking' ? 'Asking' : 'Sending'}
      ready={!tooFew}
      cancelLabel="Leave it as it is"
    >
      {(has || going.length > 0) && (
        <section aria-label="As it stands" className="grid gap-4">
          <ul className="grid gap-3">
            {states.map(({ origin, says, urgent }) => (
              <li key={origin} className="text-note">
                {hostOf(origin)}
                <span className={urgent ? 'block text-ember' : 'block text-dust'}>{says}</span>
              </li>
            ))}
            {going.map(({ origin }) => (
              <li key={`${origin} going`} className="text-note">
                {hostOf(origin)}
                <span className="block text-ember">It is to erase the letter, and was not reached yet.</span>
              </li>
            ))}
          </ul>
          {has && !asSent && (
            <p className="text-note text-ember">They keep an earlier version of this letter.</p>
          )}
          <div className="flex flex-wrap gap-x-6">
            <Button
              tone="caps"
              disabled={doing !== null}
              onClick={() => void attempt('asking', () => writer.askAll(scroll))}
            >
              Ask them now
            </Button>
            <Button tone="caps" disabled={doing !== null} onClick={() => void end()}>
              End it with all
            </Button>
          </div>
        </section>
      )}
      {found.isPending && <Spinner label="Asking which instances there are" />}
      {found.isError && <Problem>{sentenceOf(found.error)}</Problem>}
      {found.data && (
        <>
          <fieldset className="grid gap-5">
            <legend className="mb-3 text-note text-dust">Which of them keep it. Two or more.</legend>
            {all.map((one) => (
              <SisterChoice
                key={one.origin}
                sister={one}
                checked={chosen.has(one.origin) && one.keys !== null}
                onChange={(isIn) => setChoice(changed(chosen, one.origin, isIn))}
              />
            ))}
            {all.some(({ keys }) => keys === null) && (
              <div>
                <Button tone="caps" busy={found.isFetching} onClick={() => void found.refetch()}>
                  Look again
                </Button>
              </div>
            )}
          </fieldset>
          {!tooFew && (
            <>
              <SelectField
                label="How many of them send it together"
                choices={Array.from({ length: picked.length - least + 1 }, (_, i) => ({
                  value: String(least + i),
                  label: `${least + i} of ${picked.length}`,
                }))}
                value={String(needed)}
                onChange={(event) => setWantedNeeded(Number(event.target.value))}
              />
              <div className="grid gap-3 border-l border-ember/55 pl-4 text-note text-dust">
                {[
                  ...powersOf(
                    picked.map(({ origin }) => origin),
                    needed,
                  ),
                  waitWords(Number(scroll.triggerValue)),
                  MAIL_WORDS,
                ].map((says) => (
                  <p key={says}>{says}</p>
                ))}
              </div>
              <Checkbox
                label="I have compared their addresses"
                hint="With those on their own pages, at /sisters/address. A server that lies could name instances of its own here, and read the letter with them."
                checked={compared}
                onChange={(event) => setCompared(event.target.checked)}
                error={tried && !compared && 'Compare them first.'}
              />
            </>
          )}
        </>
      )}
      {sent.length > 0 && (
        <ul role="status" className="grid gap-2 text-note">
          {sent.map(({ origin, outcome }) => (
            <li key={origin} className={outcome === 'kept' ? 'text-dust' : 'text-ember'}>
              {outcomeWords(origin, outcome)}
            </li>
          ))}
        </ul>
      )}
      <Problem>{problem}</Problem>
    </FormDialog>
  );
}

function SisterChoice({
  sister: { origin, address, keys },
  checked,
  onChange,
}: {
  sister: ListedSister;
  checked: boolean;
  onChange: (isIn: boolean) => void;
}) {
  return (
    <Checkbox
      label={hostOf(origin)}
      hint={
        <>
          <span className="block font-machine wrap-anywhere">{inFours(address)}</span>
          {keys === null && 'It does not answer just now, or with other keys than those of this address.'}
        </>
      }
      checked={checked}
      disabled={keys === null}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

function changed(set: ReadonlySet<string>, origin: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(set);
  if (isIn) next.add(origin);
  else next.delete(origin);
  return next;
}
