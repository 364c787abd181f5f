// No such chamber. The same words for visitors (rendered ahead of time, with a way in) and within the app (with a way
// back). The number is in the text: people and programs look for it.
import type { ReactNode } from 'react';
import { SIGN_IN_QUERY } from '../../../shared/screens.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { PublicNav } from '../../ui/nav.tsx';
import { Room, Shell } from '../../ui/page.tsx';

function NoSuchChamber({ children }: { children: ReactNode }) {
  return (
    <Room
      sigil="wall"
      title={
        <>
          404 — <span className="whitespace-nowrap">no such chamber</span>
        </>
      }
      lead="There is no page at this address. It may have been removed, or the address may be mistyped."
    >
      {children}
    </Room>
  );
}

/** Inside the app: stands within the shell that is already there. */
export function NotFoundPage() {
  return (
    <NoSuchChamber>
      <ButtonLink to="/">Back to the chambers</ButtonLink>
    </NoSuchChamber>
  );
}

/** Relative: the document is the same at every address, and the server leads back to this one. */
const SIGN_IN_HERE = `?${SIGN_IN_QUERY}`;

/** For visitors: a document of its own. */
export function NotFoundDocument() {
  return (
    <Shell nav={<PublicNav enter={SIGN_IN_HERE} />}>
      <NoSuchChamber>
        <p className="text-dust">If this is one of your own pages, sign in first.</p>
        <div className="flex flex-wrap justify-center gap-4">
          <ButtonLink href="/">To the start page</ButtonLink>
          <ButtonLink href={SIGN_IN_HERE} tone="primary">
            Enter
          </ButtonLink>
        </div>
      </NoSuchChamber>
    </Shell>
  );
}
