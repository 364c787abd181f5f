// Other languages and scripts: kept word by word.
import type { CorpusText } from './text.ts';

export const languageTexts: readonly CorpusText[] = [
  {
    name: 'German',
    form: 'verbatim',
    storyTypes: ['eulogy', 'biography'],
    tones: ['melancholy', 'requiem', 'mystical'],
    personName: 'Oma Traudl',
    relationshipDuration: '40 Jahre',
    text: `Meine Großmutter trug auch im Sommer Gummistiefel. Sie sagte, der Garten frage nicht nach dem Wetter. Am 12. März pflanzte sie die ersten Bohnen, immer am 12. März, ob Schnee lag oder nicht. Ich durfte die Schnur halten. „Gerade“, rief sie, „gerade wie ein Brief!“ Dann lachte sie über mich, weil ich nicht wusste, was an einem Brief gerade ist.

Als Dr. Wieland kam, stand sie noch einmal auf und kochte ihm Kaffee. Er trank ihn im Stehen. Ich habe die Tasse behalten. In der Schublade lagen sieben Päckchen Bohnen, beschriftet mit unseren Namen, eines für jedes Enkelkind, und auf meinem stand: warten.

Heute ist der 12. März. Es schneit. Ich habe die Schnur gespannt.`,
  },
  {
    name: 'French',
    form: 'verbatim',
    storyTypes: ['relationship'],
    tones: ['celebration', 'melancholy'],
    personName: 'Camille',
    text: `Nous nous sommes rencontrés dans un ascenseur en panne, entre le troisième et le quatrième étage. Elle avait un melon sous le bras ; moi, j'avais un couteau suisse. Nous avons mangé le melon. Quand le gardien a ouvert la porte, il nous a regardés et il a dit : « Prenez votre temps. » Trente ans plus tard, nous prenons toujours l'escalier, et elle achète toujours des melons en hiver.`,
  },
  {
    name: 'Japanese',
    form: 'verbatim',
    storyTypes: ['biography', 'eulogy'],
    tones: ['mystical', 'requiem'],
    personName: '祖母',
    text: `祖母の台所には、いつも青い薬缶が置いてあった。冬の朝、湯気の向こうで祖母は歌っていた。「もう一杯どう。」と聞かれるたびに、わたしは首を横に振り、それでも茶碗を差し出した。
祖母が亡くなった日、薬缶はまだ温かかった。わたしは火を止めることができなかった。
いま、わたしの台所に青い薬缶がある。歌はうろ覚えで、二番から先は知らない。それでも毎朝、歌っている。`,
  },
  {
    name: 'Russian',
    form: 'verbatim',
    storyTypes: ['breakup'],
    tones: ['melancholy', 'transformation'],
    text: `Вчера мы гуляли у реки, и старый фонарь горел. Ты молчала, а я считал ступени. Потом всё кончилось, тихо, как кончается снег. Я вернулся домой и долго не включал свет. На столе лежало твоё яблоко, с одним укусом. Я его не выбросил.`,
  },
  {
    name: 'Arabic',
    form: 'verbatim',
    storyTypes: ['biography'],
    tones: ['healing', 'epic'],
    text: `كان جدي يزرع شجرة زيتون لكل حفيد. كانت شجرتي أصغرها، قرب البئر. قال لي: لا تستعجلها، فهي تعرف طريقها. رحل جدي في الشتاء، وبقيت الأشجار. أعود كل سنة وأسقيها بيدي.`,
  },
  {
    name: 'Hebrew',
    form: 'verbatim',
    storyTypes: ['eulogy'],
    tones: ['blessing', 'vigil'],
    personName: 'סבא',
    text: `סבא שלי אפה לחם בכל יום שישי. הבית התמלא ריח של שמרים, והחתול ישן על שק הקמח. כשהוא מת, מצאתי בכיס המעיל שלו רשימת קניות: קמח, מלח, סבלנות. אני אופה עכשיו. הלחם עדיין לא כמו שלו.`,
  },
  {
    name: 'half English, half German',
    form: 'verbatim',
    storyTypes: ['relationship'],
    tones: ['healing', 'celebration'],
    personName: 'Lena',
    text: `We always spoke two languages in the kitchen, and nobody else could follow us. She counted in hers and I swore in mine.

Wenn sie müde war, sprach sie nur noch Deutsch, ganz leise, und ich verstand alles, obwohl ich kaum ein Wort davon kannte. Das Brot lag auf dem Tisch, und das Fenster stand offen.`,
  },
];
