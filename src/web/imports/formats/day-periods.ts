// Which half of the day a time of twelve hours means, by the words of CLDR in every language that WhatsApp has, with
// those of older releases, which older phones write. A word that is not known here is never guessed. Pure.

/** Words for the hours before noon. */
const MORNING =
  'am|a.m.|vm.|ጥዋት|ጠዋት|ص|صباحًا|পূৰ্বাহ্ন|পূর্বাহ্ণ|সকাল|ভোর|ам|ч.am|пр.об.|преди обяд|пре подне|пријеподне|pre podne|prijepodne|' +
  'ب.ن|غ.م.|dop.|dopoledne|vorm.|vormittags|π.μ.|ق.ظ.|قبل‌ازظهر|صبح|ap.|aamup.|r.n.|sf|safiya|પૂર્વ મધ્યાહ્ન|de.|délelőtt|n’ụtụtụ|f.h.|' +
  'fh|午前|午前中|오전|түске дейін|таңкы|тң|ព្រឹក|ಪೂರ್ವಾಹ್ನ|moies|ກ່ອນທ່ຽງ|priešpiet|priekšp.|priekšpusdienā|претпл.|претпладне|ү.ө.|' +
  'म.पू.|सकाळ|pg|pagi|နံနက်|पूर्वाह्न|सुबह|f.m.|fm|på förmiddagen|ਪੂ.ਦੁ.|ਸਵੇਰੇ|පෙ.ව.|gh|sn.|p.d.|pd|e paradites|paradite|முற்பகல்|' +
  'காலை|ఉదయం|ก่อนเที่ยง|ቅ.ቀ.|go.öň|öö|چ.ب|дп|ранку|утра|to|то|sa|sáng|àárọ̀|e.k.|אם|לפנה״צ|לפני הצהריים|asubuhi|կա|' +
  '上午|上晝|凌晨|早上|清晨|早晨|朝早|午夜|בבוקר|de la mañana|da manhã|du matin';

/** Words for the hours from noon on. */
const AFTERNOON =
  'pm|p.m.|nm.|ከሰዓት|م|مساءً|بعد الظهر|অপৰাহ্ন|অপরাহ্ণ|বিকাল|সন্ধ্যা|пм|ч.pm|сл.об.|след обяд|поподне|по подне|послијеподне|' +
  'po podne|poslijepodne|g.m.|د.ن|odp.|odpoledne|nachm.|nachmittags|μ.μ.|ب.ظ.|بعدازظهر|عصر|ip.|iltap.|i.n.|nam.|ym|yamma|' +
  'ઉત્તર મધ્યાહ્ન|du.|délután|n’abalị|e.h.|eh|午後|오후|түстен кейін|түштөн кийинки|тк|ល្ងាច|ಅಪರಾಹ್ನ|nomëttes|ຫຼັງທ່ຽງ|popiet|pēcp.|' +
  'غ.و.|pēcpusdienā|попл.|попладне|ү.х.|म.उ.|संध्याकाळ|ptg|petang|ညနေ|अपराह्न|शाम|e.m.|em|på eftermiddagen|ਬਾ.ਦੁ.|ਸ਼ਾਮੀਂ|شام|ප.ව.|' +
  'pop.|popoldne|gd|gn.|m.d.|md|e pasdites|mbasdite|பிற்பகல்|மாலை|సాయంత్రం|หลังเที่ยง|ድ.ቀ.|go.soň|ös|چ.ك|пп|дня|вечора|вечера|tk|' +
  'ch|chiều|ọ̀sán|p.k.|אחה״צ|אחר הצהריים|alasiri|կհ|下午|下晝|傍晚|בצהריים|de la tarde|da tarde|de l’après-midi';

/** The middle of the day: eleven is before noon, twelve and one are not. */
const NOON = '中午|正午|နေ့လယ်|दोपहर|দুপুর|दुपार|മധ്യാഹ്നം|mchana|ظهرًا|ظهر';

/** From evening to early morning: ten is before midnight, twelve and two are after it. */
const NIGHT =
  '晚上|夜晚|深夜|ည|रात|रात्र|রাত|রাত্রি|रात्रि|ночи|ночі|de la noche|da noite|usiku|đêm|tối|ليلاً|شب|رات|בלילה';

type Period = 'morning' | 'afternoon' | 'noon' | 'night';

const plain = (word: string) =>
  word
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s.'’"״׳\u200b-\u200f]/g, '');

const periods = new Map<string, Period>(
  (
    [
      ['night', NIGHT],
      ['noon', NOON],
      ['afternoon', AFTERNOON],
      ['morning', MORNING],
    ] as const
  ).flatMap(([period, words]) => words.split('|').map((word) => [plain(word), period] as const)),
);

/**
 * The hour of a day, 0 to 23, that an hour of a clock of twelve means.
 * @param hour 0 to 12; larger ones stand for themselves
 * @param word what stands beside the time, such as `p. m.` or `下午`
 * @returns null where the word is not known
 */
export function hourOfDay(hour: number, word: string): number | null {
  const period = periods.get(plain(word));
  if (period === undefined) return null;
  if (hour > 12) return hour % 24;
  const early = hour % 12;
  const isLate =
    period === 'afternoon' ||
    (period === 'noon' ? early !== 11 && early !== 10 : period === 'night' && early >= 6);
  return isLate ? early + 12 : early;
}
