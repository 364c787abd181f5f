// The sisters of a letter: which of them keep it and how that stands, which are to, and what any of them can do, said before it is sent.
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { inFours } from '../../../shared/in-fours.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import type { ReadableScroll } from '../../../vault/legacy/scroll-list.ts';
import { type Sent, SistersAway } from '../../../vault/outbox/sister-writer.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, SelectField } from '../../ui/choice-fields.tsx';
import { focusFirstProblem } from '../../ui/first-problem.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { toast } from '../../ui/toaster.tsx';
import {
  hostOf,
  listed,
  MAIL_WORDS,
  outcomeWords,
  powersOf,
  stillHaveIt,
  waitWords,
} from './sister-words.ts';
import { type Doing, SistersAsTheyStand } from './sisters-as-they-stand.tsx';
import { type SisterChoice, useSisterChoice, useSisterStates, useSisterWriter } from './use-sisters.ts';

export interface SistersProps {
  /** As the list has it by now. */
  scroll: ReadableScroll;
  onClose: () => void;
}

/** What went wrong, in a sentence. */
function why(error: unknown): string {
  if (error instanceof SistersAway)
    return `${listed(error.origins.map(hostOf))} does not answer this server just now, so that nothing can be sealed to it. Nothing was sent.`;
  return sentenceOf(error);
}

/** What is done with the sisters of a letter, and what came of it. @param lookAgain reads anew how each stands */
function useSisterWork({ scroll, onClose }: SistersProps, lookAgain: () => void) {
  const writer = useSisterWriter();
  const [doing, setDoing] = useState<Doing>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const [said, setSaid] = useState<string | null>(null);

  async function attempt(what: Exclude<Doing, null>, work: () => Promise<void>) {
    setDoing(what);
    setProblem(null);
    setSent([]);
    setSaid(null);
    try {
      await work();
    } catch (error) {
      setProblem(why(error));
    } finally {
      setDoing(null);
      lookAgain();
    }
  }

  return {
    doing,
    problem,
    sent,
    /** What came of asking them, or of having them erase it. */
    said,
    send: ({ picked, needed }: SisterChoice) =>
      attempt('sending', async () => {
        const { sent } = await writer.send(scroll, picked, needed);
        if (sent.every(({ outcome }) => outcome === 'kept')) {
          toast({
            title: 'Left With Sisters',
            description: `${listed(sent.map(({ origin }) => hostOf(origin)))} keep it now.`,
          });
          return onClose();
        }
        setSent(sent);
      }),

    end: (needed: number) =>
      attempt('ending', async () => {
        const { away } = await writer.end(scroll);
        if (away.length > 0) {
          const origins = away.map(({ origin }) => origin);
          return setSaid(`${stillHaveIt(origins, needed)} They are asked again when you unlock your vault.`);
        }
        toast({
          title: 'Sisters Ended',
          description: 'They have erased the letter. This server still has it.',
        });
        onClose();
      }),

    ask: () =>
      attempt('asking', async () => {
        const away = (await writer.askAll(scroll)).map(hostOf);
        setSaid(
          away.length === 0 ? 'Each of them has answered.' : `${listed(away)} did not answer just now.`,
        );
      }),
  };
}

export function SistersDialog(props: SistersProps) {
  const { scroll, onClose } = props;
  const { kept, states, going, asSent, lookAgain } = useSisterStates(scroll);
  const choice = useSisterChoice(kept);
  const { doing, problem, sent, said, send, end, ask } = useSisterWork(props, lookAgain);
  const [compared, setCompared] = useState(false);
  const [tried, setTried] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const { found } = choice;
  const has = kept !== null && kept.of.length > 0;
  const tooFew = choice.picked.length < 2;

  function submit() {
    if (tooFew) return;
    if (compared) return void send(choice);
    flushSync(() => setTried(true));
    focusFirstProblem(body.current);
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title="Sisters"
      description={
        <>
          Other servers can keep “{scroll.title}” too. Each counts by itself how long it has heard nothing of
          you, and enough of them together send the letter, even when this server is gone.
        </>
      }
      busy={doing !== null}
      onSubmit={submit}
      submitLabel={has ? 'Send it to these' : 'Leave it with these'}
      busyLabel={doing === 'ending' ? 'Ending' : doing === 'asking' ? 'Asking' : 'Sending'}
      ready={!tooFew}
      cancelLabel={has ? 'Leave it as it is' : 'Cancel'}
    >
      {(has || going.length > 0) && (
        <SistersAsTheyStand
          {...{ states, going, doing, said }}
          isEarlier={has && !asSent}
          onAsk={() => void ask()}
          onEnd={() => void end(kept?.needed ?? 0)}
        />
      )}
      {found.isPending && <Spinner label="Asking which servers there are" />}
      {found.isError && <Problem>{sentenceOf(found.error)}</Problem>}
      {found.data && (
        <>
          <SisterChoices {...choice} />
          {!tooFew && (
            <>
              <SendingTogether {...choice} days={Number(scroll.triggerValue)} />
              <div ref={body}>
                <Checkbox
                  label="I have compared their addresses"
                  hint="Each shows its own at /sisters/address. Go there by a name that you know from elsewhere. A server that lies could show servers of its own here, and read the letter with them."
                  checked={compared}
                  onChange={(event) => setCompared(event.target.checked)}
                  error={tried && !compared && 'Compare them first.'}
                />
              </div>
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

function SisterChoices({ found, all, choose }: SisterChoice) {
  return (
    <fieldset className="grid gap-5">
      <legend className="mb-3 text-note text-dust">Choose which of them keep it: two or more.</legend>
      {all.map((one) => (
        <OneSister key={one.sister.origin} {...one} choose={choose} />
      ))}
      {all.length < 2 && (
        <p className="text-note text-dust">
          This server is joined with too few: a letter needs two others. Its administrator can join it with
          more.
        </p>
      )}
      {all.some(({ sister: { keys } }) => keys === null) && (
        <div>
          <Button tone="caps" busy={found.isFetching} onClick={() => void found.refetch()}>
            Look again
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** How many of those that are chosen send it together, and what they can do. @param days without a sign of its author */
function SendingTogether({ picked, least, needed, setNeeded, days }: SisterChoice & { days: number }) {
  return (
    <>
      <SelectField
        label="How many of them send it together"
        choices={Array.from({ length: picked.length - least + 1 }, (_, i) => ({
          value: String(least + i),
          label: `${least + i} of ${picked.length}`,
        }))}
        value={String(needed)}
        onChange={(event) => setNeeded(Number(event.target.value))}
      />
      <div className="grid gap-3 border-l border-ember/55 pl-4 text-note text-dust">
        {[
          ...powersOf(
            picked.map(({ origin }) => origin),
            needed,
          ),
          waitWords(days),
          ...MAIL_WORDS,
        ].map((says) => (
          <p key={says}>{says}</p>
        ))}
      </div>
    </>
  );
}

function OneSister({
  sister: { origin, address, keys },
  isExchanged,
  isChosen,
  choose,
}: SisterChoice['all'][number] & Pick<SisterChoice, 'choose'>) {
  return (
    <Checkbox
      label={hostOf(origin)}
      hint={
        <>
          <span className="block font-machine text-balance wrap-anywhere">{inFours(address)}</span>
          {isExchanged && (
            <span className="block text-ember">
              It had another address when you left this letter with it. Compare this one before you choose it.
            </span>
          )}
          {keys === null && 'It does not answer just now, or its keys are not those of this address.'}
        </>
      }
      checked={isChosen}
      disabled={keys === null}
      onChange={(event) => choose(origin, event.target.checked)}
    />
  );
}
