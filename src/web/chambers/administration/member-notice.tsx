// What the administrator tells everybody who has a vault here: on their first page, until they have read it.
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import {
  administration,
  NOTICE_MAX,
  type MemberNotice as Notice,
} from '../../../shared/nouns/administration.ts';
import { sentenceOf } from '../../../vault/api/api-error.ts';
import { useApi } from '../../api/services.tsx';
import { useAnswer } from '../../api/use-answer.ts';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { TextArea } from '../../ui/text-fields.tsx';
import { toast } from '../../ui/toaster.tsx';

const KEY = [administration.notice.path];

export function MemberNotice() {
  const standing = useAnswer(administration.notice, { refetchOnMount: 'always' });
  return (
    <Section
      title="A notice to everybody"
      says="It stands on everybody’s first page until they have read it: that a backup was restored, and from when, or that the server will be away. It is not sealed."
    >
      {standing.isPending && <LoadingRows rows={1} label="Fetching the notice" />}
      {standing.isError && (
        <ErrorState onRetry={() => void standing.refetch()}>{sentenceOf(standing.error)}</ErrorState>
      )}
      {standing.data !== undefined && <NoticeForm standing={standing.data} />}
    </Section>
  );
}

function NoticeForm({ standing }: { standing: Notice | null }) {
  const { send } = useApi();
  const queryClient = useQueryClient();
  const { busy, problem, run } = useAttempt();
  const [says, setSays] = useState(standing?.says ?? '');

  const put = (text: string) =>
    run(async () => {
      queryClient.setQueryData(KEY, await send(administration.putNotice, { body: { says: text } }));
      setSays(text);
      toast({ title: text === '' ? 'The notice was taken back' : 'The notice is shown to everybody' });
    });

  function submit(event: FormEvent) {
    event.preventDefault();
    void put(says.trim());
  }

  return (
    <form className="grid gap-5" onSubmit={submit}>
      <TextArea
        label="What it says"
        rows={3}
        maxLength={NOTICE_MAX}
        hint={standing ? `Shown since ${formatMoment(standing.since)}.` : 'Nothing is shown now.'}
        value={says}
        onChange={(event) => setSays(event.target.value)}
      />
      <Problem>{problem}</Problem>
      <div className="flex flex-wrap gap-4">
        <Button type="submit" busy={busy} disabled={says.trim() === '' || says.trim() === standing?.says}>
          Show it to everybody
        </Button>
        {standing && (
          <Button disabled={busy} onClick={() => void put('')}>
            Take it back
          </Button>
        )}
      </div>
    </form>
  );
}
