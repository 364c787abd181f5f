// A file as a small square: its thumbnail, or what kind of file it is in a few letters.
import type { FileRef } from '../../../vault/files/file-ref.ts';
import { classes } from '../../ui/classes.ts';

type Pictured = Pick<FileRef, 'name' | 'type' | 'thumbnail'>;

/** Such as "PDF"; a word for what has no ending. */
export function kindOf({ name, type }: Pictured): string {
  const ending = /\.([\p{L}\p{N}]{1,5})$/u.exec(name)?.[1];
  if (ending) return ending.toUpperCase();
  const [group = ''] = type.split('/');
  return group === 'application' ? 'FILE' : group.toUpperCase();
}

interface PictureProps {
  file: Pictured;
  className: string;
  /** What is around it has a border already. */
  isFramed?: boolean;
}

/** Decoration: what it shows is said beside it. */
export function FilePicture({ file, className, isFramed = false }: PictureProps) {
  const { thumbnail } = file;
  if (thumbnail) {
    return (
      <img
        src={`data:${thumbnail.type};base64,${thumbnail.data}`}
        alt=""
        draggable={false}
        className={classes('bg-ink-2 object-cover', className)}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={classes(
        'grid place-items-center overflow-hidden bg-ink-2 font-machine text-tiny tracking-label text-dust',
        !isFramed && 'border border-line',
        className,
      )}
    >
      {kindOf(file)}
    </span>
  );
}
