// The Sacred Questions: three answers, one at a time, sealed in this browser before they are sent.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { QUESTIONS } from '../../../shared/three-questions.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { sendAnswers } from '../../../vault/outbox/answers.ts';
import { setUser } from '../../hooks/use-user.ts';
import { SiteNav } from '../../shell/site-nav.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choice-fields.tsx';
import { classes } from '../../ui/classes.ts';
import { Room, Shell } from '../../ui/page.tsx';
import { submitByKey } from '../../ui/submit-by-key.ts';
import { TextArea } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';
import { setDeviceOwner } from '../../vault/device/device.ts';
import { useDraft } from '../../vault/entries/use-draft.ts';
import { useVault } from '../../vault/session/vault-context.ts';

const DRAFT = 'onboarding';
const NO_ANSWERS = ['', '', ''];

export default function OnboardingPage() {
  const vault = useVault();
  const { user } = vault;
  const [, navigate] = useLocation();
  const [step, setStep] = useState(0);
  const { value: answers, set: setAnswers, drop: dropDraft } = useDraft<string[]>(DRAFT, NO_ANSWERS);
  const [pending, setPending] = useState(false);
  const [isMine, setMine] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const shownStep = useRef(step);
  const question = QUESTIONS[step] ?? '';
  const answer = answers[step] ?? '';
  const last = step === QUESTIONS.length - 1;

  useEffect(() => {
    if (shownStep.current !== step) field.current?.focus();
    shownStep.current = step;
  }, [step]);

  async function finish() {
    setPending(true);
    try {
      await sendAnswers(vault, answers);
      dropDraft();
      setDeviceOwner(user.id, isMine ? 'own' : 'shared');
      toast({ title: 'Welcome to Your Latebra', description: 'Your sacred vault has been prepared.' });
      setUser(vault, { ...user, onboardingComplete: true });
      navigate('/');
    } catch (error) {
      toast({ title: 'Ritual Failed', description: sentenceOf(error), tone: 'destructive' });
      setPending(false);
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (answer.trim() === '' || pending) return;
    if (last) void finish();
    else setStep(step + 1);
  }

  return (
    <Shell nav={<SiteNav bare />}>
      <title>The Sacred Questions · Latebra</title>
      <Room
        align="start"
        width="form"
        eyebrow={`The Sacred Questions · ${step + 1} of ${QUESTIONS.length}`}
        title={question}
      >
        <div className="flex gap-2.5" aria-hidden="true">
          {QUESTIONS.map((text, i) => (
            <span
              key={text}
              className={classes('h-0.5 flex-1 transition-colors', i <= step ? 'bg-ember' : 'bg-line')}
            />
          ))}
        </div>
        <form className="grid gap-8" onSubmit={submit} onKeyDown={submitByKey}>
          <TextArea
            key={step}
            ref={field}
            label={question}
            labelHidden
            rows={8}
            value={answer}
            onChange={(event) => setAnswers(answers.map((old, i) => (i === step ? event.target.value : old)))}
            hint="Sealed in this browser before it leaves. This server cannot read your answer."
            disabled={pending}
          />
          {last && (
            <Checkbox
              label="This device is mine alone"
              hint="Otherwise your vault locks here after 30 minutes without a touch. You can change that in Sacred Settings."
              checked={isMine}
              onChange={(event) => setMine(event.target.checked)}
              disabled={pending}
            />
          )}
          <div className="flex flex-row-reverse justify-between gap-4">
            <Button
              type="submit"
              tone="primary"
              busy={pending}
              busyLabel="Sealing..."
              disabled={answer.trim() === ''}
            >
              {last ? 'Enter the Vault' : 'Continue'}
            </Button>
            {step > 0 && (
              <Button onClick={() => setStep(step - 1)} disabled={pending}>
                Previous
              </Button>
            )}
          </div>
        </form>
      </Room>
    </Shell>
  );
}
