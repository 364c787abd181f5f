// Setting a scroll to watch: its key must have been handed over, and a watch for silence must know how to warn.
import { useReducer, useRef } from 'react';
import { flushSync } from 'react-dom';
import { LABEL_MAX } from '../../../shared/letter-label.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { cardHolders, type OpenedScroll } from '../../../vault/legacy/scroll-list.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, SelectField } from '../../ui/choice-fields.tsx';
import { focusFirstProblem } from '../../ui/first-problem.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { TextField } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { useSwitchOutlook } from '../../vault/legacy/switch-outlook.ts';
import { PlanLimit } from '../../vault/plan/plan-limit.tsx';
import {
  activationReducer,
  beginActivation,
  keyMark,
  thingsOf,
  type Warning,
  whatIsAsked,
} from './activation.ts';
import { ActivationSummary } from './activation-summary.tsx';
import { SecondPlace, SecondWarning } from './second-warning.tsx';
import { outlookWords } from './uptime-words.ts';
import type { Scrolls } from './use-scrolls.ts';
import { useSecondWarning, useWarningAddress, type WarningAddressHook } from './use-warning-address.ts';
import { WarningAddress } from './warning-address.tsx';

interface ActivateProps {
  scroll: OpenedScroll;
  scrolls: Scrolls;
  /** Said just now, beside the card. */
  handedOver: boolean;
  onClose: () => void;
}

const handedOverHints = { card: 'The key card.', passphrase: 'They know the passphrase.' };

/** What has to be in whose hands. */
function handedOverHint(scroll: OpenedScroll): string {
  const things = thingsOf(scroll);
  if (scroll.recipients.length > 1) {
    return 'Each recipient has their own card, or knows their passphrase.';
  }
  if (scroll.recipients[0]?.sheetsNeeded != null) return 'The sheets, each to the person whose it is.';
  return handedOverHints[things[0] ?? 'card'];
}

export function ActivateDialog({ scroll, scrolls, handedOver: saidBefore, onClose }: ActivateProps) {
  const warnings = useWarningAddress();
  const [state, dispatch] = useReducer(activationReducer, beginActivation(scroll, saidBefore));
  const { busy, problem, refusal, run } = useAttempt();
  const body = useRef<HTMLDivElement>(null);
  const closed = scroll.recipients.filter(({ access }) => access === 'none');
  const asked = whatIsAsked(scroll, state, warnings.proved);
  const { asksHandOver, handedOver, asksWarning, warning, missing } = asked;

  async function activate() {
    if (missing.handedOver || missing.warning || missing.label) {
      flushSync(() => dispatch({ type: 'tried' }));
      return focusFirstProblem(body.current);
    }
    await run(async () => {
      await scrolls.activate(scroll, {
        handedOver: asksHandOver && handedOver,
        warning: asksWarning ? (warning ?? 'dashboard') : 'dashboard',
        label: state.label.trim() || null,
      });
      toast({ title: 'Legacy Scroll Activated', description: 'It is active from now on.' });
      onClose();
    });
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title="Activate Watch"
      busy={busy}
      onSubmit={() => void activate()}
      submitLabel="Activate Watch"
      busyLabel="Activating"
      cancelLabel="Not yet"
    >
      <div ref={body} className="grid gap-6">
        <ActivationSummary scroll={scroll} warning={warning} />
        {closed.length > 0 && (
          <p className="text-ember">
            {closed.length === scroll.recipients.length
              ? 'Nobody but you has a key to this letter. Its recipient will be told about it, but cannot open it.'
              : 'Not every recipient has a key to this letter. They will be told about it, but cannot open it.'}
          </p>
        )}
        {asksHandOver && (
          <Checkbox
            label={cardHolders(scroll).length > 1 ? 'I have handed them over' : 'I have handed it over'}
            hint={handedOverHint(scroll)}
            checked={handedOver}
            onChange={(event) =>
              dispatch({ type: 'handed-over', key: event.target.checked ? keyMark(scroll) : null })
            }
            error={(state.tried || asked.replaced) && missing.handedOver}
          />
        )}
        {asksWarning && (
          <WarningChoice
            {...{ warning, warnings }}
            transports={scrolls.transports}
            onChoose={(warning) => dispatch({ type: 'warning-chosen', warning })}
            error={state.tried && missing.warning}
          />
        )}
        <Outlook scroll={scroll} />
        <TextField
          label="Label for mails to you"
          optional
          value={state.label}
          maxLength={LABEL_MAX}
          autoComplete="off"
          onChange={(event) => dispatch({ type: 'label-written', label: event.target.value })}
          error={state.tried && missing.label}
          hint="This server can read it. It stands in mails to you, so that you know which letter they are about, and never in a mail to a recipient. Without one they say “a letter without a label”."
        />
        <Problem>{problem}</Problem>
        <PlanLimit error={refusal} said />
      </div>
    </FormDialog>
  );
}

interface ChoiceProps {
  warning: Warning | null;
  warnings: WarningAddressHook;
  transports: Scrolls['transports'];
  onChoose: (warning: Warning) => void;
  error: string | false | null;
}

/** How its author is warned, and where to. */
function WarningChoice({ warning, warnings, transports, onChoose, error }: ChoiceProps) {
  const second = useSecondWarning();
  return (
    <>
      <SelectField
        label="Warnings"
        placeholder="Choose how you are warned"
        choices={[
          { value: 'mail', label: 'By mail' },
          { value: 'dashboard', label: 'On the dashboard only' },
        ]}
        value={warning ?? ''}
        onChange={(event) => onChoose(event.target.value as Warning)}
        error={error}
        hint={
          warning === null
            ? undefined
            : warning === 'dashboard'
              ? 'No mail is sent.'
              : transports?.email === false
                ? 'This server sends no mail. Warnings wait in the outbox for its administrator. While no mail server accepts one, the letter is held back for fourteen days after its time.'
                : 'While no mail server accepts one, the letter is held back for up to fourteen days.'
        }
      />
      {warning === 'mail' && <WarningAddress asking warnings={warnings} mails={transports?.email ?? true} />}
      {warning === 'mail' && warnings.proved && (
        <SecondPlace>
          <SecondWarning second={second} transports={transports} />
        </SecondPlace>
      )}
    </>
  );
}

/** What is to be expected of this server, from how its switch has run so far. */
function Outlook({ scroll }: { scroll: OpenedScroll }) {
  const outlook = useSwitchOutlook();
  const expected = outlook.data ? outlookWords(scroll, outlook.data) : [];
  return (
    <>
      {expected.length > 0 && (
        <div className="grid gap-3 text-note text-dust">
          {expected.map(({ says, urgent }) => (
            <p key={says} className={urgent ? 'text-ember' : undefined}>
              {says}
            </p>
          ))}
        </div>
      )}
      {scroll.triggerType !== 'manual' && outlook.isError && !outlook.data && (
        <Problem>
          How this server’s switch has run so far could not be fetched. {sentenceOf(outlook.error)}{' '}
          <Button tone="caps" busy={outlook.isFetching} onClick={() => void outlook.refetch()}>
            Try again
          </Button>
        </Problem>
      )}
    </>
  );
}
