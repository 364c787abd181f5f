// The three answers of the ritual, read again. They are opened only when somebody asks for them, and forgotten when
// they are hidden.
import { useState } from 'react';
import { QUESTIONS } from '../../../shared/three-questions.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { answersList } from '../../../vault/outbox/answers.ts';
import { Button } from '../../ui/button.tsx';
import { formatDay } from '../../ui/moments.ts';
import { Section } from '../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { ChangedNote } from '../../vault/entries/changed.tsx';
import { OutsideNote } from '../../vault/entries/outside.tsx';
import { useRows } from '../../vault/session/use-rows.ts';

export function Answers() {
  const [shown, setShown] = useState(false);
  return (
    <Section
      title="The three answers"
      says="What you answered when you came. Only a browser that holds your key can open it."
    >
      {shown && <OpenedAnswers />}
      <div>
        <Button onClick={() => setShown(!shown)}>{shown ? 'Hide them' : 'Read them again'}</Button>
      </div>
    </Section>
  );
}

function OpenedAnswers() {
  const answers = useRows(answersList, { gcTime: 0 });
  if (answers.isPending) return <LoadingRows rows={3} label="Opening your answers" />;
  if (answers.isError) {
    return (
      <ErrorState onRetry={() => void answers.refetch()} retrying={answers.isFetching}>
        {sentenceOf(answers.error)}
      </ErrorState>
    );
  }
  const [given] = answers.data;
  if (!given) return <p role="status">The three questions have not been answered yet.</p>;
  const { changed, asSealed, createdAt, outside, adopt } = given;
  const texts = given.texts ?? (changed && asSealed);
  if (texts === null) {
    return (
      <p role="alert" className="text-blood">
        Your answers cannot be opened. They were sealed under a key that this vault does not have any more.
      </p>
    );
  }
  return (
    <>
      {changed && <ChangedNote subject="These answers were" changed={changed} />}
      {outside && <OutsideNote onAdopt={() => adopt().then(() => void answers.refetch())} />}
      <dl className="grid gap-7">
        {Object.values(texts).map((answer, i) => (
          <div key={QUESTIONS[i]}>
            <dt className="font-display text-[1.375rem]/[1.2] font-medium">{QUESTIONS[i]}</dt>
            <dd className="mt-2 whitespace-pre-wrap text-dust wrap-anywhere">{answer}</dd>
          </div>
        ))}
      </dl>
      <p className="text-note text-shade">Sealed {formatDay(createdAt)}</p>
    </>
  );
}
