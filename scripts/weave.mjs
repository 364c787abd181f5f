// Reads stories of the Loom aloud: `node scripts/weave.mjs --text bees --type eulogy --tone requiem --seed 3`, or a file
// of one's own with --file. Without options, ten stories of the corpus.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runBundled } from './run-bundled.mjs';

const { values } = parseArgs({
  options: {
    text: { type: 'string' },
    file: { type: 'string' },
    type: { type: 'string' },
    tone: { type: 'string' },
    name: { type: 'string' },
    duration: { type: 'string' },
    seed: { type: 'string', default: '0' },
  },
});

const { weave } = await runBundled('src/loom/loom.ts');
const { corpus } = await runBundled('src/loom/corpus/corpus.ts');

const TEN = [
  ['bees', 'biography', 'mystical'],
  ['ferry', 'biography', 'epic'],
  ['allotment', 'relationship', 'celebration'],
  ['night train', 'breakup', 'transformation'],
  ['piano', 'breakup', 'healing'],
  ['clockmaker', 'eulogy', 'laughter'],
  ['three entries', 'eulogy', 'requiem'],
  ['supportive', 'relationship', 'celebration'],
  ['mutual decision', 'breakup', 'melancholy'],
  ['German', 'eulogy', 'melancholy'],
];

const wanted = values.file || values.text ? [[values.text, values.type, values.tone]] : TEN;
for (const [name, type, tone] of wanted) {
  const text = corpus.find((known) => known.name === name);
  const request = {
    storyType: type ?? text?.storyTypes[0] ?? 'biography',
    sourceContent: values.file ? readFileSync(values.file, 'utf8') : text?.text,
    personName: values.name ?? text?.personName,
    relationshipDuration: values.duration ?? text?.relationshipDuration,
    emotionalTone: tone ?? text?.tones[0],
    seed: Number(values.seed),
  };
  const story = weave(request);
  console.log(
    `\n━━ ${request.storyType}, ${request.emotionalTone}, ${story.form}\n\n${story.title}\n\n${story.text}`,
  );
}
