import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { call } from './http/call.ts';
import { disclosed, fieldsOf, sealed } from './http/field-classes.ts';
import { whatTheServerSees } from './server-sees.ts';

describe('what the server sees', () => {
  const row = call({
    method: 'POST',
    path: '/api/toy',
    access: 'signed-in',
    body: z.object({
      title: sealed('a toy’s name', 100),
      recording: disclosed('a recording', 'the speech service', z.string().check(z.maxLength(100))),
    }),
  });

  it('has a line for each class that a field has, and says who reads what is disclosed', () => {
    expect(whatTheServerSees([{ name: 'toy.say', row }])).toEqual([
      {
        class: 'disclosed',
        words: 'Passes on where you ask for it, and keeps nothing of',
        fields: ['a recording, which you send to the speech service'],
      },
      { class: 'sealed', words: 'Holds as ciphertext, and cannot open', fields: ['a toy’s name'] },
    ]);
  });

  it('leaves no field of the contract without a line', () => {
    const told = new Set(whatTheServerSees().flatMap(({ fields }) => fields));
    const says = fieldsOf(row.body).flatMap(({ meta }) => (meta ? [meta.says] : []));
    expect(says.every((one) => !told.has(one))).toBe(true);
    expect(told.has('a memory’s title')).toBe(true);
  });
});
