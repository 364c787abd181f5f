// Files: chosen or dropped, seen, and brought in.
import { type ReactNode, useState } from 'react';
import { counted } from '../../../shared/counted.ts';
import { tidyName } from '../../../vault/files/file-name.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Sigil } from '../../ui/sigil.tsx';
import { PlanLink } from '../../vault/plan/plan-limit.tsx';
import { ArchiveFound } from './archive-found.tsx';
import { FileDrop } from './file-drop.tsx';
import { LockedFiles } from './locked-files.tsx';
import { PaperPart } from './paper-part.tsx';
import { PreviewPart } from './preview.tsx';
import { howToExport, refusalSentence } from './sentences.ts';
import { takeFocus, UnderwayPart } from './underway-part.tsx';
import type { Outcome } from './use-bringing.ts';
import { useImports } from './use-imports.ts';
import { usePaper } from './use-paper.ts';

export function FilesSection() {
  const imports = useImports();
  // On arrival the focus stays where the page puts it.
  const [begun, setBegun] = useState(false);
  // Photographs that were read stay read while what they say is looked at.
  const paper = usePaper((file) => {
    setBegun(true);
    imports.choose([file]);
  });
  const { preview, underway, problem, archives, refused, locked, outcome } = imports;
  return (
    <section aria-labelledby="import-files" className="border-t border-line py-10">
      <div className="mb-8 max-w-prose">
        <h2 id="import-files" className="font-display text-heading">
          Files
        </h2>
        <p className="mt-2 text-note text-dust">
          Exports of other applications become memories, with their dates, tags and photos. The same file
          twice brings nothing in twice.
        </p>
      </div>
      <div className="grid gap-8">
        {outcome && outcome.unwritten > 0 && (
          <UnwrittenPart
            outcome={outcome}
            busy={underway !== null}
            onWrite={() => void imports.writeRest()}
          />
        )}
        {outcome?.unwritten === 0 && <OutcomePart outcome={outcome} onMore={imports.clear} />}
        {!preview && !outcome && (
          <FileDrop
            busy={underway !== null}
            takesFocus={begun}
            onChoose={(files) => {
              setBegun(true);
              imports.choose(files);
            }}
            onUnreadable={imports.tellUnreadable}
          />
        )}
        {!preview && !outcome && <PaperPart {...paper} />}
        {!preview && <Problem>{problem}</Problem>}
        <RefusedFiles refused={refused} />
        <LockedFiles locked={locked} busy={underway !== null} onUnlock={imports.unlock} />
        {archives.map((file, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have one name
          <ArchiveFound key={place} file={file} />
        ))}
        {!preview && !outcome && underway && <UnderwayPart underway={underway} onCancel={imports.stop} />}
        {preview && <PreviewPart {...imports} preview={preview} />}
        <Formats />
      </div>
    </section>
  );
}

function RefusedFiles({ refused }: { refused: ReturnType<typeof useImports>['refused'] }) {
  if (refused.length === 0) return null;
  return (
    <div role="alert" aria-label="Files that cannot be imported">
      <ul className="grid gap-3">
        {refused.map((file, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
          <li key={at} className="border-l border-blood/55 pl-5">
            <p className="font-machine text-small wrap-anywhere">{file.name}</p>
            <p className="text-note text-dust">{refusalSentence(file)}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** How to come by files that can be imported. */
function Formats() {
  return (
    <div>
      <h3 className="label mb-4 text-dust">What can be imported</h3>
      <dl className="grid border-t border-l border-line sm:grid-cols-2 md:grid-cols-3">
        {howToExport.map(({ format, name, says }) => (
          <div key={format} className="border-r border-b border-line px-6 py-5">
            <dt className="font-display text-[1.375rem]/[1.2] font-medium">{name}</dt>
            <dd className="mt-1.5 text-note text-dust">{says}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface UnwrittenProps {
  outcome: Outcome;
  busy: boolean;
  onWrite: () => void;
}

/** All are kept. What the book does not have yet, no other browser would miss: that comes before anything is said to be done. */
function UnwrittenPart({ outcome: { kept, unwritten }, busy, onWrite }: UnwrittenProps) {
  const all = counted(kept, 'memory was', 'memories were');
  return (
    <div className="grid gap-6 border border-ember/55 bg-ink-1 px-6 py-9 sm:px-10">
      <div role="alert">
        <h3 tabIndex={-1} ref={takeFocus} className="font-display text-heading outline-hidden">
          Not in your vault’s book yet
        </h3>
        <p className="mt-1 max-w-prose text-dust">
          {all} sealed in this browser and kept, and {unwritten.toLocaleString('en-GB')} of them{' '}
          {unwritten === 1 ? 'is' : 'are'} in no entry of the book: this server did not take it. This browser
          remembers them and would miss them. Your other devices would not.
        </p>
      </div>
      <div>
        <Button tone="primary" busy={busy} busyLabel="Writing" onClick={onWrite}>
          Write them into the book
        </Button>
      </div>
    </div>
  );
}

function OutcomePart({ outcome, onMore }: { outcome: Outcome; onMore: () => void }) {
  const { kept, here, notChosen, leftOut, files, unread, noRoom } = outcome;
  const lines = [
    { term: 'Brought in', count: kept },
    { term: 'Already here', count: here },
    { term: 'Not chosen', count: notChosen },
    { term: 'Left out', count: leftOut },
    ...(files > 0 ? [{ term: 'Photos and files', count: files }] : []),
  ];
  return (
    <section
      aria-label="What was imported"
      className="grid gap-8 border border-line bg-ink-1 px-6 py-9 sm:px-10"
    >
      <div className="flex items-start gap-6">
        <Sigil name="memory" className="size-13 shrink-0 text-ember" />
        <div role="status">
          <h3 tabIndex={-1} ref={takeFocus} className="font-display text-heading outline-hidden">
            Imported
          </h3>
          <p className="mt-1 text-dust">
            {kept === 0
              ? 'Everything was here already.'
              : `${counted(kept, 'memory was', 'memories were')} sealed in this browser and brought in.`}
          </p>
        </div>
      </div>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-6 sm:grid-cols-4">
        {lines.map(({ term, count }) => (
          <div key={term} className="flex flex-col-reverse justify-end">
            <dt className="label mt-1 text-dust">{term}</dt>
            <dd className="font-display text-[2rem]/none font-light">{count.toLocaleString('en-GB')}</dd>
          </div>
        ))}
      </dl>
      <FilesNamed names={unread}>
        {counted(unread.length, 'file is', 'files are')} damaged in the export and could not be read. The
        memories are here without {unread.length === 1 ? 'it' : 'them'}:
      </FilesNamed>
      <FilesNamed names={noRoom}>
        There was no room for {counted(noRoom.length, 'photo or other file', 'photos and other files')}. The
        memories are here without {noRoom.length === 1 ? 'it' : 'them'}, and importing again does not bring{' '}
        {noRoom.length === 1 ? 'it' : 'them'}: once there is room, add {noRoom.length === 1 ? 'it' : 'them'}{' '}
        by hand. <PlanLink />
      </FilesNamed>
      <div className="flex flex-wrap gap-4">
        <ButtonLink to="/memory-vault">Open the Memory Vault</ButtonLink>
        <Button onClick={onMore}>Import more</Button>
      </div>
    </section>
  );
}

/** What is said of files that did not come, and which they are. */
function FilesNamed({ names, children }: { names: readonly string[]; children: ReactNode }) {
  if (names.length === 0) return null;
  return (
    <div className="border-l border-blood/55 pl-5 text-note">
      <p>{children}</p>
      <p className="max-h-24 overflow-y-auto font-machine text-tiny wrap-anywhere text-shade">
        {names.map((name) => tidyName(name)).join(' · ')}
      </p>
    </div>
  );
}
