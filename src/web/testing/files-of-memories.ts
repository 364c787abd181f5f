// The files of a memory's form as steps of other tests: chosen, waited for, and refused on their way.
import { waitFor, within } from '@testing-library/dom';
import { expect } from 'vitest';
import { files } from '../../shared/nouns/files.ts';
import { aJpeg, aPng } from '../../vault/files/pictures/testing/made-pictures.ts';
import type { Member } from './member.ts';
import { beginMemory, memoryForm, typeMemory } from './memories.ts';

export const bytesOf = (length: number, seed = 1) =>
  Uint8Array.from({ length }, (_, i) => (i * 31 + seed) & 255);

export const aFile = (name: string, length = 3000, type = 'text/plain', seed?: number) =>
  new File([bytesOf(length, seed)], name, { type });

/** A picture of 800 by 600 that says so, and is not drawn by any test. */
export const aPicture = (name: string) =>
  name.endsWith('.png')
    ? new File([aPng()], name, { type: 'image/png' })
    : new File([aJpeg()], name, { type: 'image/jpeg' });

/** Chooses files in the form that stands open. */
export async function add({ browser }: Member, ...chosen: File[]): Promise<void> {
  const input = await within(await memoryForm()).findByLabelText('Photos and files to add');
  await browser.user.upload(input, chosen);
}

/** Waits until so many of the form's files have arrived. */
export const areReady = (count: number) =>
  waitFor(async () => expect(within(await memoryForm()).getAllByText(/Ready$/)).toHaveLength(count));

/** Begins a memory with files. */
export async function beginWith(member: Member, ...chosen: File[]): Promise<void> {
  await beginMemory(member);
  await typeMemory(member, { title: 'The hives', content: 'She spoke to them first.' });
  await add(member, ...chosen);
}

/** The server’s own word, which is not tried again unasked. */
export const refused = () => Response.json({ code: 'wrong-digest', message: 'Not kept.' }, { status: 422 });

export const isFileCall = ({ url }: Request) => new URL(url).pathname.startsWith(files.reserve.path);
