// What Latebra has printed on paper, as its codes give it back (docs/formats.md, "Paper"): one memory for each entry. Pure.
import { parseEdtf } from '../../../shared/edtf.ts';
import { isObject, type Json, objectsIn, type ParsedEntry, textOf } from '../imported-entry.ts';
import { momentHere, readMoment } from '../local-times.ts';
import { withProperties } from '../properties.ts';

export const isPaper = (json: unknown): json is Json =>
  isObject(json) && json.format === 'latebra/paper-entries' && json.v === 1 && Array.isArray(json.entries);

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(textOf).filter(Boolean) : []);

/** Every entry, in its order. What was a memory comes back as it was; what was something else says so by a tag. */
export function parsePaper(paper: Json): ParsedEntry[] {
  return objectsIn(paper.entries).map((entry) => {
    const [text, kind, happenedOn] = [textOf(entry.text), textOf(entry.kind), textOf(entry.happenedOn)];
    const said = [
      ...texts(entry.facts).map((value) => ({ name: 'said', value })),
      ...objectsIn(entry.files).map((file) => ({ name: 'file', value: textOf(file.name) })),
    ];
    const tags = texts(entry.tags);
    return {
      format: 'paper',
      title: textOf(entry.title),
      content: said.length === 0 ? text : withProperties(text, said),
      ...(parseEdtf(happenedOn) ? { happenedOn } : momentHere(readMoment(entry.writtenAt))),
      tags: kind === '' || kind === 'memory' ? tags : [...tags, kind],
      sourceId: null,
    };
  });
}
