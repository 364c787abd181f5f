// What the dashboard says before its doors: that the switch does not work just now, and that words were left here.
import type { ReactNode } from 'react';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { formatDay, formatSpan } from '../../ui/moments.ts';
import { pauseWords, useSwitch } from '../../vault/the-switch.ts';
import { useVault } from '../../vault/vault-context.ts';

interface NoticeProps {
  id: string;
  title: string;
  urgent?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

function Notice({ id, title, urgent = false, action, children }: NoticeProps) {
  return (
    <section
      aria-labelledby={id}
      className={`mb-10 flex flex-wrap items-center justify-between gap-x-10 gap-y-5 border bg-ink-1 px-5 py-7 sm:px-8 ${urgent ? 'border-ember' : 'border-line'}`}
    >
      <div className="max-w-prose min-w-0">
        <h2 id={id} className="font-display text-heading">
          {title}
        </h2>
        <div className="mt-2 grid gap-3 text-dust">{children}</div>
      </div>
      {action}
    </section>
  );
}

/** For those whom it concerns: people with scrolls that watch, and keepers. */
export function SwitchNotice() {
  const { user } = useVault();
  const watched = user.watchingScrolls > 0;
  const state = useSwitch(watched || user.isAdmin);
  if (!state.data) {
    // Whether it works must not be guessed at; what is merely on its way says nothing yet.
    if (!state.isError) return null;
    return (
      <Notice
        id="switch"
        title="The switch could not be asked"
        action={
          <Button onClick={() => void state.refetch()} busy={state.isFetching} busyLabel="Asking">
            Ask again
          </Button>
        }
      >
        <p>Whether it works just now is not known to this page.</p>
      </Notice>
    );
  }
  const { paused, heldFor } = state.data;
  if (paused) {
    return (
      <Notice
        id="switch"
        urgent
        title="The switch is paused"
        action={
          user.isAdmin && (
            <ButtonLink to="/outbox" tone="primary">
              Look, and confirm
            </ButtonLink>
          )
        }
      >
        <p>{pauseWords[paused.reason].what}</p>
        <p>
          Since {formatDay(paused.since)} nobody is warned and no scroll is released
          {watched ? ', yours neither' : ''}.{' '}
          {user.isAdmin
            ? 'It waits for your word that this database is the one that counts.'
            : 'It waits for the word of this house’s keeper that this database is the one that counts.'}
        </p>
      </Notice>
    );
  }
  if (heldFor <= 0) return null;
  return (
    <Notice id="switch" title="The switch holds">
      <p>
        This house was out for more than an hour, or its switch was paused. For {formatSpan(heldFor)} more,
        silence releases no scroll, so that everybody who could not come by has time to.
      </p>
    </Notice>
  );
}

/** Words that other vaults have left for this one and that nobody has opened yet. */
export function WhispersNotice({ unopened }: { unopened: number }) {
  if (unopened === 0) return null;
  return (
    <Notice
      id="whispers"
      title={unopened === 1 ? 'A whisper was left for you' : `${unopened} whispers were left for you`}
      action={<ButtonLink to="/legacy-scroll">Go and read</ButtonLink>}
    >
      <p>
        {unopened === 1
          ? 'Somebody wrote it for your vault, to be released when the time had come. It has.'
          : 'They were written for your vault, to be released when the time had come. It has.'}
      </p>
    </Notice>
  );
}
