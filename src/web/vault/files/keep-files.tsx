// Beneath the files of an entry, on a device that nobody else uses: whether they open without a connection, and what makes them.
import { useSyncExternalStore } from 'react';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import type { FileRef } from '../../../vault/files/file-ref.ts';
import { Button } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { Keeping, KeepingState } from './keeping.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

export function KeepFiles({ files, keeping }: { files: readonly FileRef[]; keeping: Keeping }) {
  const states = useSyncExternalStore(keeping.subscribe, keeping.current);
  if (states === null || files.length === 0) return null;
  const stateOf = ({ id }: FileRef): KeepingState | undefined => states.get(id);
  const missing = files.filter((file) => stateOf(file)?.is !== 'whole');
  const [them, they] = files.length === 1 ? ['it', 'it opens'] : ['them', 'they open'];

  if (missing.some((file) => stateOf(file)?.is === 'underway')) {
    const all = sum(files.map(({ bytes }) => bytes));
    const here = files.map((file) => {
      const state = stateOf(file);
      if (state?.is === 'whole') return file.bytes;
      return state?.is === 'underway' ? state.done : 0;
    });
    const done = sum(here);
    return (
      <div className="grid gap-2">
        <ProgressBar
          label="Being kept on this device"
          value={done}
          max={all}
          valueText={`${formatBytes(done)} of ${formatBytes(all)}`}
        />
        <div>
          <Button tone="caps" onClick={() => void keeping.drop(missing)}>
            Stop
          </Button>
        </div>
      </div>
    );
  }

  if (missing.length === 0) {
    return (
      <p className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-small text-shade">
        Kept on this device: {they} without a connection.
        <Button tone="caps" onClick={() => void keeping.drop(files)}>
          Remove from this device
        </Button>
      </p>
    );
  }

  const failed = missing.map(stateOf).find((state) => state?.is === 'failed');
  return (
    <div className="grid gap-1">
      {failed?.is === 'failed' && (
        <p role="alert" className="border-l border-blood pl-4 text-note text-blood">
          {failed.why}
        </p>
      )}
      <p className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-small text-shade">
        <Button tone="caps" onClick={() => void keeping.keep(missing)}>
          {failed ? 'Try again' : 'Keep on this device'}
        </Button>
        {formatBytes(sum(missing.map(({ bytes }) => bytes)))}, to open {them} without a connection.
      </p>
    </div>
  );
}
