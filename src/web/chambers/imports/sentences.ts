// What the page says of files that cannot be imported, and of what stays behind.

import { counted } from '../../../shared/counted.ts';
import { FILES_OF_ENTRY_MAX } from '../../../shared/file-limits.ts';
import type { Calendar } from '../../imports/calendars.ts';
import { type DateOrder, partsOfOrder } from '../../imports/chats.ts';
import { foreignFiles } from '../../imports/foreign-files.ts';
import type { ImportFormat, LeftOut, LeftOutReason, RefusalReason } from '../../imports/imported-entry.ts';
import type { RefusedFile } from '../../imports/read-files.ts';

export const refusalSentences: Record<RefusalReason, string> = {
  empty: 'This file is empty.',
  foreign: 'This is nothing that can be imported. The list below says what can.',
  unknown: 'This is no export that can be imported. The list below says what can.',
  'not-text': 'This file holds no text.',
  'too-large': 'There is more in it than one import can read. Export it in parts.',
  damaged: 'This zip is damaged and cannot be read. Download it once more.',
  crafted: 'This zip contradicts itself. It may have been made to do harm, so nothing of it was read.',
  'split-zip': 'This is one part of a zip in several files. Join them first.',
  unsupported:
    'This zip is compressed in a way that this browser cannot read. Pack it again as an ordinary zip.',
  'encrypted-zip': 'This zip is encrypted. Unpack it with its password, and choose the files.',
  'encrypted-backup':
    'This backup was encrypted by an old version of Standard Notes. Export it again with the present one, or as decrypted.',
  'encrypted-export': 'This export is encrypted. In Bitwarden, export your vault once more as .json.',
  'nothing-inside': 'There is nothing in it that can be imported. The list below says what can.',
  failed: 'This file could not be read.',
};

/** What it seems to be, and which export to choose instead; or why it cannot be read. */
export function refusalSentence({ reason, seems }: Pick<RefusedFile, 'reason' | 'seems'>): string {
  if (!seems) return refusalSentences[reason];
  const { seems: something, instead } = foreignFiles[seems];
  return `This seems to be ${something}. ${instead}`;
}

const leftOutSentences: Record<LeftOutReason, (count: number) => string> = {
  media: (count) =>
    `${counted(count, 'picture, recording or document', 'pictures, recordings or documents')} that no entry names, or that ${count === 1 ? 'is' : 'are'} not in the file`,
  'too-many-files': (count) =>
    `${counted(count, 'picture, recording or document', 'pictures, recordings or documents')} of entries that have more than ${FILES_OF_ENTRY_MAX}`,
  trashed: (count) => `${counted(count, 'note', 'notes')} from the bin`,
  empty: (count) => `${counted(count, 'entry', 'entries')} without words`,
  database: (count) =>
    count === 1
      ? '1 table: its pages are imported, the table is not'
      : `${counted(count, 'table', 'tables')}: their pages are imported, the tables are not`,
  notice: (count) => `${counted(count, 'notice', 'notices')} of the app, such as who has joined`,
  copy: (count) =>
    `${counted(count, 'file', 'files')} that only ${count === 1 ? 'repeats' : 'repeat'} what is imported anyway`,
  twice: (count) =>
    `${counted(count, 'entry', 'entries')} that ${count === 1 ? 'stands' : 'stand'} there twice`,
  encrypted: (count) => `${counted(count, 'encrypted item', 'encrypted items')}`,
  credential: (count) => `${counted(count, 'password, card or identity', 'passwords, cards or identities')}`,
  'unsafe-name': (count) => `${counted(count, 'file', 'files')} with a path that leads out of the zip`,
  nested: (count) => `${counted(count, 'zip', 'zips')} within a zip within the zip`,
  'too-large': (count) => `${counted(count, 'file', 'files')} of more text than one import can read`,
  damaged: (count) => `${counted(count, 'damaged file', 'damaged files')}`,
  'not-text': (count) =>
    `${counted(count, 'file', 'files')} that should be text and ${count === 1 ? 'is' : 'are'} not`,
  'other-file': (count) => `${counted(count, 'other file', 'other files')}`,
};

export const leftOutSentence = ({ reason, count }: LeftOut): string => leftOutSentences[reason](count);

const orderLabels = {
  dmy: 'Day first: 1/2 is 1 February',
  mdy: 'Month first: 1/2 is January 2',
  ymd: 'Year first',
} as const;

const calendarLabels: Record<Calendar, string> = {
  gregorian: '',
  buddhist: ', years of the Buddhist era',
  persian: ', Persian calendar',
  islamic: ', Islamic calendar',
};

/** How the dates of a conversation may be read. */
export function dateOrderLabel(order: DateOrder): string {
  const { numbers, calendar } = partsOfOrder(order);
  // An example by another calendar would be another day.
  const label = calendar === 'gregorian' ? orderLabels[numbers] : orderLabels[numbers].split(':')[0];
  return `${label}${calendarLabels[calendar]}`;
}

/** What is asked where the dates of a conversation could be read in more than one way. */
export function dateOrderQuestion(orders: readonly DateOrder[]): string {
  const ours = orders.every((order) => partsOfOrder(order).calendar === 'gregorian');
  const unsaid = ours ? 'which number is the day' : 'by which calendar its years count';
  return `The file does not say ${unsaid}. Look at the dates below.`;
}

/** What can be imported, and how to come by it. */
export const howToExport: { format: ImportFormat | 'latebra'; name: string; says: string }[] = [
  { format: 'day-one', name: 'Day One', says: 'Settings, Import/Export, Export as JSON. The zip, as it is.' },
  {
    format: 'notion',
    name: 'Notion',
    says: 'Settings, Export all workspace content, Markdown & CSV or HTML. The zip, as it is.',
  },
  {
    format: 'evernote',
    name: 'Evernote',
    says: 'On a computer: select a notebook, Export, ENEX. The .enex files, as large as they are.',
  },
  { format: 'joplin', name: 'Joplin', says: 'File, Export all, JEX. RAW and Markdown folders too.' },
  { format: 'journey', name: 'Journey', says: 'Settings, Export, JSON. The zip, as it is.' },
  {
    format: 'apple-journal',
    name: 'Apple Journal',
    says: 'Settings, Apps, Journal, Export All Entries. The folder, or the zip of it.',
  },
  {
    format: 'upnote',
    name: 'UpNote',
    says: 'Settings, Export all notes, HTML or Markdown. Or the .upnx file of a backup.',
  },
  {
    format: 'onenote',
    name: 'OneNote',
    says: 'OneNote for Windows: File, Export, Section, Single File Web Page (.mht).',
  },
  {
    format: 'markdown',
    name: 'Markdown',
    says: 'Notes of Obsidian and others: the folder itself, a zip of it, or single files. Canvases too.',
  },
  {
    format: 'whatsapp',
    name: 'WhatsApp',
    says: 'In a chat: More, Export chat, with media or without. The zip or the text file.',
  },
  {
    format: 'telegram',
    name: 'Telegram',
    says: 'Telegram Desktop: Export chat history, as JSON. The file result.json.',
  },
  { format: 'google-keep', name: 'Google Keep', says: 'Google Takeout, Keep alone. The zip, as it is.' },
  {
    format: 'standard-notes',
    name: 'Standard Notes',
    says: 'Preferences, Backups. Decrypted, or encrypted with its passphrase. The zip or the text file.',
  },
  { format: 'simplenote', name: 'Simplenote', says: 'Settings, Tools, Export notes. The zip, as it is.' },
  {
    format: 'bear',
    name: 'Bear',
    says: 'File, Backup notes: the .bear2bk file. Ulysses: export as TextBundle.',
  },
  { format: 'tomboy', name: 'Tomboy', says: 'Tomboy and Gnote: the folder of .note files, or a zip of it.' },
  { format: 'jrnl', name: 'jrnl', says: 'jrnl --format json, or the journal as text.' },
  {
    format: 'bitwarden',
    name: 'Bitwarden',
    says: 'Settings, Export vault, as .json: its secure notes. Passwords stay where they are.',
  },
  { format: 'html', name: 'Web pages', says: 'HTML files of other applications, one by one or in a folder.' },
  { format: 'plain-text', name: 'Plain text', says: 'Any text files, several at once.' },
  { format: 'latebra', name: 'Latebra', says: 'An archive that was exported in Settings.' },
  {
    format: 'paper',
    name: 'Paper',
    says: 'Photographs or scans of sheets that Latebra has printed: From paper, above.',
  },
];
