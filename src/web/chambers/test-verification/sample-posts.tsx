// How the puzzle might be told elsewhere. Two samples: this page posts nothing, and loads nothing from anywhere.
import { Sigil } from '../../ui/sigil.tsx';

const posts = [
  {
    words:
      'A seal is checked by many and read by few. BLACK_SCROLL_001.asc, and what stands in its signature.',
    tags: '#blackscroll #thirteen',
  },
  {
    words: 'Thirteen places. Position 0x7 is being watched. Follows are counted from one to forty-nine.',
    tags: '#shadowscroll #latebra',
  },
];

export function SamplePosts() {
  return (
    <ul className="grid gap-6 sm:grid-cols-2">
      {posts.map(({ words, tags }) => (
        <li key={words} className="grid content-start gap-5 border border-line bg-ink-1 p-6">
          <p className="flex items-center gap-3 text-dust">
            <Sigil name="mark" className="size-6" />
            <span className="font-display text-body font-medium tracking-name">Latebra</span>
            <span className="label ml-auto text-shade">Sample</span>
          </p>
          <p className="text-lead">{words}</p>
          <p className="font-machine text-tiny text-verdigris">{tags}</p>
        </li>
      ))}
    </ul>
  );
}
