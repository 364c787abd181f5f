// English with images in it.
import type { CorpusText } from './text.ts';

export const richTexts: readonly CorpusText[] = [
  {
    name: 'bees',
    form: 'woven',
    storyTypes: ['biography', 'eulogy'],
    tones: ['mystical', 'melancholy', 'requiem', 'vigil'],
    personName: 'Ilse',
    relationshipDuration: 'nineteen winters',
    text: `My grandmother Ilse kept bees behind the old rectory. Every morning she walked out in a torn blue coat and spoke to the hives before she spoke to anyone else. When I was nine she let me hold the smoker and I burned my thumb, and she laughed and covered it with cold honey. We ate plum cake on the stone wall and she told me about the flooded village and the bell that still rings under the lake.

But the winter she fell, the hives went quiet. I drove through the snow and did not arrive in time. The house smelled of wax and cold tea. I found the blue coat on its nail, and in the pocket a list of our names. I have never kept bees. I keep the list. Each spring I read it aloud in the garden, and something answers from the wall.`,
  },
  {
    name: 'night train',
    form: 'woven',
    storyTypes: ['breakup', 'relationship'],
    tones: ['transformation', 'melancholy', 'healing', 'epic'],
    personName: 'Marek',
    relationshipDuration: 'six years',
    text: `You and I met on the night train to Trieste, and you gave me half an orange. For six years we lived above the bakery and woke to the smell of bread. You left your green scarf on the banister and your books in the bath. We argued about the sea and about children. Then one October you stopped singing. I found your keys in the blue bowl. I did not call. The bakery closed in spring and I moved to a smaller room with a broken lamp. I still buy oranges. I forgive the train.`,
  },
  {
    name: 'ferry',
    form: 'woven',
    storyTypes: ['biography'],
    tones: ['epic', 'healing', 'transformation', 'celebration'],
    text: `I was born on an island that had one road and no doctor. My father ran the ferry, an iron boat with a red door, and he let me pull the rope of the bell when the fog came in. I learned to count from the cars he carried: three vans, one tractor, a hearse.

When I was sixteen I left with a cardboard suitcase and my mother's wool blanket. The city was loud and smelled of diesel. I washed dishes in a kitchen without windows and wrote letters home that I never sent. I kept them in a biscuit tin under the bed.

Years later I came back for the last crossing. They had built a bridge, white and straight as a ruler. My father stood at the rail with his cap in his hands. He did not say anything about the bridge. He gave me the rope.

Now I teach children to swim in the old harbor. I tell them that the water will hold them if they let it. On my desk there is a biscuit tin. Some evenings I open it and read one letter, and then I close it again. The bell is in my garden. When the fog comes in, I ring it.`,
  },
  {
    name: 'allotment',
    form: 'woven',
    storyTypes: ['relationship'],
    tones: ['celebration', 'mystical', 'healing'],
    personName: 'Priya',
    relationshipDuration: '31 years',
    text: `We were both too late for the last bus, so we walked. Priya carried a pumpkin under one arm because she had won it in a raffle and did not want to leave it on the pavement. By the time we reached the bridge I was carrying the pumpkin and she was carrying my shoes.

Our first flat had a yellow door and no heating. We slept in our coats. She painted the bathroom in the middle of the night, a green so dark that it looked like the inside of a bottle, and in the morning there were green footprints on the stairs. I have never let anyone paint over them.

We lost a child in the fourth year. There is a pear tree for her in the allotment. We do not talk about it much. We prune it together, one on each side of the ladder.

Now the children who came after are grown, and the kitchen is quiet, and Priya reads me the crossword while I burn the toast. She still wins at raffles. She still walks faster than I do. Last week we missed the bus on purpose.`,
  },
  {
    name: 'clockmaker',
    form: 'woven',
    storyTypes: ['eulogy'],
    tones: ['laughter', 'blessing', 'vigil', 'celebration'],
    personName: 'Uncle Ferdy',
    text: `Uncle Ferdy repaired clocks and was late for everything. He came to my wedding on a borrowed bicycle with a grandfather clock tied to the back, and he had forgotten the weights. It stood in our hall for eleven years and never ticked once.

He wore two cardigans, a brown one over a brown one. He kept sugar cubes in his pockets for horses and there were no horses. When we were small he would take a watch apart on the tablecloth and let each of us hold one wheel. Nobody was allowed to breathe.

In the hospital he asked what time it was, and when I told him he said, "That can't be right." The nurse laughed so hard that she had to sit down.

After the funeral we found forty clocks in his house, every one of them showing a different hour. We opened the doors and wound them all. They struck for the whole afternoon. Then my sister's boy set the old one in the hall going, with two jars of plum jam for weights. It still runs. It is always late.`,
  },
  {
    name: 'piano',
    form: 'woven',
    storyTypes: ['breakup'],
    tones: ['healing', 'mystical', 'epic'],
    personName: 'Jonas',
    relationshipDuration: 'four years and a summer',
    text: `The piano stayed because it would not fit through the door. Jonas took the records and the good knives and the dog. I remember that he folded the tea towels before he left, all of them, in thirds, the way his mother did.

I had loved his hands first. He could peel an apple in one piece. He hummed when he was lying, and I learned that too late, and after that the humming was everywhere in the flat, in the pipes, in the kettle.

For a month I slept on the sofa. I ate crackers over the sink. One morning I opened the piano and found a matchbox inside, and in the matchbox a milk tooth that was not mine and not his. I laughed for the first time.

I have had it tuned. I play badly, with the windows open. The neighbour knocks on the wall when I stop.`,
  },
  {
    name: 'three entries',
    form: 'woven',
    storyTypes: ['eulogy'],
    tones: ['requiem', 'blessing', 'melancholy', 'laughter'],
    personName: 'my mother',
    relationshipDuration: 'all my life',
    text: `She cut our hair in the kitchen with the sewing scissors and swept it out for the sparrows. In May there was always a nest by the gate with my brother's red hair in it.

Letter I never sent. You would have hated the flowers. They were white and stiff and somebody had tied them with plastic ribbon. I put a dandelion in your sleeve when nobody was looking. I hope that was all right.

Today I found her recipe for bread. It says flour, salt, water, and then it says: wait. That is the whole recipe. I made it three times and it came out like a brick. The fourth time I forgot it on the windowsill overnight. In the morning it had risen over the edge of the bowl. I stood there in my socks and cried. Then I ate it with butter.`,
  },
  {
    name: 'brickworks',
    form: 'woven',
    storyTypes: ['biography', 'eulogy'],
    tones: ['epic', 'melancholy', 'vigil'],
    personName: 'Tomasz Wilk',
    text: `My father worked at the brickworks for thirty-one years and came home red to the elbows. He washed at the pump in the yard, winter and summer, and the water ran red into the nettles. He did not like questions. On Sundays he built a boat in the shed, although the nearest sea was two days away. I held the lantern and passed him nails. He counted them back into the jar at the end of each evening, bent ones too.

When the works closed he sat in the kitchen with his cap on. He sharpened every knife we owned. Then he sharpened the neighbours' knives. That winter he finished the boat.

It never touched water. He planted it in the garden, with its nose toward the road, and filled it with soil, and my mother grew beans in it. I was ashamed of it for years. Boys from school came to look over the fence.

I drove past last month. The house belongs to somebody else, and the shed is gone. The boat is still there. It was full of poppies, red to the edge.`,
  },
  {
    name: 'short and rich',
    form: 'woven',
    storyTypes: ['relationship', 'breakup'],
    tones: ['melancholy', 'mystical', 'celebration'],
    personName: 'Noor',
    text: `Noor left a wet umbrella in my hall and never came back for it. I dried it. I hung it on the hook beside my own coat. On the handle there is a small brass bird, worn smooth by a hand I held twice.`,
  },
  {
    name: 'lighthouse years',
    form: 'woven',
    storyTypes: ['biography', 'relationship'],
    tones: ['transformation', 'mystical', 'epic', 'healing'],
    personName: 'Aoife',
    relationshipDuration: 'since the storm of 1998',
    text: Array.from(
      { length: 12 },
      (_, year) =>
        `In the ${['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth', 'eleventh', 'twelfth'][year]} year Aoife and I painted the ${['railing', 'iron stair', 'lamp room', 'boathouse', 'kitchen', 'gallery', 'wooden gate', 'cellar door', 'chicken shed', 'old pier', 'cistern', 'front door'][year]} ${['white', 'red', 'grey', 'blue', 'yellow', 'black', 'green', 'brown', 'orange', 'silver', 'pink', 'white again'][year]}. The supply boat brought flour, ${['candles', 'a broken clock', 'two goats', 'a crate of lemons', 'wet newspapers', 'a violin', 'tin soldiers', 'a kitten', 'seed potatoes', 'a blue kettle', 'reading glasses', 'a brass telescope'][year]} and no mail. ${['She sang to the seals from the rocks.', 'I learned to bake bread in a salt wind.', 'A heron stood on the wall for nine days.', 'We buried a sailor nobody knew and planted thrift on him.', 'The fog bell rang until my teeth hurt.', 'She wrote a letter to her sister and folded it into a boat.', 'We counted forty ships and one whale.', 'The ladder broke under me and she set my arm with a spoon.', 'The goats ate the almanac, and after that we guessed.', 'A storm took the pier and left us a piano lid.', 'We did not speak in March, and in April we spoke all night.', 'They sent a man with a machine that would do our work.'][year]} ${['That was all we needed.', 'I thought that it would be for one winter.', 'Nobody asked us when we were coming home.', 'We talked about the city as if it were weather.', 'In the evenings we mended nets that were not ours.', 'I still know the order of the lights along the coast.', 'The wind was in every sentence.', 'My arm tells me when it will rain.', 'It did not matter what day it was.', 'We slept in our boots.', 'I had forgotten that she could whistle.', 'We climbed the stair once more and lit it by hand.'][year]}`,
    ).join('\n\n'),
  },
  {
    name: 'markdown diary',
    form: 'woven',
    storyTypes: ['biography'],
    tones: ['healing', 'transformation'],
    text: `# Summer notebook

- The **yellow tent** leaks above my pillow.
- I found a heron's feather and a *rusty key* by the pond.

> My sister says that the key opens the drowned mill.

We rowed out with a lantern and a loaf of bread. The door of the mill was green with moss, and the key fit. Inside there was [a table](https://example.org/table) laid for four, with grey plates. We did not touch anything. I put the key under a stone where the path bends.

I am forty now. Last week I walked there with my son and lifted the stone.`,
  },
  {
    name: 'dialogue',
    form: 'woven',
    storyTypes: ['relationship', 'biography'],
    tones: ['celebration', 'mystical'],
    personName: 'Dr. Okafor',
    relationshipDuration: 'one long winter',
    text: `"You can't park a cow here," the porter said. That is how I met Dr. Okafor, who was holding the rope. She had found the cow on the ring road at 5 a.m. and had walked it to the only lit window, which was ours.

"I am a dentist," she said. "I don't know what they eat." I brought her a bucket of oats and a mug of black coffee. The cow ate the oats, then the porter's scarf. By noon there was snow on all three of us.

She came back on Thursday with a loaf of ginger bread and a new scarf for the porter. She came back every Thursday until the thaw. Once she fixed my tooth on the kitchen table, by the light of a bicycle lamp, and sang so that I would not hear the drill.

The farmer fetched the cow in March. "Well," said Dr. Okafor, and she stood there with the rope in her hand. I said, "I have more coffee."`,
  },
];
