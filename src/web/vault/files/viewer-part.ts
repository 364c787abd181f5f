// What shows one file over the whole window, in a file of its own: it is fetched when somebody is about to press one.
import { later } from '../../ui/later.tsx';

export const FileViewer = later(() => import('./viewer.tsx'));
