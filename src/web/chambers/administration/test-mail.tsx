// One mail, sent now, and what the mail server said to it.
import { type FormEvent, useState } from 'react';
import { administration, type TestMailResult } from '../../../shared/nouns/administration.ts';
import { useApi } from '../../api/services.tsx';
import { useAttempt } from '../../hooks/use-attempt.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/section.tsx';
import { TextField } from '../../ui/text-fields.tsx';

export function TestMail() {
  const { send } = useApi();
  const { busy, problem, run } = useAttempt();
  const [to, setTo] = useState('');
  const [result, setResult] = useState<(TestMailResult & { to: string }) | null>(null);

  function submit(event: FormEvent) {
    event.preventDefault();
    setResult(null);
    const address = to.trim();
    void run(async () => {
      setResult({ to: address, ...(await send(administration.testMail, { body: { to: address } })) });
    });
  }

  return (
    <Section
      title="Test mail"
      says="Sends one mail now, and shows what your mail server says to it. It counts against no limit of letters."
    >
      <form className="grid gap-5" noValidate onSubmit={submit}>
        <TextField
          label="Send it to"
          type="email"
          autoComplete="email"
          value={to}
          onChange={(event) => setTo(event.target.value)}
          error={problem ?? undefined}
        />
        <div>
          <Button type="submit" busy={busy} busyLabel="Sending" disabled={to.trim() === ''}>
            Send a test mail
          </Button>
        </div>
      </form>
      <div role="status">{result && <Result {...result} />}</div>
    </Section>
  );
}

function Result({ to, outcome, why }: TestMailResult & { to: string }) {
  if (outcome === 'accepted') {
    return (
      <div className="grid justify-items-start gap-3">
        <Badge variant="open">Accepted</Badge>
        <p>
          Your mail server has taken the mail for <span className="wrap-anywhere">{to}</span>. Look whether it
          arrives, and whether it lies among the unwanted ones: no server knows that beforehand.
        </p>
      </div>
    );
  }
  return (
    <div className="grid justify-items-start gap-3">
      <Badge variant="danger">Not sent</Badge>
      <p>
        {outcome === 'no-mail'
          ? 'No mail server is set up. Set SMTP_URL, MAIL_FROM and PUBLIC_URL in the configuration, and start the server anew.'
          : why}
      </p>
    </div>
  );
}
