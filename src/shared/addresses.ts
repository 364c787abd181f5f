// Addresses that server and browser both name. Apart from the route table, which the app's first load needs.
import type { ScreenPath } from './screens.ts';

/** Documents for everybody, which are no screens of the app: what leads there from it opens beside it. */
export const publicDocuments = { help: '/help', privacy: '/privacy' } as const;

/** Where a passphrase is set, changed and removed. */
export const PASSPHRASE_PATH = '/settings/recovery' satisfies ScreenPath;

/** Where an administrator looks after the server, and where the set-up token is entered while there is none. */
export const ADMINISTRATION_PATH = '/administration' satisfies ScreenPath;

/** It stands at the root, where all of the pages are in its scope. */
export const SERVICE_WORKER_PATH = '/service-worker.js';
