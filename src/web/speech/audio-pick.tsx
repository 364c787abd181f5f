// Picks one audio file. It sends nothing and keeps nothing.
import { useId } from 'react';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast-store.ts';
import { inMegabytes, isAudio } from './audio-file.ts';
import { sayNotAudio } from './audio-toasts.ts';

interface AudioPickProps {
  label: string;
  file: File | null;
  onPick: (file: File) => void;
  disabled?: boolean;
}

/** A button that opens the browser's own dialog, and beside it the file that was picked, with its size. */
export function AudioPick({ label, file, onPick, disabled = false }: AudioPickProps) {
  const id = useId();

  function pick(picked: File | undefined) {
    if (!picked) return;
    if (!isAudio(picked)) {
      sayNotAudio();
      return;
    }
    onPick(picked);
    toast({ title: 'Audio File Selected', description: picked.name });
  }

  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <input
        id={id}
        type="file"
        accept="audio/*"
        hidden
        disabled={disabled}
        // The same file can be picked again after it was cleared.
        onClick={(event) => {
          event.currentTarget.value = '';
        }}
        onChange={(event) => pick(event.target.files?.[0])}
      />
      <Button
        size="small"
        disabled={disabled}
        onClick={() => document.getElementById(id)?.click()}
        aria-describedby={`${id}-picked`}
      >
        {label}
      </Button>
      <p id={`${id}-picked`} className="min-w-0 text-note text-dust wrap-anywhere">
        {file ? (
          <span className="font-machine text-small">
            {file.name} · {inMegabytes(file.size)}
          </span>
        ) : (
          'No file selected'
        )}
      </p>
    </div>
  );
}
