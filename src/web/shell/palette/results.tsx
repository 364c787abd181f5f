// The list beneath the palette's field: its groups, and the one line that the arrows have reached.
import { classes } from '../../ui/classes.ts';
import { Sigil } from '../../ui/sigil.tsx';
import { Excerpt, Marked } from '../../vault/entries/found.tsx';
import type { Line, LineGroup } from './use-lines.ts';

/** Commands are found by the beginnings of words that they do not all show. */
const NO_WORDS: readonly string[] = [];

/** The id of a line's option within a list. */
export const optionId = (list: string, line: string) => `${list}-${line.replaceAll('/', '-')}`;

interface ResultsProps {
  id: string;
  groups: readonly LineGroup[];
  /** To be marked in what is found. */
  words: readonly string[];
  active: Line | undefined;
  onPoint: (line: string) => void;
  onRun: (line: Line) => void;
}

export function Results({ id, groups, words, active, onPoint, onRun }: ResultsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label="Results"
      className={classes(
        'min-h-0 flex-1 overflow-y-auto overscroll-contain pb-3',
        groups.every(({ lines }) => lines.length === 0) && 'hidden',
      )}
    >
      {groups.map(({ label, lines, count }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
        <div key={label} role="group" aria-labelledby={optionId(id, `group-${label.replaceAll(' ', '-')}`)}>
          <p
            id={optionId(id, `group-${label.replaceAll(' ', '-')}`)}
            role="presentation"
            className="caps px-5 pt-5 pb-2 text-shade sm:px-6"
          >
            {label}
            {count > lines.length && ` · ${lines.length} of ${count.toLocaleString('en-GB')}`}
          </p>
          {lines.map((line) => (
            <Option
              key={line.id}
              id={optionId(id, line.id)}
              line={line}
              words={line.sigil ? NO_WORDS : words}
              active={line === active}
              onPoint={() => onPoint(line.id)}
              onRun={() => onRun(line)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface OptionProps {
  id: string;
  line: Line;
  /** To be marked in it. */
  words: readonly string[];
  active: boolean;
  onPoint: () => void;
  onRun: () => void;
}

function Option({ id, line, words, active, onPoint, onRun }: OptionProps) {
  const { sigil, title, text, note } = line;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field, which has the focus, hears the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      className={classes(
        'flex min-h-11 cursor-pointer items-center gap-4 border-l-2 px-5 py-2 sm:px-6',
        active ? 'border-ember bg-ember/10 forced-colors:bg-[Highlight]' : 'border-transparent',
      )}
      onPointerMove={active ? undefined : onPoint}
      // The field keeps the focus.
      onPointerDown={(event) => event.preventDefault()}
      onClick={onRun}
    >
      {sigil && (
        <Sigil name={sigil} className={classes('size-6 shrink-0', active ? 'text-ember' : 'text-dust')} />
      )}
      <div className="grid min-w-0 flex-1 gap-0.5">
        <span className="flex items-baseline justify-between gap-4">
          <span className="min-w-0 font-display text-[1.25rem]/[1.3] font-medium wrap-anywhere" dir="auto">
            <Marked text={title} words={words} />
          </span>
          {note && <span className="caps shrink-0 text-shade">{note}</span>}
        </span>
        <Excerpt text={text} words={words} />
      </div>
    </div>
  );
}
