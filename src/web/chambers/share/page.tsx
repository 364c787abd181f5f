// A one-time link, as whoever holds it finds it. It stands outside every gate, and looking at it opens nothing.
import { Button } from '../../ui/button.tsx';
import { formatMoment } from '../../ui/moments.ts';
import { Room } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LinkEnding } from '../../vault/sharing/link-ending.tsx';
import { readSecretLink, type SecretLink } from '../../vault/sharing/secret-link.ts';
import { useSecretLink } from '../../vault/sharing/use-secret-link.ts';
import { SealedWords } from './sealed-words.tsx';
import { SharedWords } from './shared-words.tsx';
import { useShare } from './use-share.ts';

const readLink = (address: Pick<Location, 'pathname' | 'hash'>) => readSecretLink(address, '/share/');
const pathOf = (keyId: string) => `/share/${keyId}`;

export default function SharePage() {
  const link = useSecretLink(readLink, pathOf);
  // Not the app's shell: its link past the navigation would take the place of the secret in the address.
  return (
    <main className="flex min-h-dvh flex-col">
      <title>A one-time link · Latebra</title>
      <Link link={link} />
    </main>
  );
}

function Link({ link }: { link: SecretLink }) {
  const share = useShare(link);
  const { view } = share;
  if (view.at === 'opened') return <SharedWords entry={view.entry} />;
  const exposed = link.exposed && <Exposed />;
  return (
    <div className="flex flex-1 flex-col" aria-live="polite">
      {view.at === 'looking' && <Spinner screen label="Looking at the link" />}
      {view.at === 'waiting' && (
        <SealedWords
          {...view}
          busy={share.busy}
          problem={share.problem}
          onBreak={(passphrase) => void share.breakSeal(passphrase)}
        >
          {exposed}
        </SealedWords>
      )}
      {view.at === 'unreachable' && (
        <Room sigil="ash" title="The server does not answer" lead={`${view.problem} Nothing was opened.`}>
          <Button onClick={share.lookAgain} busy={share.looking} busyLabel="Trying">
            Try again
          </Button>
        </Room>
      )}
      {view.at === 'unreadable' && (
        <Room
          sigil="ash"
          width="prose"
          title="These words could not be opened"
          lead={`What the server sent does not open with this link. The words were not reported as read: until ${formatMoment(view.leaseUntil)} this tab can fetch them again. After that they are gone, and only the sender can help.`}
        >
          <Button onClick={share.lookAgain} busy={share.looking} busyLabel="Looking">
            Try again
          </Button>
        </Room>
      )}
      {view.at === 'not-whole' && (
        <LinkEnding
          title="This link is not whole"
          lead="Its end is missing or was changed on the way. Nothing was opened and nothing was lost. Copy the whole link, to its last letter, or ask the sender for it again."
        >
          {exposed}
        </LinkEnding>
      )}
      {view.at === 'unsealed' && (
        <Room
          sigil="wall"
          width="prose"
          title="This link is not ready yet"
          lead="Its sender has begun to make it, and the words have not arrived here. Nothing was opened and nothing was lost. Try again in a while, or ask the sender."
        >
          {exposed}
          <Button onClick={share.lookAgain} busy={share.looking} busyLabel="Looking">
            Look again
          </Button>
        </Room>
      )}
      {view.at === 'used' && (
        <LinkEnding
          title="This link was opened before"
          lead="It opened once, and what it carried is gone. If it was not you, tell the sender: they can see when it was opened."
        >
          {exposed}
        </LinkEnding>
      )}
      {view.at === 'expired' && (
        <LinkEnding
          title="This link has expired"
          lead="Nobody opened it in time, and what it carried is gone. The sender can make another."
        />
      )}
      {view.at === 'unknown' && (
        <LinkEnding
          title="This link leads nowhere"
          lead="It was revoked by its sender, or it was never made here. There is nothing to open."
        >
          {exposed}
        </LinkEnding>
      )}
    </div>
  );
}

function Exposed() {
  return (
    <p role="note" className="border border-ember/55 p-5 text-left text-note">
      This link was exposed on its way to you. A mail filter or another program bent it, and the part that
      should never leave a browser was sent along with the address. Whoever saw it there could open it before
      you. The address is put right now. Tell the sender, so that the next one goes another way.
    </p>
  );
}
