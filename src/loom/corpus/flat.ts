// English without images, or with too few.
import type { CorpusText } from './text.ts';

export const flatTexts: readonly CorpusText[] = [
  {
    name: 'supportive',
    form: 'plain',
    storyTypes: ['relationship'],
    tones: ['celebration', 'healing', 'mystical'],
    personName: 'Tom',
    relationshipDuration: 'four years',
    text: `We have been together for about four years now and it's been really good overall. We got to know each other through work, mostly in meetings, and then we started having lunch. He is very supportive and always has good advice. Last year was stressful because of my job situation and his mother's health, but we communicated well and that made things better. We had some disagreements about money and about moving, which we resolved eventually. I feel like I can be myself around him. I think trust is the most important thing in our relationship. We are planning to get married next summer and I want to remember how I feel right now.`,
  },
  {
    name: 'mutual decision',
    form: 'plain',
    storyTypes: ['breakup'],
    tones: ['melancholy', 'transformation', 'epic'],
    personName: 'Dana',
    relationshipDuration: '2015-2021',
    text: `It was a mutual decision, or that is what we told people. We had different ideas about the future and we were both tired. I wanted to stay and she wanted to go, and in the end nobody won. We divided everything fairly. We said that we would stay in touch and we did for a while. I was angry longer than I admitted. She was kinder than I was. I don't think that either of us did anything terrible. It just stopped. Sometimes I still start to tell her something. I hope she is doing well. I mean that.`,
  },
  {
    name: 'career',
    form: 'plain',
    storyTypes: ['biography'],
    tones: ['epic', 'healing', 'transformation'],
    text: `I grew up in a normal family and did fairly well at school. After that I studied economics because I did not know what else to study. I worked for the same company for eighteen years. I was good at it, and I was not happy. My health got worse and I did not tell anyone. When I was let go, I felt relief before I felt fear. I took some time off and learned to ask for help. It was harder than any exam. I am still learning. I have fewer plans than before and more patience. If somebody reads this one day, I want them to know that it is possible to begin late.`,
  },
  {
    name: 'one sentence',
    form: 'plain',
    storyTypes: ['biography', 'breakup'],
    tones: ['melancholy', 'celebration'],
    text: 'I miss her every day and I do not know how to say it.',
  },
  {
    name: 'I am sad',
    form: 'plain',
    storyTypes: ['biography', 'relationship'],
    tones: ['healing', 'mystical'],
    text: 'i am sad',
  },
  {
    name: 'run-on without capitals',
    form: 'plain',
    storyTypes: ['breakup'],
    tones: ['healing', 'melancholy'],
    text: `so i don't even know where to start but we were together since we were nineteen and everybody thought we would get married and then he just changed and he would not talk to me for days and i kept thinking it was my fault and my friends told me to leave but i couldn't and then one day he said that he did not love me any more and i just stood there and i said okay and then i went to work like nothing had happened and it took me two years to understand that i had been waiting for it and now i am fine most of the time and i laugh again and i don't check my messages all the time and i think that is what being free is`,
  },
  {
    name: 'thanks to a teacher',
    form: 'plain',
    storyTypes: ['eulogy'],
    tones: ['blessing', 'requiem', 'vigil', 'laughter'],
    personName: 'Mrs. Abernathy',
    text: `She was strict and she was fair. She never raised her voice, because she never had to. She was the first person who told me that I could think. I did not believe her at the time. I failed her class twice and she did not give up on me. Years later I wrote to her, and she answered the same week. She remembered everything. She asked whether I was still afraid of being wrong. I said that I was. She said good. I have tried to teach the way she did. I was not finished learning from her.`,
  },
  {
    name: 'harm',
    form: 'plain',
    storyTypes: ['biography', 'breakup'],
    tones: ['healing', 'celebration', 'transformation'],
    text: `He hit me with the leather belt because of a broken cup. He beat me in the kitchen and he locked the cellar door. I was shot at from a red car when I was twelve. They killed my dog with a shovel. I do not tell people these things. I left when I was seventeen and I did not look back. I have a daughter now and nobody shouts in our home. I am not what was done to me.`,
  },
];
