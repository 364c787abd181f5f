// The photographs in a PDF, as scanners make them: each page is one JPEG, which stands in the file as it is (ISO 32000-1, 7.4.8,
// "DCTDecode"). Pages in other forms are not read. Pure.

const latin = (bytes: Uint8Array) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');

const find = (bytes: Uint8Array, sought: string, from: number): number => {
  for (
    let at = bytes.indexOf(sought.charCodeAt(0), from);
    at >= 0;
    at = bytes.indexOf(sought.charCodeAt(0), at + 1)
  )
    if (latin(bytes.subarray(at, at + sought.length)) === sought) return at;
  return -1;
};

const isLineEnd = (byte: number | undefined) => byte === 0x0d || byte === 0x0a;

/** Every JPEG of a PDF, in its order, as a part of its file; null for what is no PDF. */
export async function picturesInPdf(file: Blob): Promise<Blob[] | null> {
  if (latin(new Uint8Array(await file.slice(0, 5).arrayBuffer())) !== '%PDF-') return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const pictures: Blob[] = [];
  for (let at = find(bytes, 'stream', 0); at >= 0; ) {
    let from = at + 'stream'.length;
    if (!isLineEnd(bytes[from])) {
      // The word stands in a title or the like.
      at = find(bytes, 'stream', from);
      continue;
    }
    while (isLineEnd(bytes[from])) from++;
    const end = find(bytes, 'endstream', from);
    if (end < 0) break;
    if (bytes[from] === 0xff && bytes[from + 1] === 0xd8) pictures.push(file.slice(from, end, 'image/jpeg'));
    at = find(bytes, 'stream', end + 'endstream'.length);
  }
  return pictures;
}
