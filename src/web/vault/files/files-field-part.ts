// The field for files, in a file of its own: it is fetched with the first form that has one.
import { later } from '../../ui/later.tsx';

export const FilesField = later(() => import('./files-field.tsx'));
