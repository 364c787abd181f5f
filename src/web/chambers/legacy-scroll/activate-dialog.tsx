// Setting a scroll to watch: its key must have been handed over, and a watch for silence must know how to warn.
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { scrollKeyToText } from '../../../crypto/scroll.ts';
import { sentenceOf } from '../../api/api-error.ts';
import { Checkbox, SelectField } from '../../ui/choice-fields.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { toast } from '../../ui/toaster.tsx';
import { focusFirstProblem } from './creation-form.tsx';
import { RecipientAddress } from './recipient-address.tsx';
import { triggerWords } from './scroll-words.ts';
import type { OpenedScroll } from './sealing.ts';
import type { Scrolls } from './use-scrolls.ts';
import { useWarningAddress } from './use-warning-address.ts';
import { AddressState } from './warning-address.tsx';

type Warning = 'mail' | 'dashboard';

interface ActivateProps {
  scroll: OpenedScroll;
  scrolls: Scrolls;
  /** Said just now, beside the card. */
  handedOver: boolean;
  onClose: () => void;
}

const handedOverHints = {
  card: 'The key card. Without it nobody but you can open the letter.',
  passphrase: 'They know the passphrase. Without it nobody but you can open the letter.',
};

/** Tells one key of a scroll from another. */
const keyMark = ({ access, scrollKey, version }: OpenedScroll) =>
  `${access} ${scrollKey ? scrollKeyToText(scrollKey) : version}`;

export function ActivateDialog({ scroll, scrolls, handedOver: saidBefore, onClose }: ActivateProps) {
  const warnings = useWarningAddress();
  // Said of one key: another one has to be handed over as well.
  const key = keyMark(scroll);
  const [saidOf, setSaidOf] = useState(saidBefore || scroll.handedOverAt !== null ? key : null);
  const said = saidOf === key;
  const replaced = saidOf !== null && !said;
  const [chosen, setChosen] = useState<Warning | null>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const body = useRef<HTMLDivElement>(null);

  const { access } = scroll;
  const asksHandOver = access === 'card' || access === 'passphrase';
  const forSilence = scroll.triggerType === 'inactivity';
  // Whoever has proved an address wants to be warned there, unless they say otherwise.
  const warning = chosen ?? (warnings.proved ? 'mail' : null);
  const missing = {
    said:
      asksHandOver &&
      !said &&
      (replaced
        ? 'It was replaced by a newer one, made elsewhere. Hand that over first.'
        : 'Hand it over first. Afterwards it may be too late.'),
    warning: forSilence && warning === null && 'Choose how you are warned before it is released.',
    proof: forSilence && warning === 'mail' && !warnings.proved && 'No address is proved yet.',
  };

  async function activate() {
    if (missing.said || missing.warning || missing.proof) {
      flushSync(() => setTried(true));
      return focusFirstProblem(body.current);
    }
    setBusy(true);
    setProblem(null);
    try {
      await scrolls.activate(scroll, {
        handedOver: asksHandOver && said,
        warning: forSilence ? (warning ?? 'dashboard') : 'dashboard',
      });
      toast({ title: 'Legacy Scroll Activated', description: 'It watches from now on.' });
      onClose();
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormDialog
      open
      onClose={onClose}
      title="Activate Watch"
      description={
        <>
          <span className="line-clamp-2">{scroll.title ?? 'An unreadable scroll'}</span>
          {triggerWords(scroll)}, to <RecipientAddress scroll={scroll} />.
        </>
      }
      busy={busy}
      onSubmit={() => void activate()}
      submitLabel="Activate Watch"
      busyLabel="Activating"
      cancelLabel="Not yet"
    >
      <div ref={body} className="grid gap-6">
        {access === 'none' && (
          <p className="text-ember">
            No key of this scroll reaches anybody but you. Its recipient will be told of it and can open
            nothing.
          </p>
        )}
        {asksHandOver && (
          <Checkbox
            label="I have handed it over"
            hint={handedOverHints[access]}
            checked={said}
            onChange={(event) => setSaidOf(event.target.checked ? key : null)}
            error={(tried || replaced) && missing.said}
          />
        )}
        {forSilence && (
          <>
            <SelectField
              label="Warnings"
              placeholder="Choose how you are warned"
              choices={[
                { value: 'mail', label: 'By mail' },
                { value: 'dashboard', label: 'On the dashboard only' },
              ]}
              value={warning ?? ''}
              onChange={(event) => setChosen(event.target.value as Warning)}
              error={tried && (missing.warning || missing.proof)}
              hint={
                warning === null
                  ? undefined
                  : warning === 'dashboard'
                    ? 'The dashboard tells you when you come; nothing is sent.'
                    : scrolls.couriers?.email === false
                      ? 'This house sends no mail. Warnings wait in the outbox for its keeper, and while no mail server accepts one, it is held back for fourteen days after its time.'
                      : 'Mails go seven, three and one day before, none before half of the time. While no mail server accepts one, it is held back for up to fourteen days.'
              }
            />
            {warning === 'mail' && (
              <AddressState asking warnings={warnings} mails={scrolls.couriers?.email ?? true} />
            )}
          </>
        )}
        <p className="border-l border-ember/55 pl-4 text-note text-dust">
          While it watches, its trigger and its recipient stand. It can be disarmed at any time, and released
          by your own hand.
        </p>
        <Problem>{problem}</Problem>
      </div>
    </FormDialog>
  );
}
