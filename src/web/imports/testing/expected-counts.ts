// What each file of fixtures.ts becomes, in numbers. A test imports every file and compares; `npm run docs` writes the
// table of docs/imports.md from it.
import type { ImportFormat, LeftOutReason } from '../imported-entry.ts';
import type { RefusedFile } from '../read-files.ts';

/** What becomes of one file. */
export interface ExpectedCounts {
  format: ImportFormat;
  memories: number;
  /** How many of them say when they happened. */
  dated: number;
  /** Tags of all of them together. */
  tags: number;
  /** Pictures and other files that come along with them. */
  files: number;
  leftOut: Partial<Record<LeftOutReason, number>>;
}

/** By the name of the fixture, in the order of the table. */
export const expectedCounts: Record<string, ExpectedCounts> = {
  'Journal.zip': { format: 'day-one', memories: 1, dated: 1, tags: 2, files: 1, leftOut: { empty: 1 } },
  'Journal.json': {
    format: 'day-one',
    memories: 1,
    dated: 1,
    tags: 2,
    files: 0,
    leftOut: { media: 1, empty: 1 },
  },
  'Journal text.zip': { format: 'day-one', memories: 2, dated: 2, tags: 2, files: 1, leftOut: {} },
  'Export-1.zip': { format: 'notion', memories: 1, dated: 1, tags: 1, files: 0, leftOut: { database: 1 } },
  'vault.zip': { format: 'markdown', memories: 2, dated: 2, tags: 2, files: 0, leftOut: { 'other-file': 2 } },
  'WhatsApp Chat - Nora.zip': {
    format: 'whatsapp',
    memories: 2,
    dated: 2,
    tags: 0,
    files: 0,
    leftOut: { media: 2, notice: 1 },
  },
  'WhatsApp Chat with Nora.txt': {
    format: 'whatsapp',
    memories: 2,
    dated: 2,
    tags: 0,
    files: 0,
    leftOut: { media: 1, notice: 1 },
  },
  'result.json': { format: 'telegram', memories: 1, dated: 1, tags: 0, files: 0, leftOut: { notice: 1 } },
  'takeout.zip': {
    format: 'google-keep',
    memories: 1,
    dated: 1,
    tags: 1,
    files: 0,
    leftOut: { trashed: 1, copy: 1, 'other-file': 2 },
  },
  'Standard Notes.zip': {
    format: 'standard-notes',
    memories: 1,
    dated: 1,
    tags: 1,
    files: 0,
    leftOut: { copy: 1 },
  },
  'Standard Notes encrypted.txt': {
    format: 'standard-notes',
    memories: 1,
    dated: 1,
    tags: 1,
    files: 0,
    leftOut: { trashed: 1 },
  },
  'paper.json': { format: 'paper', memories: 2, dated: 2, tags: 2, files: 0, leftOut: {} },
  'notes.zip': {
    format: 'simplenote',
    memories: 1,
    dated: 1,
    tags: 1,
    files: 0,
    leftOut: { trashed: 1, copy: 2 },
  },
  'Bear Notes.bear2bk': {
    format: 'bear',
    memories: 1,
    dated: 1,
    tags: 1,
    files: 0,
    leftOut: { trashed: 1, encrypted: 1, media: 1 },
  },
  'Ulysses.zip': { format: 'markdown', memories: 1, dated: 0, tags: 0, files: 0, leftOut: {} },
  'tomboy.zip': { format: 'tomboy', memories: 1, dated: 1, tags: 1, files: 0, leftOut: { 'other-file': 1 } },
  'The trip.canvas': { format: 'markdown', memories: 1, dated: 0, tags: 0, files: 0, leftOut: {} },
  'journal.json': { format: 'jrnl', memories: 1, dated: 1, tags: 1, files: 0, leftOut: {} },
  'journal.txt': { format: 'jrnl', memories: 2, dated: 2, tags: 1, files: 0, leftOut: {} },
  'bitwarden.json': {
    format: 'bitwarden',
    memories: 1,
    dated: 0,
    tags: 1,
    files: 0,
    leftOut: { credential: 1 },
  },
  'Garden.enex': {
    format: 'evernote',
    memories: 2,
    dated: 2,
    tags: 2,
    files: 1,
    leftOut: { encrypted: 1, empty: 1 },
  },
  'notes.jex': { format: 'joplin', memories: 1, dated: 1, tags: 2, files: 1, leftOut: { trashed: 1 } },
  'journey.zip': { format: 'journey', memories: 1, dated: 1, tags: 2, files: 1, leftOut: {} },
  'AppleJournalEntries.zip': {
    format: 'apple-journal',
    memories: 1,
    dated: 1,
    tags: 0,
    files: 1,
    leftOut: { copy: 1 },
  },
  'Export-2.zip': {
    format: 'notion',
    memories: 1,
    dated: 1,
    tags: 1,
    files: 0,
    leftOut: { database: 1, copy: 1 },
  },
  'backup.upnx': { format: 'upnote', memories: 1, dated: 1, tags: 3, files: 0, leftOut: { trashed: 1 } },
  'Garden.mht': { format: 'onenote', memories: 1, dated: 0, tags: 0, files: 1, leftOut: {} },
  'page.html': { format: 'html', memories: 1, dated: 0, tags: 0, files: 0, leftOut: {} },
  'letter.txt': { format: 'plain-text', memories: 1, dated: 0, tags: 0, files: 0, leftOut: {} },
};

/** Files that are refused as a whole, and why. */
export const expectedRefusals: Record<string, Pick<RefusedFile, 'reason' | 'seems'>> = {
  'Diary.pdf': { reason: 'foreign', seems: 'pdf' },
  'ChatExport.zip': { reason: 'foreign', seems: 'telegram-html' },
};
