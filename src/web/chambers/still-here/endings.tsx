// Where a mail's link ends: what a press has done, and links that count no more. Entering always counts.
import type { ReactNode } from 'react';
import type { ConfirmationKind } from '../../../shared/nouns/switch.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';

interface EndingProps {
  title: string;
  lead: ReactNode;
  /** Entering is what is left to do. */
  entering?: boolean;
}

export function Ending({ title, lead, entering = false }: EndingProps) {
  return (
    <Room sigil="wall" width="prose" title={title} lead={lead}>
      <ButtonLink href="/enter" tone={entering ? 'primary' : 'caps'}>
        Sign in
      </ButtonLink>
    </Room>
  );
}

function whatIsLeft(confirmationsLeft: number): string {
  if (confirmationsLeft <= 0) {
    return 'This was the last that counts in a row. Sign in once before the next warning is due: then links count again.';
  }
  const more = confirmationsLeft === 1 ? 'One more link counts' : 'Two more links count';
  return `${more} in a row; after that, only signing in does. It is better to sign in now and then.`;
}

/** No reminder is sent, for one of two reasons. @param opened the letter was opened, or its last reminder is long past */
export function NoReminders({ opened }: { opened: boolean }) {
  return (
    <Room
      sigil="check"
      width="prose"
      title="No more reminders are sent"
      lead={
        opened
          ? 'The letter was opened, or all reminders of it were sent. There is nothing to end.'
          : 'The letter stays where it is, and your key still opens it: the key card, or what its author told you, names the page. You can close this page.'
      }
    />
  );
}

/** No message of a rehearsal is sent any more; the letter will be. */
export function NoRehearsals() {
  return (
    <Room
      sigil="check"
      width="prose"
      title="No more rehearsals are sent"
      lead="What has ended: messages that ask you to try your key for this letter. Its author sees that you asked for it. What has not: the letter itself is still sent to you when its time comes, and your key still opens it, so keep it. You can close this page."
    />
  );
}

/** An author is reminded of rehearsals no more. */
export function NoYearly() {
  return (
    <Room
      sigil="check"
      width="prose"
      title="You are reminded no more"
      lead="What has ended: the yearly mails that ask you to rehearse the letters that watch now. The letters, and every warning before they are sent, stay as they are. A letter that you activate or rehearse from now on is reminded of again. You can close this page."
    />
  );
}

/** Whom somebody had named is their contact no more. */
export function NotAsked() {
  return (
    <Room
      sigil="check"
      width="prose"
      title="You are asked no more"
      lead="This server writes to you about them no more, and their author is told. You can close this page."
    />
  );
}

/** A trusted contact can postpone nothing. @param before they have, in this silence */
export function NoPostponing({ before }: { before: boolean }) {
  return (
    <Room
      sigil="wall"
      width="prose"
      title={before ? 'It was postponed before' : 'There is nothing to postpone'}
      lead={
        before
          ? 'The letters were postponed by thirty days, and that is possible once. They are sent after that, unless their author is active again. If you can reach them, ask them to sign in.'
          : 'Their author is active again, the letters were sent, all countdowns began anew, or you are not their trusted contact any more. Nothing was changed. You can close this page.'
      }
    />
  );
}

/** A press was heard. */
export function Done({
  kind,
  confirmationsLeft,
}: {
  kind: ConfirmationKind;
  confirmationsLeft: number | null;
}) {
  if (kind === 'reminders') return <NoReminders opened={false} />;
  if (kind === 'rehearsals') return <NoRehearsals />;
  if (kind === 'yearly') return <NoYearly />;
  if (kind === 'decline') return <NotAsked />;
  if (kind === 'postpone') {
    return (
      <Room
        sigil="check"
        width="prose"
        title="The letters are postponed"
        lead="None of them is sent for thirty days from now, and their author is told that you did this. After that they are sent, unless their author is active again. If you can reach them, ask them to sign in. You can close this page."
      />
    );
  }
  if (kind === 'guardians') {
    return (
      <Room
        sigil="check"
        width="prose"
        title="It is stopped"
        lead={`Your guardians open nothing now. They can ask again, ten times in all for a kit, and you would be told again. To end their sheets, sign in and remove the kit in your settings. ${whatIsLeft(confirmationsLeft ?? 0)}`}
      >
        <ButtonLink href="/enter" tone="caps">
          Sign in
        </ButtonLink>
      </Room>
    );
  }
  if (kind === 'prove-address') {
    return (
      <Room
        sigil="check"
        width="prose"
        title="Warnings will come here"
        lead="The address is confirmed. Before a letter of that vault is sent for inactivity, a mail is sent here first, with a link to confirm that its author is still there. You can close this page."
      />
    );
  }
  return (
    <Room
      sigil="candle"
      width="prose"
      title="You are still here"
      lead="The server has noted it. The countdown of your vault starts again from now."
    >
      {confirmationsLeft !== null && (
        <p className="text-balance text-dust">{whatIsLeft(confirmationsLeft)}</p>
      )}
      <ButtonLink
        href="/enter"
        tone={confirmationsLeft !== null && confirmationsLeft <= 0 ? 'primary' : 'caps'}
      >
        Sign in
      </ButtonLink>
    </Room>
  );
}
