// What the files of a zip or folder are, by their names: which are read, and as what. Pure.

export type FileKind =
  | 'json'
  | 'text'
  | 'page'
  | 'web-archive'
  | 'evernote'
  | 'upnote'
  | 'table'
  | 'zip'
  | 'media'
  | 'hidden'
  | 'other';

const MEDIA =
  /\.(jpe?g|png|gif|webp|heic|heif|avif|bmp|tiff?|svg|raw|dng|mp4|mov|m4v|avi|mkv|webm|3gp|mp3|m4a|aac|wav|ogg|oga|opus|flac|amr|pdf|docx?|xlsx?|pptx?|odt|ods|odp|epub|vcf|tgs)$/i;

const KINDS: readonly [RegExp, FileKind][] = [
  [/(^|\/)(\.|__MACOSX\/)/, 'hidden'],
  [/\.(json|canvas)$/i, 'json'],
  [/\.(txt|text|md|markdown|note)$/i, 'text'],
  [/\.x?html?$/i, 'page'],
  [/\.mht(ml)?$/i, 'web-archive'],
  [/\.enex$/i, 'evernote'],
  [/\.upnx$/i, 'upnote'],
  [/\.csv$/i, 'table'],
  [/\.(zip|jex|tar)$/i, 'zip'],
  [MEDIA, 'media'],
];

/** Whether a name is that of a picture, a recording or a document. */
export const isMedia = (name: string): boolean => MEDIA.test(name);

export const kindOf = (path: string): FileKind => KINDS.find(([name]) => name.test(path))?.[1] ?? 'other';
