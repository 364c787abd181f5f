// Where files and folders are dropped, or chosen with the browser's own dialog.
import { type DragEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Sigil } from '../../ui/sigil.tsx';
import { filesOfDrop, filesOfInput } from './chosen-files.ts';
import { takeFocus } from './underway-part.tsx';

interface FileDropProps {
  busy: boolean;
  /** Whether it takes the place of something that had the focus. */
  takesFocus: boolean;
  onChoose: (files: File[]) => void;
  /** What was dropped cannot be read. */
  onUnreadable: () => void;
}

export function FileDrop({ busy, takesFocus, onChoose, onUnreadable }: FileDropProps) {
  const [files, folder] = [useId(), useId()];
  const [over, setOver] = useState(false);
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    if (!busy) void filesOfDrop(event.dataTransfer).then(onChoose, onUnreadable);
  }
  return (
    <section
      aria-label="Choose files"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classes(
        'grid justify-items-center gap-4 border border-dashed px-5 py-12 text-center transition-colors sm:py-16',
        over ? 'border-ember bg-ember/7' : 'border-edge/70 bg-ink-1',
      )}
    >
      <Sigil
        name="scroll"
        className={classes('size-15 transition-colors', over ? 'text-ember' : 'text-shade')}
      />
      <p className="font-display text-name">Drop files or folders here</p>
      <PickInput id={files} label="Files to import" busy={busy} onChoose={onChoose} />
      <PickInput id={folder} label="Folder to import" busy={busy} onChoose={onChoose} isFolder />
      <div className="flex flex-wrap justify-center gap-4">
        <Button
          tone="primary"
          ref={takesFocus ? takeFocus : null}
          busy={busy}
          busyLabel="Reading"
          onClick={() => document.getElementById(files)?.click()}
        >
          Choose files
        </Button>
        <Button disabled={busy} onClick={() => document.getElementById(folder)?.click()}>
          Choose a folder
        </Button>
      </div>
      <p className="text-note text-dust">Zips need not be unpacked.</p>
    </section>
  );
}

interface PickProps {
  id: string;
  label: string;
  busy: boolean;
  /** Whether it takes a folder, with all that is in it. */
  isFolder?: boolean;
  onChoose: (files: File[]) => void;
}

/** A file input that nobody sees: a button presses it. */
function PickInput({ id, label, busy, isFolder = false, onChoose }: PickProps) {
  return (
    <input
      id={id}
      type="file"
      multiple
      // React has no property of this name.
      ref={(input) => {
        if (input) input.webkitdirectory = isFolder;
      }}
      hidden
      aria-label={label}
      disabled={busy}
      // The same file can be chosen again after its reading was ended.
      onClick={(event) => {
        event.currentTarget.value = '';
      }}
      onChange={(event) => onChoose(filesOfInput(event.target.files ?? []))}
    />
  );
}
