// What people bring that cannot be imported: how each is recognised, what it seems to be, and which export to choose
// instead. A test has a file for each row. Pure.
import {
  all,
  any,
  binary,
  bytes,
  type Evidence,
  hasFile,
  named,
  not,
  type Test,
  words,
} from './file-evidence.ts';

interface ForeignFile {
  /** As a sentence goes on after "This seems to be". */
  seems: string;
  /** What to choose instead. */
  instead: string;
  is: Test;
}

const SQLITE = bytes('SQLite format 3\0');

const OLE = bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1');

const ZIP = bytes('PK');

/** The first row that fits counts: what belongs to one application stands before what any could have written. */
const rows = {
  // Settings knows what is in an archive by the archive as a whole. `Reading.folder` sees to it.
  'latebra-unpacked': {
    seems: 'an archive of Latebra that was unpacked',
    instead: 'Choose the archive itself, before it was unpacked.',
    is: () => false,
  },
  'day-one-package': {
    seems: 'a journal of Day One as it lies on the disk',
    instead: 'In Day One, choose Settings, Import/Export, Export as JSON.',
    is: any(named(/\.dayone2?$/i), hasFile(/\.doentry$/i)),
  },
  'whatsapp-backup': {
    seems: 'an encrypted backup of WhatsApp',
    instead: 'In WhatsApp, open the chat and choose More, Export chat, with media or without.',
    is: any(named(/\.crypt\d{1,2}$/i), all(SQLITE, named(/msgstore|wa\.db|ChatStorage/i))),
  },
  'telegram-html': {
    seems: 'an export of Telegram as HTML',
    instead: 'In Telegram Desktop, export the chat once more, with JSON as the format.',
    is: any(
      words(/class="page_wrap/),
      all(
        hasFile(/(^|\/)messages\d*\.html$/i),
        hasFile(/(^|\/)(css\/style\.css|js\/script\.js)$/i),
        not(hasFile(/(^|\/)result\.json$/i)),
      ),
    ),
  },
  'telegram-data': {
    seems: 'the data of Telegram as it lies on the disk',
    instead: 'In Telegram Desktop, choose Export chat history, with JSON as the format.',
    is: any(all(binary, bytes('TDF$')), named(/(^|\/)tdata$/i)),
  },
  'apple-notes': {
    seems: 'the database of Notes by Apple',
    instead: 'In Notes, choose File, Export as, Markdown, or copy the notes into text files.',
    is: any(named(/NoteStore\.sqlite/i), hasFile(/(^|\/)NoteStore\.sqlite$/i)),
  },
  'notion-pdf': {
    seems: 'an export of Notion as PDF',
    instead: 'In Notion, export once more as Markdown & CSV, or as HTML.',
    is: any(
      all(bytes('%PDF-'), named(/[0-9a-f]{32}\.pdf$/i)),
      all(hasFile(/[0-9a-f]{32}\.pdf$/i), not(hasFile(/\.(md|html)$/i))),
    ),
  },
  'evernote-backup': {
    seems: 'the database of Evernote',
    instead: 'In Evernote, select the notes and choose Export, ENEX.',
    is: named(/\.(exb|notes)$/i),
  },
  onenote: {
    seems: 'a notebook of OneNote',
    instead:
      'In OneNote for Windows, choose File, Export, Single File Web Page (.mht), for each section. What it exports as Word or PDF is not read.',
    is: any(
      bytes('\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d'),
      bytes('\xa1\x2f\xff\x43\xd9\xef\x76\x4c'),
      named(/\.(one|onepkg|onetoc2?)$/i),
      hasFile(/\.(one|onetoc2?)$/i),
    ),
  },
  'one-password': {
    seems: 'an export of 1Password',
    instead: 'Passwords stay where they are. Copy its secure notes into text files.',
    is: any(
      named(/\.(1pux|1pif|agilekeychain|opvault)$/i),
      all(ZIP, hasFile(/^export\.data$/), hasFile(/^export\.attributes$/)),
    ),
  },
  keepass: {
    seems: 'a database of KeePass',
    instead: 'Passwords stay where they are. Copy its notes into text files.',
    is: any(bytes('\x03\xd9\xa2\x9a'), named(/\.kdbx?$/i)),
  },
  'google-doc': {
    seems: 'a link to a document of Google, without its words',
    instead: 'Open it and choose File, Download, Markdown or Plain text.',
    is: any(named(/\.g(doc|sheet|slides|note|draw|form)$/i), words(/^\s*\{[^}]*"(doc_id|resource_key)"\s*:/)),
  },
  epub: {
    seems: 'a book (EPUB)',
    instead: 'Save what you have written in it as plain text.',
    is: any(all(ZIP, bytes('mimetypeapplication/epub+zip', 30)), named(/\.(epub|mobi|azw3?)$/i)),
  },
  word: {
    seems: 'a document of Word',
    instead: 'Open it and save it as plain text (.txt).',
    is: any(named(/\.(docx?|docm|dotx?)$/i), all(ZIP, hasFile(/^word\/document\.xml$/))),
  },
  'open-document': {
    seems: 'a document of LibreOffice',
    instead: 'Open it and save it as plain text (.txt).',
    is: any(named(/\.(odt|ott|ods|odp|fodt)$/i), all(ZIP, bytes('mimetypeapplication/vnd.oasis', 30))),
  },
  spreadsheet: {
    seems: 'a table',
    instead: 'Only texts become memories. Save what it says as plain text (.txt).',
    is: any(named(/\.(xlsx?|xlsm|numbers|csv|tsv)$/i), all(ZIP, hasFile(/^xl\/workbook\.xml$/))),
  },
  slides: {
    seems: 'a presentation',
    instead: 'Save its text as plain text (.txt).',
    is: any(named(/\.(pptx?|key)$/i), all(ZIP, hasFile(/^ppt\/presentation\.xml$/))),
  },
  pages: {
    seems: 'a document of Pages',
    instead: 'In Pages, choose File, Export to, Plain Text.',
    is: any(named(/\.pages$/i), all(ZIP, hasFile(/^Index\/Document\.iwa$/))),
  },
  'old-office': {
    seems: 'a document of Microsoft Office',
    instead: 'Open it and save it as plain text (.txt).',
    is: OLE,
  },
  pdf: {
    seems: 'a PDF',
    instead: 'Export the words once more as Markdown or plain text where they were written.',
    is: any(bytes('%PDF-'), named(/\.pdf$/i)),
  },
  rtf: {
    seems: 'a text with formatting (RTF)',
    instead: 'Open it and save it as plain text (.txt).',
    is: any(bytes('{\\rtf'), named(/\.rtfd?$/i)),
  },
  picture: {
    seems: 'a picture',
    instead: 'Only texts become memories.',
    is: any(
      bytes('\xff\xd8\xff'),
      bytes('\x89PNG\r\n'),
      all(binary, bytes('GIF8')),
      bytes('RIFF????WEBP'),
      bytes('II*\0'),
      bytes('MM\0*'),
      bytes('ftypheic', 4),
      bytes('ftypheix', 4),
      bytes('ftypmif1', 4),
      bytes('ftypavif', 4),
      all(bytes('BM'), named(/\.bmp$/i)),
      named(/\.(jpe?g|png|gif|webp|heic|heif|avif|bmp|tiff?|svg|dng|raw|psd)$/i),
    ),
  },
  recording: {
    seems: 'a recording or a video',
    instead: 'Only texts become memories. Recordings can be spoken into Latebra itself.',
    is: any(
      all(binary, bytes('ID3')),
      all(binary, bytes('OggS')),
      all(binary, bytes('fLaC')),
      bytes('RIFF????WAVE'),
      bytes('RIFF????AVI '),
      bytes('\x1a\x45\xdf\xa3'),
      bytes('#!AMR'),
      all(binary, bytes('ftyp', 4)),
      named(/\.(mp3|m4a|aac|wav|ogg|oga|opus|flac|amr|mp4|mov|m4v|avi|mkv|webm|3gp)$/i),
    ),
  },
  mail: {
    seems: 'mail',
    instead: 'Save each message as plain text (.txt).',
    is: any(
      named(/\.(mbox|eml|emlx|msg|pst|ost)$/i),
      words(/^From \S+@\S+ .*\d{4}\r?\n/),
      bytes('!BDN'),
      all(words(/^(Return-Path|Received|Delivered-To|Message-ID):/i), words(/\n(From|Subject|Date):/i)),
    ),
  },
  contacts: {
    seems: 'a list of contacts or a calendar',
    instead: 'Only texts become memories. Save what it says as plain text (.txt).',
    is: any(bytes('BEGIN:VCARD'), bytes('BEGIN:VCALENDAR'), named(/\.(vcf|vcard|ics)$/i)),
  },
  'pgp-file': {
    seems: 'a file that was encrypted with OpenPGP',
    instead: 'Decrypt it first, and choose what was in it.',
    is: any(bytes('-----BEGIN PGP MESSAGE'), named(/\.(pgp|gpg|asc)$/i)),
  },
  'encrypted-file': {
    seems: 'an encrypted file',
    instead: 'Decrypt it with the application that made it, or export once more without a password.',
    is: any(bytes('Salted__'), named(/\.(enc|encrypted|aes|crypt|vault|axx)$/i)),
  },
  'tar-gz': {
    seems: 'a packed folder (.tar.gz)',
    instead: 'Unpack it, and choose the folder.',
    is: any(named(/\.(tar\.(gz|bz2|xz|zst)|tgz|tbz2?|txz)$/i)),
  },
  gzip: {
    seems: 'a packed file (.gz)',
    instead: 'Unpack it, and choose what was in it.',
    is: all(bytes('\x1f\x8b'), not(named(/\.upnx$/i))),
  },
  'seven-zip': {
    seems: 'an archive of 7-Zip',
    instead: 'Unpack it, and choose the folder.',
    is: any(bytes('7z\xbc\xaf\x27\x1c'), named(/\.7z$/i)),
  },
  rar: {
    seems: 'an archive of RAR',
    instead: 'Unpack it, and choose the folder.',
    is: any(bytes('Rar!\x1a\x07'), named(/\.rar$/i)),
  },
  packed: {
    seems: 'a packed file',
    instead: 'Unpack it, and choose what was in it.',
    is: any(
      all(binary, bytes('BZh')),
      bytes('\xfd7zXZ\0'),
      bytes('\x28\xb5\x2f\xfd'),
      all(binary, bytes('MSCF')),
      named(/\.(bz2|xz|zst|lz4?|cab|dmg|iso)$/i),
    ),
  },
  database: {
    seems: 'the database of an application',
    instead: 'Open that application, and export from there as JSON, Markdown or text.',
    is: any(SQLITE, named(/\.(sqlite3?|db3?|realm|mdb|accdb)$/i)),
  },
  'property-list': {
    seems: 'a file of settings by Apple',
    instead: 'Export from the application itself, as JSON, Markdown or text.',
    is: any(bytes('bplist0'), named(/\.(plist|webarchive)$/i)),
  },
  program: {
    seems: 'a program',
    instead: 'Choose what an application has exported.',
    is: any(
      all(binary, bytes('MZ')),
      bytes('\x7fELF'),
      bytes('\xcf\xfa\xed\xfe'),
      named(/\.(exe|msi|apk|ipa|app|deb)$/i),
    ),
  },
} satisfies Record<string, ForeignFile>;

export type ForeignKind = keyof typeof rows;

export const foreignFiles: Readonly<Record<ForeignKind, Readonly<ForeignFile>>> = rows;

/** The bytes that are looked at. */
export const START_BYTES = 4096;

/** What a file seems to be; null for one that none of these has written. */
export function foreignKind(evidence: Evidence): ForeignKind | null {
  const found = Object.entries(foreignFiles).find(([, { is }]) => is(evidence));
  return found ? (found[0] as ForeignKind) : null;
}
