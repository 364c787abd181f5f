// What the page says of files that cannot be imported, and of what stays behind.
import type { ImportFormat, LeftOut, LeftOutReason, RefusalReason } from '../../imports/imported-entry.ts';
import { counted } from '../../ui/counted.ts';

export const refusalSentences: Record<RefusalReason, string> = {
  empty: 'This file is empty.',
  unknown: 'This is no export that can be imported. The list below says what can.',
  'not-text': 'This file holds no text.',
  'too-large': 'There is more in it than one import can read. Export it in parts.',
  damaged: 'This zip is damaged and cannot be read. Download it once more.',
  crafted: 'This zip contradicts itself. It may have been made to do harm, so nothing of it was read.',
  'split-zip': 'This is one part of a zip in several files. Join them first.',
  unsupported:
    'This zip is compressed in a way that this browser cannot read. Pack it again as an ordinary zip.',
  'encrypted-zip': 'This zip is encrypted. Unpack it with its password, and choose the files.',
  'encrypted-backup': 'This backup is encrypted. In Standard Notes, export it again as decrypted.',
  'nothing-inside': 'There is nothing in it that can be imported.',
  failed: 'This file could not be read.',
};

const leftOutSentences: Record<LeftOutReason, (count: number) => string> = {
  media: (count) =>
    `${counted(count, 'picture, recording or document', 'pictures, recordings or documents')}: only text is imported`,
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
  'unsafe-name': (count) => `${counted(count, 'file', 'files')} with a path that leads out of the zip`,
  nested: (count) => `${counted(count, 'zip', 'zips')} within a zip within the zip`,
  'too-large': (count) => `${counted(count, 'file', 'files')} of more text than one import can read`,
  damaged: (count) => `${counted(count, 'damaged file', 'damaged files')}`,
  'not-text': (count) =>
    `${counted(count, 'file', 'files')} that should be text and ${count === 1 ? 'is' : 'are'} not`,
  'other-file': (count) => `${counted(count, 'other file', 'other files')}`,
};

export const leftOutSentence = ({ reason, count }: LeftOut): string => leftOutSentences[reason](count);

/** What can be imported, and how to come by it. */
export const howToExport: { format: ImportFormat | 'latebra'; name: string; says: string }[] = [
  { format: 'day-one', name: 'Day One', says: 'Settings, Import/Export, Export as JSON. The zip, as it is.' },
  {
    format: 'notion',
    name: 'Notion',
    says: 'Settings, Export all workspace content, Markdown & CSV. The zip, as it is.',
  },
  {
    format: 'markdown',
    name: 'Markdown',
    says: 'Notes of Obsidian and others: a zip of the folder, or single files.',
  },
  {
    format: 'whatsapp',
    name: 'WhatsApp',
    says: 'In a chat: More, Export chat, Without media. The zip or the text file.',
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
    says: 'Preferences, Backups, Decrypted. The zip or the text file.',
  },
  { format: 'plain-text', name: 'Plain text', says: 'Any text files, several at once.' },
  { format: 'latebra', name: 'Latebra', says: 'An archive that was exported in Settings.' },
];
