// Which bytes of a representation a request asks for (RFC 9110, section 14), and whether it has them already (section 13).
// It knows entity tags alone: what it serves has no date of its own.

/** `first` and `last` are positions of bytes, both inclusive. */
export type Asked = 'whole' | 'unchanged' | 'unsatisfiable' | { first: number; last: number };

interface Conditions {
  range?: string | undefined;
  ifRange?: string | undefined;
  ifNoneMatch?: string | undefined;
}

/**
 * @param tag the strong entity tag of what there is, with its quotes
 * @param length its size, in bytes
 */
export function askedFor(
  { range, ifRange, ifNoneMatch }: Conditions,
  { tag, length }: { tag: string; length: number },
): Asked {
  if (ifNoneMatch !== undefined && matchesWeakly(ifNoneMatch, tag)) return 'unchanged';
  if (range === undefined) return 'whole';
  // A part of another version must not be joined to one of this. Tags are compared strongly; a date never matches (13.1.5).
  if (ifRange !== undefined && ifRange.trim() !== tag) return 'whole';
  return rangeOf(range, length);
}

/**
 * Several ranges, and units that are not bytes, are answered by the whole, as the standard allows (14.2). Spaces are taken out
 * first: between digits that may be missing, a pattern would try every way to share a long run of them.
 */
function rangeOf(range: string, length: number): Asked {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/i.exec(range.replace(/\s+/g, '')) ?? [];
  if (from === undefined || to === undefined || from + to === '') return 'whole';
  if (from === '') {
    const suffix = Math.min(Number(to), length);
    return suffix > 0 ? { first: length - suffix, last: length - 1 } : 'unsatisfiable';
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return 'whole';
  if (first >= length) return 'unsatisfiable';
  return { first, last: to === '' ? length - 1 : Math.min(Number(to), length - 1) };
}

/** Whether a list of entity tags, or `*`, names this one (13.1.2). */
function matchesWeakly(list: string, tag: string): boolean {
  if (list.trim() === '*') return true;
  return [...list.matchAll(/"[^"]*"/g)].some(([one]) => one === tag);
}
