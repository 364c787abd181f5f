// The checker finds what it is for.
import { describe, expect, test } from 'vitest';
import { findFaults, namesIn } from './grammar.ts';

describe('a fault is found', () => {
  test.each([
    ['You was late.', /you was/i],
    ['You am here.', /you am/i],
    ['You has gone.', /you has/i],
    ['Look at the the lamp.', /a word twice/],
    ['Look at the a lamp.', /the a/],
    ['It was a orange.', /a orange/],
    ['It was an lamp.', /an lamp/],
    ['She said, "wait.', /open quotation/],
    ['We went out (late.', /open quotation/],
    ['We went and\nslept well.', /dangling/],
    ['We went home.\nWe went home.', /a line twice/],
    ['We went home .', /space before punctuation/],
    ['We went home,.', /two marks/],
    ['We went home', /no end/],
    ['we went home.', /no capital/],
    ['We went.\nhome was far.', /a small letter begins/],
    ['One.\n\n\n\nTwo.', /empty stanza/],
    ['One.\n\n –\n\nTwo.', /space at an end|no word/],
    ['One {image}.', /unfilled/],
    ['One\u202E two.', /hidden/],
    ['The your lamp.', /the your/i],
  ])('%j', (text, fault) => {
    expect(findFaults(text, '').join('\n')).toMatch(fault);
  });
});

test('what the writer doubled is the writer’s', () => {
  expect(findFaults('It was very very late.', 'it was very very late')).toEqual([]);
});

test('a faultless story has none', () => {
  expect(
    findFaults('I. The Lamp\n\n"Wait," she said.\nI waited an hour\nby the lamp.\n\nThen I left.', ''),
  ).toEqual([]);
});

test('names are the capitals within a line', () => {
  expect(namesIn('Then Marek came.\nIlse, Tom and I.')).toEqual(['Marek', 'Tom', 'I']);
});
