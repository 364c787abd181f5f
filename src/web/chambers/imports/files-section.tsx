// Files: chosen or dropped, seen, and brought in.
import { useState } from 'react';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { counted } from '../../ui/counted.ts';
import { Problem } from '../../ui/problem.tsx';
import { Sigil } from '../../ui/sigil.tsx';
import { ArchiveFound } from './archive-found.tsx';
import { FileDrop } from './file-drop.tsx';
import { PreviewPart } from './preview.tsx';
import { howToExport, refusalSentences } from './sentences.ts';
import { takeFocus, UnderwayPart } from './underway-part.tsx';
import { type Outcome, useImports } from './use-imports.ts';

export function FilesSection() {
  const imports = useImports();
  // On arrival the focus stays where the page puts it.
  const [begun, setBegun] = useState(false);
  const { preview, underway, problem, archive, refused, outcome } = imports;
  return (
    <section aria-labelledby="import-files" className="border-t border-line py-10">
      <div className="mb-8 max-w-prose">
        <h2 id="import-files" className="font-display text-heading">
          Files
        </h2>
        <p className="mt-2 text-note text-dust">
          Exports of other applications become memories, with their dates and tags. The same file twice brings
          nothing in twice.
        </p>
      </div>
      <div className="grid gap-8">
        {outcome && <OutcomePart outcome={outcome} onMore={imports.clear} />}
        {!preview && !outcome && (
          <FileDrop
            busy={underway !== null}
            takesFocus={begun}
            onChoose={(files) => {
              setBegun(true);
              imports.choose(files);
            }}
          />
        )}
        {!preview && <Problem>{problem}</Problem>}
        <RefusedFiles refused={refused} />
        {archive && <ArchiveFound file={archive} />}
        {!preview && underway && <UnderwayPart underway={underway} onCancel={imports.stop} />}
        {preview && <PreviewPart {...imports} preview={preview} />}
        {!preview && !outcome && <Formats />}
      </div>
    </section>
  );
}

function RefusedFiles({ refused }: { refused: ReturnType<typeof useImports>['refused'] }) {
  if (refused.length === 0) return null;
  return (
    <div role="alert" aria-label="Files that cannot be imported">
      <ul className="grid gap-3">
        {refused.map(({ name, reason }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have the same name
          <li key={at} className="border-l border-blood/55 pl-5">
            <p className="font-machine text-small wrap-anywhere">{name}</p>
            <p className="text-note text-dust">{refusalSentences[reason]}</p>
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

function OutcomePart({ outcome, onMore }: { outcome: Outcome; onMore: () => void }) {
  const { kept, here, notChosen, leftOut } = outcome;
  const lines = [
    { term: 'Brought in', count: kept },
    { term: 'Already here', count: here },
    { term: 'Not chosen', count: notChosen },
    { term: 'Left out', count: leftOut },
  ];
  return (
    <div className="grid gap-8 border border-line bg-ink-1 px-6 py-9 sm:px-10">
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
      <div className="flex flex-wrap gap-4">
        <ButtonLink to="/memory-vault">Open the Memory Vault</ButtonLink>
        <Button onClick={onMore}>Import more</Button>
      </div>
    </div>
  );
}
