// What the last sheet says: how everything is read back, in prose and as a program. Pure.
import program from './read-paper.py?raw';

/** The program, line by line. */
export const programLines = program.trimEnd().split('\n');

/**
 * How the codes are read, for somebody who has nothing but the sheets: a paragraph each.
 * @param sheets how many sheets have codes, and of how many codes how many are enough
 */
export function methodOf({
  sheets,
  total,
  enough,
}: {
  sheets: number;
  total: number;
  enough: number;
}): string[] {
  return [
    `Sheets 1 to ${sheets} say the same thing twice: in print, and exactly, byte for byte, in ${total} QR codes. Any ${enough} of the codes are enough; sheets may be lost, stained or out of order.`,
    'With Latebra: choose Imports, then From paper, and give it photographs or scans of the sheets. Without it: scan the sheets with 200 dots per inch or more, have a program read the QR codes (zbarimg, of the package zbar-tools, reads all of a page), and give their texts to the program below. Python 3 needs no package for it. Or write another one from what follows.',
    'Each code is a text: LATEBRA PAPER 1, then, each after a colon: the number of the set; the number n of the code, from 0; how many codes carry data; how many there are; how many stripes; how many codes a sheet has; how many bytes were packed; a block in base32 (RFC 4648, without padding); CRC-32, in hexadecimal, of all before the last colon.',
    'Code n belongs to stripe n mod stripes, and is element n div stripes of it. The first blocks, as many as carry data, are the packed bytes in order, the last one filled up with zeros. Every other block is a sum over the data blocks of its stripe, each multiplied by 1 / (e + f), where e and f are the elements of the two. Bytes are numbers of the field of 256 elements modulo x^8 + x^4 + x^3 + x^2 + 1; to add is exclusive or. Lost blocks are the solution of these equations.',
    'Join the data blocks and cut them to the number of bytes. The first 20 bytes of their SHA-256, in base32, are the number of the set. Inflate them (raw deflate, RFC 1951): the entries, as JSON in UTF-8.',
  ];
}
