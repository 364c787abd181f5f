// Which files go along with a one-time link: those that its entry has, and others that are chosen here.
import { Checkbox } from '../../ui/choice-fields.tsx';
import { FilesField } from '../files/files-field-part.ts';
import type { LinkFilesForm } from './use-link-files.ts';

/** @property count how many files the entry has */
export function LinkFilesFields({ count, files }: { count: number; files: LinkFilesForm }) {
  return (
    <>
      {count > 0 && (
        <Checkbox
          label={count === 1 ? 'Its file goes along' : `Its ${count} files go along`}
          checked={files.along}
          onChange={(event) => files.setAlong(event.target.checked)}
          hint="As they are: a photo can say where it was taken. Whoever opens the link can fetch them for a day. A file that you erase from the entry is gone from the link as well."
        />
      )}
      <FilesField files={files.form} removePlaceByDefault />
    </>
  );
}
