// A scroll that was released and not yet opened here: one press, or a passphrase. Nothing is fetched without it.
import type { ReactNode } from 'react';
import type { ScrollAccess, ScrollStretching } from '../../../shared/nouns/scroll-recipients.ts';
import { useUser } from '../../hooks/use-user.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Room } from '../../ui/page.tsx';
import { From } from './from.tsx';
import { OpeningForm } from './opening-form.tsx';
import type { KeyKind, Problem } from './use-legacy.ts';

interface ReleasedProps {
  access: ScrollAccess;
  by: KeyKind;
  stretching: ScrollStretching | null;
  openedAt: string | null;
  authorName: string | null;
  busy: boolean;
  problem: Problem | null;
  onOpen: (passphrase: string) => void;
  children?: ReactNode;
}

const TITLE = 'A scroll was left for you';

export function Released(props: ReleasedProps) {
  const { access, children } = props;
  if (access === 'vault') {
    return (
      <Room
        sigil="legacy"
        width="prose"
        title="This scroll lies in a vault"
        lead="It was sent. It is sealed to one vault of this server and opens nowhere else. If that vault is yours, it waits in your chamber of legacy scrolls."
      >
        {children}
        <WayIn />
      </Room>
    );
  }
  if (access === 'none') {
    return (
      <Room
        sigil="legacy"
        width="prose"
        title={TITLE}
        lead="It was sent, but the program that sealed it gave it no key of its own. Only the vault that it came from can open it; this page cannot, and neither can this server."
      >
        {children}
      </Room>
    );
  }
  return <ByPress {...props} />;
}

/** Whoever is signed in here need not come by the gate. */
function WayIn() {
  const user = useUser();
  if (user.isPending) return null;
  return user.data ? (
    <ButtonLink href="/legacy-scroll" tone="primary">
      Go to your whispers
    </ButtonLink>
  ) : (
    <ButtonLink href="/enter?return=/legacy-scroll" tone="primary">
      Enter
    </ButtonLink>
  );
}

const leads: Record<KeyKind, string> = {
  passphrase:
    'It was sent to you, and opens by the passphrase that its author has told you. It can be opened again: you can come back with the same passphrase.',
  card: 'It was sent to you, and your card opens it. It can be opened again: you can come back with the same card.',
  sheets:
    'It was sent to you, and the sheets that are together here open it. It can be opened again: you can come back with the same sheets.',
};

function ByPress({ access, by, openedAt, authorName, busy, problem, onOpen, children }: ReleasedProps) {
  const byPassphrase = access === 'passphrase';
  return (
    <Room sigil="legacy" width="prose" title={TITLE} lead={leads[by]}>
      {authorName && <From name={authorName} />}
      {children}
      {openedAt && (
        <p className="text-note text-balance text-dust">
          Opened before, first on {formatMoment(openedAt)}. If that was not you, somebody else has the {by}.
        </p>
      )}
      <OpeningForm
        {...{ byPassphrase, busy, problem, onOpen }}
        label="Open the scroll"
        hint="Wrong ones are counted, and each makes the next wait longer. They lose nothing."
        missing="This letter asks for a passphrase."
      />
      <p className="caps text-dust">Nothing is opened before you press the button</p>
    </Room>
  );
}
