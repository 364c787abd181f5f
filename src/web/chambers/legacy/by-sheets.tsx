// A scroll whose key is split among people: enough of their sheets give the key of its card here, and all else is as with a card.
// The key stays in this page: neither the address nor the server gets it. The word list is long: this is fetched for sheets alone.
import { type ReactNode, useState } from 'react';
import { scrollKeyToText } from '../../../crypto/scroll.ts';
import { Button } from '../../ui/button.tsx';
import { Room } from '../../ui/page.tsx';
import { SheetsEntry } from '../../vault/guardians/sheets-entry.tsx';
import { LinkEnding } from '../../vault/sharing/link-ending.tsx';
import { RANDOM_NAME, readSecretLink } from '../../vault/sharing/secret-link.ts';
import { NOTHING_HAPPENED } from './rehearsal.tsx';

/** Bytes of a sheet in a link. */
const SHEET_BYTES = [38];

export interface BySheetsProps {
  needed: number;
  released: boolean;
  rehearsal: boolean;
  /** The link of a sheet was bent, and sent along with the address. */
  exposed: boolean;
  /** @param secret the key of the card, as text */
  onCombined: (secret: string) => void;
  children?: ReactNode;
}

export function BySheets({ needed, released, rehearsal, exposed, onCombined, children }: BySheetsProps) {
  const [first] = useState(
    () => readSecretLink(window.location, '/legacy/', RANDOM_NAME, SHEET_BYTES).secret,
  );
  const [secret, setSecret] = useState<Uint8Array | null>(null);
  return (
    <Room
      sigil="legacy"
      width="prose"
      title={rehearsal ? 'A rehearsal' : released ? 'A scroll was left for you' : 'A scroll that waits'}
      lead={`${rehearsal ? `${NOTHING_HAPPENED} ` : ''}The key of this letter is split among people whom its author trusted. ${needed} of their sheets open it together${released || rehearsal ? '' : ', once it is sent'}. The server does not know who has them.`}
    >
      {exposed && first !== null && (
        <p role="note" className="border border-ember/55 p-5 text-left text-note">
          The link of this sheet was bent on its way, and its words were sent along with the address. Tell the
          author, while they can still make new sheets.
        </p>
      )}
      <SheetsEntry first={first} onSecret={setSecret} />
      <Button
        tone="primary"
        disabled={secret === null}
        onClick={() => secret && onCombined(scrollKeyToText(secret))}
      >
        Use these sheets
      </Button>
      {children}
      <p className="caps text-dust">The words stay in this browser</p>
    </Room>
  );
}

/** Sheets that belong together, and not to this letter. */
export interface OtherSheetsProps {
  rehearsal: boolean;
  onOther: () => void;
}

export function OtherSheets({ rehearsal, onOther }: OtherSheetsProps) {
  return (
    <LinkEnding
      title="These are not its sheets"
      lead={`${rehearsal ? `${NOTHING_HAPPENED} ` : ''}These sheets belong together, but they do not open the letter that waits here: its author may have made newer ones, which ended these. Nothing was lost.`}
    >
      <Button tone="primary" onClick={onOther}>
        Use other sheets
      </Button>
    </LinkEnding>
  );
}
