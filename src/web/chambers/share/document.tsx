// The page of a one-time link: a document, with the button in it. What it can come to besides stands in templates, which are
// no part of the page until its script (script.ts) puts them there. Looking at it opens nothing.
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Room } from '../../ui/page.tsx';
import { PARAGRAPH, RUNNING_TEXT } from '../../ui/paragraphs.ts';
import { Problem } from '../../ui/problem.tsx';
import { Sigil } from '../../ui/sigil.tsx';
import { SecretField } from '../../ui/text-fields.tsx';
import { LinkEnding } from '../../vault/sharing/link-ending.tsx';

export function ShareDocument() {
  // Not the shell of other pages: its link past the navigation would take the place of the secret in the address.
  return (
    <main data-share="" className="flex min-h-dvh flex-col">
      <noscript>
        <p className="wrap py-12">
          The words are opened in your browser, and that needs JavaScript. Please allow it for this site.
        </p>
      </noscript>
      <div data-place="" className="flex flex-1 flex-col noscript:hidden" aria-live="polite">
        <Sealed
          title="Somebody left you words"
          lead="They can be read once. When you open them, they are shown in this browser and erased from the server: nobody can open this link again, and neither can you. Make sure that you have time to read."
          press="Open and read"
          promise="Nothing is opened before you press the button"
        />
      </div>
      <p data-said="" className="sr-only" aria-live="polite" />
      <View name="begun">
        <Sealed
          title="The words did not arrive"
          lead="They were opened in this tab, but the words did not arrive, or were not reported as read. For ten minutes after they were opened, this tab can fetch them, and nobody else can."
          press="Fetch the words"
          promise="Nobody else can fetch them"
        />
      </View>
      <View name="unreachable">
        <Room
          sigil="ash"
          title="The server does not answer"
          lead={<Told before="" after=" Nothing was opened." />}
        >
          <Look busyLabel="Trying">Try again</Look>
        </Room>
      </View>
      <View name="unreadable">
        <Room
          sigil="ash"
          width="prose"
          title="These words could not be opened"
          lead={
            <Told
              before="What the server sent does not open with this link. The words were not reported as read: until "
              after=" this tab can fetch them again. After that they are gone, and only the sender can help."
            />
          }
        >
          <Look busyLabel="Looking">Try again</Look>
        </Room>
      </View>
      <Endings />
      <View name="opened">
        <Opened />
      </View>
      <View name="passphrase">
        <div className="w-full">
          <SecretField
            label="Passphrase"
            hint="The sender has told it to you by another way. A wrong one does not use up the link."
            autoComplete="off"
            error={<span data-told="" />}
          />
        </div>
      </View>
      <View name="eye">
        <Sigil name="eye" className="size-6" />
      </View>
      <View name="problem">
        <Problem> </Problem>
      </View>
    </main>
  );
}

/** Why there is nothing to open, or not yet. */
const Endings = () => (
  <>
    <View name="not-whole">
      <LinkEnding
        title="This link is not whole"
        lead="Its end is missing or was changed on the way. Nothing was opened and nothing was lost. Copy the whole link, to its last letter, or ask the sender for it again."
      >
        <Exposed />
      </LinkEnding>
    </View>
    <View name="unsealed">
      <Room
        sigil="wall"
        width="prose"
        title="This link is not ready yet"
        lead="Its sender has begun to make it, and the words have not arrived here. Nothing was opened and nothing was lost. Try again in a while, or ask the sender."
      >
        <Exposed />
        <Look busyLabel="Looking">Look again</Look>
      </Room>
    </View>
    <View name="used">
      <LinkEnding
        title="This link was opened before"
        lead="It opened once, and what it carried is gone. If it was not you, tell the sender: they can see when it was opened."
      >
        <Exposed />
      </LinkEnding>
    </View>
    <View name="expired">
      <LinkEnding
        title="This link has expired"
        lead="Nobody opened it in time, and what it carried is gone. The sender can make another."
      />
    </View>
    <View name="unknown">
      <LinkEnding
        title="This link leads nowhere"
        lead="It was revoked by its sender, or it was never made here. There is nothing to open."
      >
        <Exposed />
      </LinkEnding>
    </View>
  </>
);

/** What the script puts on the page when its time has come. */
const View = ({ name, children }: { name: string; children: ReactNode }) => (
  <template data-view={name}>{children}</template>
);

/** A sentence around what the script knows. */
const Told = ({ before, after }: { before: string; after: string }) => (
  <>
    {before}
    <span data-told="" />
    {after}
  </>
);

const Look = ({ busyLabel, children }: { busyLabel: string; children: ReactNode }) => (
  <Button data-look="" busyLabel={busyLabel}>
    {children}
  </Button>
);

interface SealedProps {
  title: string;
  lead: string;
  press: string;
  promise: string;
}

/** Words that wait: what will happen is said before the press, and nothing happens without it. */
function Sealed({ title, lead, press, promise }: SealedProps) {
  return (
    <Room sigil="key" width="prose" title={title} lead={lead}>
      <Exposed />
      <form noValidate className="grid w-full max-w-gate justify-items-center gap-6">
        {/* Until there is what answers a press, which is before the first paint wherever the browser can wait for it. */}
        <Button type="submit" tone="primary" busyLabel="Opening" disabled>
          {press}
        </Button>
      </form>
      <p className="caps text-dust">{promise}</p>
    </Room>
  );
}

/** The words, opened: read here, once. They live in this page alone and leave with it. */
function Opened() {
  return (
    <div className="candle-above grid flex-1 place-items-center px-5 py-16 sm:px-8 sm:py-24 print:block print:bg-none print:p-0">
      <article
        tabIndex={-1}
        data-reading=""
        className="w-full max-w-prose animate-appear print:max-w-none print:animate-none"
      >
        <p className="caps mb-4 text-dust">Left for you</p>
        <h1 className="font-display text-[clamp(2.25rem,1.8rem+2vw,3rem)]/[1.1] wrap-anywhere">
          <span data-told="" />
        </h1>
        <p data-facts="" className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-body text-shade" />
        <p className="mt-6 border-l border-ember/55 pl-4 text-note text-dust print:hidden">
          This was its only opening. When you leave this page the words are gone: copy what you must keep.
        </p>
        <div data-content="" className="mt-10">
          <div className={RUNNING_TEXT}>
            <p dir="auto" className={classes(PARAGRAPH, 'drop-capital')} />
          </div>
        </div>
        <div data-files="" hidden>
          <p className="mt-10 text-note text-dust print:hidden">
            Files came along. <Button tone="caps">Show them</Button>
          </p>
        </div>
        <footer className="mt-12 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-line pt-6 print:hidden">
          <p className="text-note text-dust">The link opens nothing any more.</p>
          <span className="flex flex-wrap gap-4">
            <CopyButton value="">Copy the words</CopyButton>
            <Button size="small" data-print="">
              Print
            </Button>
          </span>
        </footer>
      </article>
    </div>
  );
}

function Exposed() {
  return (
    <p data-exposed="" role="note" className="border border-ember/55 p-5 text-left text-note" hidden>
      This link was exposed on its way to you. A mail filter or another program bent it, and the part that
      should never leave a browser was sent along with the address. Whoever saw it there could open it before
      you. The address is put right now. Tell the sender, so that the next one goes another way.
    </p>
  );
}
