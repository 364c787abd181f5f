// What nobody should paste, and somebody will.
import type { CorpusText } from './text.ts';

export const hostileTexts: readonly CorpusText[] = [
  {
    name: 'HTML and controls',
    form: 'woven',
    storyTypes: ['biography', 'relationship'],
    tones: ['mystical', 'healing'],
    personName: '<b>Mallory</b>\u202E\n',
    relationshipDuration: '{name} {image} <script>',
    text: `<div class="entry"><p>I kept the <b>red lantern</b> of my aunt on the windowsill.</p><script>alert("I was here")</script><p>Her\u0000 old \u202Ewool\u202C coat hung be\u200Bhind the door &amp; smelled of tobacco.</p><br/>I <3 that coat.<style>p { color: red }</style> She wrote her letters with a green pencil \u0007and burned them. <img src=x onerror=alert(1)>I have one, half burned.</div>`,
  },
  {
    name: 'no space at all',
    form: 'verbatim',
    storyTypes: ['biography'],
    tones: ['mystical'],
    text: 'a'.repeat(60_000),
  },
  {
    name: 'only punctuation',
    form: 'verbatim',
    storyTypes: ['biography'],
    tones: ['mystical'],
    text: '!!! … ?? --- (((((("""',
  },
  { name: 'one word', form: 'verbatim', storyTypes: ['eulogy'], tones: ['requiem'], text: 'Lanterns' },
  {
    name: 'emoji',
    form: 'verbatim',
    storyTypes: ['relationship'],
    tones: ['celebration'],
    text: '👩‍🚀🌙 ❤️‍🔥🔥🔥 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽',
  },
  {
    name: 'code, addresses and numbers',
    form: 'plain',
    storyTypes: ['biography'],
    tones: ['transformation'],
    text: `I wrote this on the day that I stopped. See https://example.org/a?b=c#d and write to me@example.org.
\`\`\`js
const you = (i) => { return i ? "was" : 'am'; }; // and the
\`\`\`
1. I was tired of it.
2. I am not tired now.
| a | b |
|---|---|
| 1 | 2 |
3.14159 26535 89793 23846
I do not think that I will write it again.`,
  },
  {
    name: 'one word many times',
    form: 'verbatim',
    storyTypes: ['breakup'],
    tones: ['epic'],
    text: 'word '.repeat(12_000),
  },
];
