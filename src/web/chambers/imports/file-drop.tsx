// Where files are dropped, or chosen with the browser's own dialog.
import { type DragEvent, useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Sigil } from '../../ui/sigil.tsx';
import { takeFocus } from './underway-part.tsx';

interface FileDropProps {
  busy: boolean;
  /** Whether it takes the place of something that had the focus. */
  takesFocus: boolean;
  onChoose: (files: File[]) => void;
}

export function FileDrop({ busy, takesFocus, onChoose }: FileDropProps) {
  const id = useId();
  const [over, setOver] = useState(false);
  function drop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    if (!busy) onChoose([...event.dataTransfer.files]);
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
      <p className="font-display text-name">Drop files here</p>
      <input
        id={id}
        type="file"
        multiple
        hidden
        aria-label="Files to import"
        disabled={busy}
        // The same file can be chosen again after its reading was ended.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={(event) => onChoose([...(event.target.files ?? [])])}
      />
      <Button
        tone="primary"
        ref={takesFocus ? takeFocus : null}
        busy={busy}
        busyLabel="Reading"
        onClick={() => document.getElementById(id)?.click()}
      >
        Choose files
      </Button>
      <p className="text-note text-dust">Zips need not be unpacked.</p>
    </section>
  );
}
