// The second scroll: its words for whoever said the phrase, and the sealed file for whoever came by breath.
import { Link } from 'wouter';
import { game, type Revealed, SHADOW_SCROLL_FILE } from '../../../shared/nouns/game.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { splitParagraphs } from '../../ui/paragraphs.ts';

/** A line such as "II. A heading". */
const HEADING = /^[IVX]+\. .{1,80}$/;
/** Lines of hex, indented. */
const HEX = /^\s+[0-9a-f\s]+$/i;
const TITLE = /^SHADOW SCROLL 002$/i;

export function ShadowScroll({ revealed }: { revealed: Revealed | null }) {
  return (
    <section aria-labelledby="scroll" className="border border-ember/40 bg-ink-1">
      <p className="caps flex justify-between gap-6 border-b border-line px-6 py-4 text-dust sm:px-9">
        <span className="min-w-0 wrap-anywhere">{SHADOW_SCROLL_FILE}</span>
        <span className="max-sm:hidden">{revealed ? 'Revealed' : 'Sealed'}</span>
      </p>
      <div className="grid gap-x-16 gap-y-12 p-6 sm:p-9 md:grid-cols-[minmax(0,1fr)_19rem] lg:p-14">
        <div className="grid max-w-form content-start gap-6">
          <h2 id="scroll" tabIndex={-1} className="font-display text-title font-light tracking-tight">
            Shadow Scroll 002
          </h2>
          {revealed ? <Words text={revealed.text} /> : <Sealed />}
        </div>
        <div className="grid content-start gap-10 md:border-l md:border-line md:pl-10">
          <div className="grid justify-items-start gap-4">
            <ButtonLink
              tone={revealed ? 'primary' : 'quiet'}
              href={game.shadowFile.path}
              download={SHADOW_SCROLL_FILE}
            >
              Download .asc
            </ButtonLink>
            <p className="text-small text-shade">
              The file is encrypted under the phrase: <code className="whitespace-nowrap">gpg --decrypt</code>{' '}
              asks for it
              {revealed ? ', in this form:' : '.'}
            </p>
            {revealed && (
              <>
                <p className="font-machine text-small text-verdigris wrap-anywhere">{revealed.phrase}</p>
                <CopyButton value={revealed.phrase} tone="caps">
                  Copy the phrase
                </CopyButton>
              </>
            )}
          </div>
          <NextPhase />
        </div>
      </div>
    </section>
  );
}

function Words({ text }: { text: string }) {
  return splitParagraphs(text)
    .filter((paragraph) => !TITLE.test(paragraph))
    .map((paragraph) => {
      if (HEADING.test(paragraph)) {
        return (
          <h3 key={paragraph} className="mt-4 font-display text-name font-medium">
            {paragraph}
          </h3>
        );
      }
      if (HEX.test(paragraph)) {
        const hex = paragraph.replace(/\s+/g, '');
        return (
          <div key={paragraph} className="grid justify-items-start gap-3">
            <code className="border border-line bg-ink-0 px-5 py-4 text-small/[1.7] text-verdigris wrap-anywhere">
              {hex}
            </code>
            <CopyButton value={hex} tone="caps">
              Copy the hex
            </CopyButton>
          </div>
        );
      }
      return (
        <p key={paragraph} className="text-lead whitespace-pre-line">
          {paragraph}
        </p>
      );
    });
}

function Sealed() {
  return (
    <p className="text-lead text-dust">
      The chamber is open, and the scroll lies in it, sealed. Take it along. Its words are shown here to
      whoever says the phrase.
    </p>
  );
}

function NextPhase() {
  const link = 'text-ember underline decoration-ember/40 underline-offset-4 hover:decoration-ember';
  return (
    <section aria-labelledby="next" className="grid gap-4">
      <h3 id="next" className="label text-dust">
        Next Phase
      </h3>
      <ol className="grid list-decimal gap-3 pl-5 text-note marker:font-machine marker:text-tiny marker:text-shade">
        <li>
          Monitor{' '}
          <Link href="/thirteen-holders" className={link}>
            the thirteen holders
          </Link>{' '}
          at position <span className="font-machine text-small">0x7</span>.
        </li>
        <li>New hex strings appear when it is filled.</li>
        <li>
          <Link href="/test-verification" className={link}>
            Decode the hex string
          </Link>{' '}
          of this scroll.
        </li>
      </ol>
    </section>
  );
}
