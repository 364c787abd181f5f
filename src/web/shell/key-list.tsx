// The list of keys, and the switch for those of a single letter.
import { Checkbox } from '../ui/choice-fields.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useCommands } from './commands.ts';

/** How this machine's keyboard calls the key that goes with K. */
const commandKey = () => (/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl');

export default function KeyList({ onClose }: { onClose: () => void }) {
  const commands = useCommands();
  const command = commandKey();
  const everywhere: Line[] = [
    { keys: [command, 'K'], does: 'Search, or go to a screen' },
    { keys: [command, 'Enter'], does: 'Seal or send the form you are in' },
    { keys: ['Esc'], does: 'Close what stands open' },
    { keys: ['F8'], does: 'Go to the latest notification' },
  ];
  const letters: Line[] = [
    { keys: ['/'], does: 'Search the chamber you are in' },
    { keys: ['N'], does: 'Begin a new entry in the chamber you are in' },
    { keys: ['?'], does: 'Show this list' },
  ];
  return (
    <Dialog open onClose={onClose} size="narrow" title="Keyboard">
      <Lines lines={everywhere} />
      <div className="grid gap-4 border-t border-line pt-6 sm:pb-10">
        <Lines lines={letters} off={!commands?.letters} />
        <Checkbox
          label="Use single-letter keys"
          hint="Kept in this browser. Turn them off if you dictate, or press keys by accident."
          checked={commands?.letters ?? false}
          onChange={(event) => commands?.setLetters(event.target.checked)}
        />
      </div>
    </Dialog>
  );
}

interface Line {
  keys: string[];
  does: string;
}

function Lines({ lines, off = false }: { lines: Line[]; off?: boolean }) {
  return (
    <dl className="grid grid-cols-[1fr_auto] items-baseline gap-x-6 gap-y-3">
      {lines.map(({ keys, does }) => (
        <div key={does} className="col-span-2 grid grid-cols-subgrid items-baseline">
          <dt className={`order-2 justify-self-end whitespace-nowrap ${off ? 'text-shade' : 'text-bone'}`}>
            {keys.map((key, i) => (
              <span key={key}>
                {i > 0 && ' '}
                <kbd className="inline-block min-w-8 border border-edge px-2 py-0.5 text-center">{key}</kbd>
              </span>
            ))}
          </dt>
          <dd className={`text-balance ${off ? 'text-shade' : 'text-dust'}`}>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
