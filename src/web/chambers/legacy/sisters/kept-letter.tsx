// A letter that an author has left with several instances: whoever was written to opens it here with the shares of enough of them.
// Looking again costs nothing, and opening it does not end it.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { sentenceOf } from '../../../../vault/api/api-error.ts';
import { openBySisters, type SisterOpening } from '../../../../vault/legacy/sister-opening.ts';
import { useApi } from '../../../api/services.tsx';
import { useHeadingFocus } from '../../../hooks/use-heading-focus.ts';
import { Button } from '../../../ui/button.tsx';
import { later } from '../../../ui/later.tsx';
import { Room } from '../../../ui/page.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { hideSecret } from '../../../vault/sharing/address-bar.ts';
import { LinkEnding } from '../../../vault/sharing/link-ending.tsx';
import { readSecretLink } from '../../../vault/sharing/secret-link.ts';
import { useSecretLink } from '../../../vault/sharing/use-secret-link.ts';
import { awayWords, goneWords, missingLead, missingTitle, watchingWords } from './opening-words.ts';

const LetterRead = later(
  async () => ({ default: (await import('../../../vault/legacy/letter-read.tsx')).LetterRead }),
  <Spinner screen label="Opening the letter" />,
);

const readLink = (address: Pick<Location, 'pathname' | 'hash'>) => readSecretLink(address, '/sisters/');
const pathOf = (id: string) => `/sisters/${id}`;

export default function KeptLetter() {
  const { fetch } = useApi();
  const { name: id, secret: token } = useSecretLink(readLink, pathOf, { follows: true });
  const opening = useQuery({
    queryKey: ['sisters', 'open', id, token],
    queryFn: () => openBySisters(fetch, window.location.origin, { id: id ?? '', token: token ?? '' }),
    enabled: id !== null && token !== null,
    // It may be time at any moment.
    gcTime: 0,
  });
  const { data, isError, isFetching, error, refetch } = opening;
  const isOpened = data?.at === 'opened';
  useEffect(() => {
    // Histories and bookmarks keep addresses for years; a reload goes on with it.
    if (isOpened && id !== null && token !== null) hideSecret(pathOf(id), token);
  }, [isOpened, id, token]);
  const isWhole = id !== null && token !== null;
  const view = isWhole ? (data?.at ?? (isError ? 'unreachable' : null)) : 'not-whole';
  const room = useHeadingFocus(view === 'opened' ? null : view);
  const again = (
    <Button onClick={() => void refetch()} busy={isFetching} busyLabel="Asking them">
      Ask them again
    </Button>
  );
  return (
    <main className="flex min-h-dvh flex-col">
      <title>A letter · Latebra</title>
      <div ref={room} className="flex flex-1 flex-col" aria-live="polite">
        {view === null && <Spinner screen label="Asking those who keep the letter" />}
        {!isWhole && (
          <LinkEnding
            title="This link is not whole"
            lead="Its end is missing or was changed on the way. Nothing was opened and nothing was lost. Copy it from the message to the last letter."
          />
        )}
        {view === 'unreachable' && (
          <Room
            sigil="ash"
            title="The server does not answer"
            lead={`${sentenceOf(error)} Nothing was opened.`}
          >
            {again}
          </Room>
        )}
        {data && <Answered data={data}>{again}</Answered>}
      </div>
    </main>
  );
}

function Answered({ data, children }: { data: SisterOpening; children: React.ReactNode }) {
  switch (data.at) {
    case 'opened':
      return <LetterRead letter={data.letter} by="link" />;
    case 'missing':
      return (
        <Room sigil="legacy" width="prose" title={missingTitle(data)} lead={missingLead(data)}>
          {data.watching.length > 0 && <p className="text-dust">{watchingWords(data.watching)}</p>}
          {data.away.length > 0 && <p className="text-ember">{awayWords(data.away)}</p>}
          {data.gone.length > 0 && <p className="text-dust">{goneWords(data.gone)}</p>}
          {children}
        </Room>
      );
    case 'unreadable':
      return (
        <Room
          sigil="ash"
          width="prose"
          title="The letter did not open"
          lead="Enough servers gave their part of its key, and the parts do not fit together: one of them keeps an earlier version, or is not honest. Nothing was lost. Come again when another of them answers."
        >
          {children}
        </Room>
      );
    case 'ended':
      return (
        <LinkEnding
          title="This letter was ended"
          lead="Its author has taken it back, or this server keeps it no more. Another message about the same letter, from another server, may still open it."
        />
      );
    case 'unknown':
      return (
        <LinkEnding
          title="This address leads nowhere"
          lead="The time for which this server kept the letter is over, or the link is not whole. Another message about the same letter, from another server, may still open it."
        />
      );
  }
}
