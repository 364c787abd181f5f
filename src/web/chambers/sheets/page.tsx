// Where a guardian sees whether a sheet is whole, and several see what they have together. It asks the server nothing before
// enough sheets are there and somebody presses.
import { useEffect, useState } from 'react';
import { later } from '../../ui/later.tsx';
import { HomeNav } from '../../ui/nav.tsx';
import { Page, Shell } from '../../ui/page.tsx';
import { SheetsEntry } from '../../vault/guardians/sheets-entry.tsx';
import { hideSecret, readBar } from '../../vault/sharing/address-bar.ts';
import { readSecretLink } from '../../vault/sharing/secret-link.ts';

// Most who come here look at one sheet.
const AskForVault = later(() => import('./ask-for-vault.tsx'));

const PATH = '/sheets';
/** Bytes of a sheet in a link. */
const SHEET_BYTES = [38];
const readLink = (address: Pick<Location, 'pathname' | 'hash'>) =>
  readSecretLink(address, PATH, /^$/, SHEET_BYTES);

export default function SheetsPage() {
  const [link] = useState(() => readBar(readLink));
  // Which secret it is: what was asked with another one says nothing of this.
  const [found, setFound] = useState<{ secret: Uint8Array; nth: number } | null>(null);
  const take = (secret: Uint8Array | null) =>
    setFound((before) => secret && { secret, nth: (before?.nth ?? 0) + 1 });
  useEffect(() => {
    // Histories and bookmarks keep addresses for years.
    if (link.secret !== null) hideSecret(PATH, link.secret);
    const another = () => readLink(window.location).secret !== null && window.location.reload();
    window.addEventListener('hashchange', another);
    return () => window.removeEventListener('hashchange', another);
  }, [link]);
  return (
    <Shell nav={<HomeNav />}>
      <title>Guardians’ sheets · Latebra</title>
      <Page
        title="Guardians’ sheets"
        lead="Type the words of a sheet, and this page says whether it is whole. Nothing is opened and nothing is sent before enough sheets are together and you ask for the vault."
      >
        <div className="grid max-w-form gap-8">
          {link.exposed && (
            <p role="note" className="border border-ember/55 p-5 text-note">
              The link of this sheet was bent on its way, and its words were sent along with the address. Tell
              whoever gave you the sheet: they can make new ones.
            </p>
          )}
          <SheetsEntry first={link.secret} onSecret={take} />
          {link.secret !== null && (
            <p className="text-note text-dust">
              Each code that you scan opens a page of its own. To bring sheets together on this device, copy
              what stands in the field of one page into the next field of the other.
            </p>
          )}
          {found && <AskForVault key={found.nth} secret={found.secret} />}
          <p className="text-note text-dust">
            One sheet by itself opens nothing and tells nothing. Read its words to nobody who calls or writes
            and asks for them; bring it to where the others are.
          </p>
        </div>
      </Page>
    </Shell>
  );
}
