// Whether what is brought in brings its photos and files too, and whether this vault has room for them.
import { counted } from '../../../shared/counted.ts';
import { formatBytes } from '../../../shared/nouns/usage.ts';
import { type Room, roomBeside, roomOfFiles } from '../../../vault/outbox/room-for-files.ts';
import { Checkbox } from '../../ui/choice-fields.tsx';
import { useUsage } from './room-left.ts';

interface ChoiceProps {
  /** The length of each file, in bytes. */
  files: readonly number[];
  /** The length of the text of each entry, in bytes. */
  texts: readonly number[];
  wanted: boolean;
  /** What is said where they are not wanted. */
  without: string;
  disabled?: boolean;
  onChange: (wanted: boolean) => void;
}

/** What files need, against what is left for them. @param left undefined while that is not known */
export function roomWords(need: Room, left: Room | undefined): string {
  const needed = `They need ${formatBytes(need.bytes)}`;
  if (!left) return `${needed}.`;
  const lacking =
    need.bytes > left.bytes
      ? formatBytes(left.bytes)
      : need.rows > left.rows
        ? `room for ${counted(left.rows, 'file', 'files')}`
        : null;
  if (lacking === null) return `${needed}, and ${formatBytes(left.bytes)} are left beside the words.`;
  return `${needed}, and this vault has ${lacking} left beside the words. The words come all the same. Photos and files that have no room are left out, and named at the end.`;
}

export function FilesChoice({ files, texts, wanted, without, disabled = false, onChange }: ChoiceProps) {
  const used = useUsage().data;
  const need = roomOfFiles(files);
  return (
    <Checkbox
      label="Bring photos and files too"
      checked={wanted}
      disabled={disabled}
      onChange={({ target }) => onChange(target.checked)}
      hint={wanted ? roomWords(need, used && roomBeside(used, texts)) : without}
    />
  );
}
