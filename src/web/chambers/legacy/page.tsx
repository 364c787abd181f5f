// A legacy scroll, as whoever holds its address finds it: before its time and after. It stands outside every gate, and
// looking at it opens nothing.

import { useState } from 'react';
import { useHeadingFocus } from '../../hooks/use-heading-focus.ts';
import { Button } from '../../ui/button.tsx';
import { later } from '../../ui/later.tsx';
import { Room } from '../../ui/page.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { LinkEnding } from '../../vault/sharing/link-ending.tsx';
import { readSecretLink, type SecretLink } from '../../vault/sharing/secret-link.ts';
import { useSecretLink } from '../../vault/sharing/use-secret-link.ts';
import { Keyless } from './keyless.tsx';
import { NOTHING_HAPPENED, NoKey, Rehearsal, Rehearsed } from './rehearsal.tsx';
import { Released } from './released.tsx';
import { useLegacy } from './use-legacy.ts';
import { Waiting } from './waiting.tsx';

/** Fetched while the letter is. */
const LetterRead = later(
  async () => ({ default: (await import('../../vault/legacy/letter-read.tsx')).LetterRead }),
  <Spinner screen label="Opening the letter" />,
);

const bySheets = () => import('./by-sheets.tsx');
const BySheets = later(async () => ({ default: (await bySheets()).BySheets }), <Spinner screen />);
const OtherSheets = later(async () => ({ default: (await bySheets()).OtherSheets }), <Spinner screen />);

const readLink = (address: Pick<Location, 'pathname' | 'hash'>) => readSecretLink(address, '/legacy/');
const pathOf = (publicId: string) => `/legacy/${publicId}`;

/** Of a letter that this server has kept for another one. */
const AtSister = later(() => import('./sisters/at-sister.tsx'));

export default function LegacyPage() {
  return window.location.pathname.startsWith('/sisters') ? <AtSister /> : <AtHome />;
}

function AtHome() {
  const link = useSecretLink(readLink, pathOf, { follows: true });
  // What sheets have given stays out of the address, and out of the history of a browser that may be anybody's.
  const [combined, setCombined] = useState<string | null>(null);
  // Not the app's shell: its link past the navigation would take the place of the key in the address.
  return (
    <main className="flex min-h-dvh flex-col">
      <title>A legacy scroll · Latebra</title>
      <LegacyScroll
        key={combined}
        link={combined === null ? link : { ...link, secret: combined }}
        onCombined={setCombined}
      />
    </main>
  );
}

interface LegacyScrollProps {
  link: SecretLink;
  /** Takes the key that sheets have given together; null for other sheets. */
  onCombined: (secret: string | null) => void;
}

function LegacyScroll({ link, onCombined }: LegacyScrollProps) {
  const scroll = useLegacy(link);
  const { view, by } = scroll;
  const whole = view.at === 'waiting' && view.whole;
  const room = useHeadingFocus(view.at === 'looking' ? null : whole ? 'whole' : view.at);
  if (view.at === 'opened') return <LetterRead {...view} />;
  function open(passphrase: string) {
    // What fails here is said in its place.
    LetterRead.preload().catch(() => {});
    void scroll.present(passphrase);
  }
  const exposed = link.exposed && link.secret !== null && <Exposed />;
  const again = (
    <Button onClick={() => void scroll.lookAgain()} busy={scroll.looking} busyLabel="Looking">
      Look again
    </Button>
  );
  return (
    <div ref={room} className="flex flex-1 flex-col" aria-live="polite">
      {view.at === 'looking' && <Spinner screen label="Looking for the letter" />}
      {view.at === 'waiting' && (
        <Waiting
          {...view}
          {...scroll}
          onTry={() => void scroll.present()}
          onLook={() => void scroll.lookAgain()}
        >
          {exposed}
          {link.secret !== null && view.access !== 'card' && <CardOfBefore />}
        </Waiting>
      )}
      {view.at === 'released' && (
        <Released {...view} {...scroll} onOpen={open}>
          {exposed}
          {link.secret !== null && view.access !== 'card' && <CardOfBefore />}
        </Released>
      )}
      {view.at === 'rehearsal' && (
        <Rehearsal {...view} {...scroll} onOpen={(passphrase) => void scroll.present(passphrase)}>
          {exposed}
          {link.secret !== null && view.access !== 'card' && <CardOfBefore />}
        </Rehearsal>
      )}
      {view.at === 'rehearsed' && <Rehearsed {...view} />}
      {view.at === 'keyless' && view.needed === null && (
        <Keyless {...view}>{view.rehearsal && <NoKey by="card" tell={scroll.tellKeyless} />}</Keyless>
      )}
      {view.at === 'keyless' && view.needed !== null && (
        <BySheets {...view} needed={view.needed} exposed={link.exposed} onCombined={onCombined}>
          {view.rehearsal && <NoKey by="sheets" tell={scroll.tellKeyless} />}
        </BySheets>
      )}
      {view.at === 'unreachable' && (
        <Room sigil="ash" title="The server does not answer" lead={`${view.problem} Nothing was opened.`}>
          {again}
        </Room>
      )}
      {view.at === 'unreadable' && (
        <Room
          sigil="ash"
          width="prose"
          title="The scroll did not open"
          lead={`Your ${view.by} ${view.by === 'sheets' ? 'are' : 'is'} right, but what the server sent does not open with it. Nothing was lost. If it is no better in a while, tell the administrator of this server.`}
        >
          {again}
        </Room>
      )}
      {view.at === 'wrong-card' && by === 'sheets' && (
        <OtherSheets rehearsal={view.rehearsal} onOther={() => onCombined(null)} />
      )}
      {view.at === 'wrong-card' && by !== 'sheets' && (
        <LinkEnding
          title="This is not its card"
          lead={
            view.rehearsal
              ? `${NOTHING_HAPPENED} This card does not open the letter that waits here: its author may have made a newer one, which ended this one. If you were given another, open that one. Your author can see that this one was tried, and can give you another.`
              : 'There is a letter here, and this card does not open it. Its author may have made a newer card, which ended this one. Nothing was lost: if you were given another, open that one.'
          }
        >
          {exposed}
        </LinkEnding>
      )}
      {view.at === 'unknown' && (
        <LinkEnding
          title="This address leads nowhere"
          lead="The letter was taken back by its author, the time for which it was kept is over, or the address is not whole. There is nothing to open."
        />
      )}
    </div>
  );
}

function CardOfBefore() {
  return (
    <p role="note" className="border border-line p-5 text-left text-note">
      The card you came with does not open it any more: its author has since chosen another way.
    </p>
  );
}

function Exposed() {
  return (
    <p role="note" className="border border-ember/55 p-5 text-left text-note">
      This card was exposed on its way to you. A mail filter or another program bent its link, and the key
      that should never leave a browser was sent along with the address. Whoever saw it there can open the
      letter once it is sent. The address is put right now. Tell the author, while they can still make another
      card.
    </p>
  );
}
