// The worker that opens what follows the first page of a long list.
import type { OpenedPage, OpeningRequest, PageOpener } from '../../../vault/opening/opening-work.ts';
import { askWorker } from '../../workers.ts';
import workerUrl from './opening-worker.ts?worker&url';

export const openElsewhere = (): PageOpener => askWorker<OpeningRequest, OpenedPage | null>(workerUrl);
