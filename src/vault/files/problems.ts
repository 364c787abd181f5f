// Why an entry with files is not sealed. In a file of its own: what shows it is fetched long before there is a file.

/** The server does not have all of a file that an entry is about to name. */
export class FileNotWhole extends Error {
  readonly fileId: string;
  constructor(fileId: string) {
    super('a file is not whole');
    this.fileId = fileId;
  }
}

/** The files of an entry cannot be written into its details. `message` is a sentence for people. */
export class FilesNotWritten extends Error {}
