// What sends the files of a form, in a file of its own: it is fetched when somebody is about to choose one.
import { later } from '../../ui/later.tsx';

export const Uploads = later(() => import('./uploads.tsx'));
