// What WhatsApp writes where a picture, a recording or a document stood, in the languages in which that is known. Words
// that are not certainly such a placeholder, in the language of the export, stay: they are what somebody wrote. Pure.

/** In angle brackets on Android, `<Media omitted>`; on iOS without them, behind a mark: `image omitted`. By language. */
const OMITTED: Record<string, string> = {
  af: 'Media weggelaat',
  ar: 'تم استبعاد الوسائط|لم يتم إدراج الصورة|لم يتم إدراج الفيديوهات|لم يتم إدراج المقاطع الصوتية|تم حذف الملصقات|لم يتم إدراج صورة GIF|لم يتم إدراج بطاقة جهة اتصال|لم يتم إدراج المستند',
  az: 'Media buraxıldı|Media çıxarılmışdır',
  bg: 'Без файл',
  bn: 'মিডিয়া বাদ দেওয়া হয়েছে|ইমেজ বাদ দেওয়া হয়েছে|ভিডিও বাদ দেওয়া হয়েছে|অডিও বাদ দেওয়া হয়েছে|স্টিকার বাদ দেওয়া হয়েছে|জিআইএফ বাদ দেওয়া হয়েছে|পরিচিতির কার্ড বাদ দেওয়া হয়েছে|ডকুমেন্ট বাদ দেওয়া হয়েছে',
  ca: 'Fitxers multimèdia omesos|Mitjans omesos|Imatge omesa|vídeo omès|Àudio omès|adhesiu omès|GIF omès|Targeta de contacte omesa|Document omès',
  cs: 'Média vynechány|Média vynechána|obrázek vynechán|video vynecháno|zvukový soubor vynechán|nálepka vynechána|GIF vynechán|Vizitka vynechána|dokument vynechán',
  da: 'Medier udeladt|Mediefil udeladt|billede udeladt|video udeladt|lyd udeladt|klistermærke udeladt|GIF udeladt|Kontaktkort udeladt|dokument udeladt',
  de: 'Medien ausgeschlossen|Medien weggelassen|Bild weggelassen|Video weggelassen|Audio weggelassen|Sticker weggelassen|GIF weggelassen|Kontaktkarte ausgelassen|Kontaktkarte weggelassen|Dokument weggelassen',
  el: 'αρχείο παραλήφθηκε|Εξαίρεση πολυμέσων|εικόνα παραλείφθηκε|βίντεο παραλείφθηκε|ήχος παραλείφθηκε|αυτοκόλλητο παραλήφθηκε|Παράληψη GIF|Η κάρτα επαφής παραλήφθηκε|έγγραφο παραλείφθηκε',
  en: 'Media omitted|image omitted|video omitted|video message omitted|video note omitted|audio omitted|sticker omitted|GIF omitted|Contact card omitted|document omitted',
  es: 'Multimedia omitido|Archivo omitido|imagen omitida|video omitido|audio omitido|sticker omitido|GIF omitido|Tarjeta de contacto omitida|documento omitido',
  et: 'Meedia välja jäetud|Meedia ära jäetud',
  fa: 'رسانه حذف شد|پيوست نما/آهنگ حذف شد|تصویر حذف شد|ویدیو حذف شد|صدا حذف شد|استیکر حذف شد|GIF حذف شد|برگ مخاطب حذف شد|سند حذف شد',
  fi: 'Media jätettiin pois|Media jätetty pois|ei kuvaa|videota ei sisällytetä|äänitiedostoa ei sisällytetä|tarraa ei sisällytetty|GIF-animaatio jätetty pois|Yhteystietokortti jätettiin pois|dokumenttia ei sisällytetä',
  fil: 'Inalis ang media|Walang kalakip na media',
  fr: 'Médias omis|Média omis|Fichier omis|image absente|image omise|vidéo absente|vidéo omise|audio omis|audio absent|sticker omis|sticker absent|GIF retiré|GIF absent|Fiche contact manquante|document manquant|document absent',
  ga: 'íomhá ligthe ar lár|físeán ligthe ar lár|comhad fuaime ar lár|fágadh an greamán ar lár|GIF ligthe ar lár|Cárta teagmhála ar lár|cáipéis ligthe ar lár',
  gu: 'મિડિયા છોડી મૂકાયું|મીડિયા અવગણવામાં આવ્યા|મીડિયા અવગણાયું|છબી પડતી મૂકાઈ|વિડિયો પડતી મુકાઈ|ઓડિયો ફાઇલ શામેલ કરી નથી|સ્ટીકર પડતું મુકાયું|GIF પડતી મૂકાઈ|સંપર્કનું કાર્ડ પડતું મૂકાયું|ડોક્યુમેન્ટ સામેલ કર્યું નહિ',
  he: 'המדיה לא נכללה|מדיה הושמטה|התמונה הושמטה|תמונה הושמטה|סרטון הווידאו הושמט|קטע קול הושמט|השמע הושמט|סטיקר הושמט|GIF הושמט|כרטיס איש קשר הושמט|מסמך הושמט',
  hi: 'मीडिया के बिना|फ़ोटो हटाई गई|वीडियो छोड़ा गया|ऑडियो हटाई गयी|स्टिकर छोड़ा गया|GIF छोड़ा गया|कॉन्टैक्ट कार्ड छोड़ा गया|डॉक्यूमेंट छोड़ा गया',
  hr: 'Medijski zapis izostavljen|slika izostavljena|video izostavljen|zvuk izostavljen|naljepnica izostavljena|GIF izostavljen|Posjetnica izostavljena|dokument izostavljen',
  hu: 'Média elhagyva|Hiányzó médiafájl|kép küldése sikertelen|Videó kihagyva|Hang kihagyása|matrica kihagyva|GIF fájl kihagyása|Névjegykártya kihagyva|dokumentum kihagyva',
  id: 'Media tidak disertakan|gambar tidak disertakan|video tidak disertakan|audio tidak disertakan|stiker tidak disertakan|GIF tidak disertakan|Kartu kontak tidak disertakan|dokumen tidak disertakan',
  it: 'Media omessi|Media omesso|immagine omessa|video omesso|audio omesso|sticker non incluso|GIF esclusa|Scheda contatto omessa|documento omesso',
  ja: 'メディアなし|メディアは含まれていません|画像は含まれていません|画像は省略されました|ビデオは含まれていません|音声は含まれていません|スタンプは含まれていません|GIFは含まれていません|連絡先カードを省略|ドキュメントは含まれていません',
  kk: 'файлдар қосылмаған|Файл қосылған жоқ',
  kn: 'ಮಾಧ್ಯಮ ಕೈಬಿಡಲಾಗಿದೆ|ಮೀಡಿಯಾ ಕೈಬಿಡಲಾಗಿದೆ',
  ko: '미디어 파일 제외됨|미디어 파일을 생략한 대화내용|이미지 생략됨|사진 생략됨|비디오 생략됨|동영상 생략됨|오디오 생략됨|스티커 제외됨|GIF 생략됨|연락처 카드 생략됨|문서 생략됨',
  lo: 'ບໍ່ລວມມີເດຍ',
  lt: 'Medija praleista|Praleistas medijos turinys',
  lv: 'Nav iekļauta multivide|Bez multivides',
  mk: 'без фајлови|Без фајл',
  ml: 'മീഡിയ ഒഴിവാക്കി',
  mr: 'मीडिया वगळण्यात आला|मीडिया वगळले|इमेज वगळली|व्हिडीओ वगळला|ऑडिओ वगळला|स्टिकर वगळले|GIF वगळले|संपर्क कार्ड वगळले|डॉक्युमेंट वगळले',
  ms: 'Media dikecualikan|Media disingkirkan|imej tidak dimasukkan|video tidak dimasukkan|audio tidak dimasukkan|pelekat tidak disertakan|GIF tidak dimasukkan|Kad kenalan tidak dimasukkan|dokumen tidak dimasukkan',
  nb: 'Media utelatt|Uten vedlegg|bilde ikke inkludert|video utelatt|lyd utelatt|klistremerke utelatt|GIF utelatt|Kontaktkort sløyfet|utelatt dokument',
  nl: 'Media weggelaten|afbeelding weggelaten|video weggelaten|audio weggelaten|sticker weggelaten|GIF weggelaten|Visitekaartje weggelaten|document weggelaten',
  pa: 'ਮੀਡੀਆ ਛੱਡਿਆ|ਮੀਡੀਆ ਛਡਿਆ ਗਿਆ|ਮੀਡੀਆ ਛੱਡਿਆ ਗਿਆ',
  pl: 'Pominięto multimedia|pliki pominięto|obraz pominięty|wideo pominięte|audio pominięte|pominięto naklejkę|Plik GIF pominięty|Pominięta wizytówka kontaktu|dokument pominięty',
  pt: 'Mídia oculta|Mídia omitida|Arquivo de mídia oculto|Ficheiro não revelado|imagem ocultada|imagem não revelada|vídeo omitido|vídeo ocultado|vídeo não revelado|áudio ocultado|ficheiro de áudio não revelado|figurinha omitida|sticker não revelado|GIF omitido|GIF não revelada|Cartão do contato omitido|Contacto não revelado|documento omitido|documento não revelado',
  ro: 'Conținut media omis|Imagine omisă|clip video omis|fără audio|GIF omis|Carte de vizită contact omisă|document omis',
  ru: 'Без медиафайлов|Файл пропущен|изображение отсутствует|видео отсутствует|аудиофайл отсутствует|стикер не добавлен|GIF отсутствует|Карточка контакта отсутствует|документ отсутствует',
  sk: 'Médiá vynechané|obrázok vynechaný|video vynechané|zvuk vynechaný|nálepka vynechaná|GIF vynechaný|Karta kontaktu vynechaná|dokument vynechaný',
  sl: 'Datoteke izpuščene|Medij izpuščen',
  sq: 'Media u hoq|Media hequr|Pa media',
  sr: 'Медији су изостављени',
  sv: 'Media utelämnat|Media har utelämnats|bild utesluten|video utesluten|ljud utelslutet|sticker utesluten|GIF utesluten|Kontaktkort uteslutet|dokument uteslutet',
  sw: 'Media hazijajumuishwa|Media imerukwa',
  ta: 'கோப்புகள் விடப்பட்டன|ஊடகங்கள் நீக்கப்பட்டது',
  te: 'మీడియా విస్మరించబడింది|మాధ్యమం విస్మరించబడింది',
  th: 'ไฟล์สื่อถูกลบ|สื่อถูกลบ|ไม่มีรูปภาพ|วิดีโอถูกลบ|ไม่มีไฟล์เสียง|ไม่มีสติกเกอร์|ละเว้น GIF|บัตรรายชื่อที่ละเว้น|ละเว้นเอกสาร',
  tr: 'Medya dahil edilmedi|Medya atlanmış|görüntü dahil edilmedi|video dahil edilmedi|ses dahil edilmedi|Çıkartma dahil edilmedi|GIF dahil edilmedi|Kişi kartı dahil edilmedi|belge dahil edilmedi',
  uk: 'Медіа пропущено|Медіафайли відсутні|зображення відсутнє|відео відсутнє|аудіо відсутнє|Наклейку не додано|GIF-анімацію пропущено|Картка контакту відсутня|документ пропущено',
  ur: 'میڈیا چھوڑ دیا گیا|میڈیا ہٹا دیا گیا|تصویر نکال دی گئی ہے|ویڈیو نظرانداز|آڈیو نظرانداز|اسٹیکر نظرانداز|GIF نظرانداز|رابطہ کارڈ نظر انداز|دستاویز نظرانداز',
  uz: 'Fayl o‘tkazib yuborildi',
  vi: 'Bỏ qua tệp phương tiện|Bỏ qua Media|đã bỏ qua hình ảnh|đã bỏ video|bỏ qua tệp âm thanh|đã bỏ sticker|Đã bỏ qua ảnh GIF|Bỏ qua thẻ liên lạc|đã bỏ qua tài liệu',
  zh: '忽略多媒體檔|省略多媒體檔案|省略多媒体文件|圖片已略去|圖像已省略|照片已忽略|影片已略去|影片已省略|视频已忽略|音訊已略去|音訊已省略|音频已忽略|貼圖已略去|貼圖已忽略|贴图已省略|GIF 已略去|GIF 圖片已被省略|GIF 动态图已被忽略|聯絡人卡片已略去|聯絡人卡片已省略|联系人卡片已忽略|文件已略去|文件已忽略|文档已省略',
};

/** What stands beside the name of a file: `IMG.jpg (file attached)` on Android, `<attached: IMG.jpg>` on iOS. By language. */
const ATTACHED: Record<string, string> = {
  ar: 'ملف مرفق|الملف مرفق|مرفق|المرفق',
  cs: 'soubor byl přiložen|přiložen|příloha',
  de: 'Datei angehängt|angehängt|Anhang',
  en: 'file attached|attached',
  es: 'archivo adjunto|adjunto',
  fr: 'fichier joint|joint|pièce jointe',
  he: 'קובץ מצורף|מצורף',
  id: 'file terlampir|terlampir',
  it: 'file allegato|allegato',
  ja: '添付ファイル|ファイル添付|添付',
  ko: '파일 첨부됨|첨부됨|첨부파일|첨부',
  nl: 'bestand bijgevoegd|bijgevoegd|bijlage',
  pl: 'plik załączony|załączony|załączono',
  pt: 'arquivo anexado|ficheiro anexado|anexado|anexo',
  ru: 'файл добавлен|файл прикреплен|добавлено|вложение',
  tr: 'dosya ekli|ekli|eklendi',
  zh: '文件附件|附件檔案|附件',
};

/** Names that the app itself gives to files. */
const OWN_NAME =
  /^(?:(?:IMG|VID|AUD|PTT|STK|DOC|GIF)-\d{8}-WA\d+|\d{4,8}-[A-Z]+-\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)\.[A-Za-z0-9]{2,5}$/;
const FILE_NAME = /^[^\s/\\<>][^/\\\n<>]{0,120}\.[A-Za-z0-9]{2,5}$/;

/** A file that a message stands for, and what was written beside it. */
export interface Placeholder {
  /** Empty where it is not told. */
  name: string;
  caption: string;
}

type Languages = readonly string[];

const plain = (text: string) => text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();

function byPhrase(table: Record<string, string>): ReadonlyMap<string, Languages> {
  const found = new Map<string, string[]>();
  for (const [language, phrases] of Object.entries(table))
    for (const phrase of phrases.split('|').map(plain))
      found.set(phrase, [...(found.get(phrase) ?? []), language]);
  return found;
}

const omitted = byPhrase(OMITTED);
const attached = byPhrase(ATTACHED);

/** What looks like a placeholder, and in which languages it is one; in all of them where the app's own marks show it. */
interface Candidate extends Placeholder {
  languages: Languages | 'any';
}

const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function candidateIn(text: string): Candidate | null {
  // Nothing of it is in most messages.
  if (!/[<(\u200e]/.test(text)) return null;
  const [first = '', ...others] = text.split('\n');
  const line = first.replace(DIRECTIONS, '').trim();
  const below = others.join('\n').trim();
  const phrase = /^<([^<>]{2,120})>$/.exec(line)?.[1];
  const languages = phrase === undefined ? undefined : omitted.get(plain(phrase));
  if (languages) return { name: '', caption: below, languages };
  return labelled(first, line, below) ?? (text.includes('\u200e') ? behindMark(first, below) : null);
}

/** A file with its name: `<attached: IMG.jpg>`, also behind a text, and `IMG.jpg (file attached)`. */
function labelled(first: string, line: string, below: string): Candidate | null {
  const angle = Math.max(0, line.lastIndexOf('<'));
  const angled = /^<([^<>:：]{2,30}?) ?[:：] ?([^<>]{2,120})>$/.exec(line.slice(angle));
  const round = /^(.+?) \(([^()]{2,60})\)$/.exec(line);
  const before = angled ? line.slice(0, angle).trimEnd() : '';
  const [label = '', name = ''] = angled ? angled.slice(1) : round ? [round[2], round[1]] : [];
  const file = name.trim();
  if (!FILE_NAME.test(file)) return null;
  const marked = angled ? first.includes('\u200e<') : /^[\u200f]*\u200e/.test(first);
  // Behind a text, only the mark tells the app's words from a person's.
  if (before !== '' && !marked) return null;
  const languages = marked && OWN_NAME.test(file) ? 'any' : attached.get(plain(label));
  return languages ? { name: file, caption: [before, below].filter(Boolean).join('\n'), languages } : null;
}

/** What iOS says without brackets, behind a mark; in front of it may stand the name of a document. */
function behindMark(first: string, below: string): Candidate | null {
  const parts = first.split('\u200e').map((part) => part.replace(DIRECTIONS, '').trim());
  const languages = omitted.get(plain(parts.at(-1) ?? ''));
  if (!languages) return null;
  const before = parts.slice(0, -1).filter(Boolean);
  const [name = '', ...rest] = before.map((part) => part.replace(/ •$/, ''));
  if (FILE_NAME.test(name) && rest.every((part) => /^\d/.test(part)))
    return { name, caption: below, languages };
  return { name: '', caption: [...before, below].filter(Boolean).join('\n'), languages };
}

/**
 * Tells which messages of one export are placeholders. Its language is the one that most of them speak.
 * @param texts of all messages
 */
export function placeholdersIn(texts: Iterable<string>): (text: string) => Placeholder | null {
  const votes = new Map<string, number>();
  for (const text of texts) {
    const languages = candidateIn(text)?.languages;
    if (languages && languages !== 'any')
      for (const language of languages) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  const most = Math.max(0, ...votes.values());
  const likely = [...votes].filter(([, count]) => count === most).map(([language]) => language);
  return (text) => {
    const found = candidateIn(text);
    if (!found) return null;
    // Where two languages have as many, a phrase is certain only if it is one of both.
    const certain =
      found.languages === 'any' || likely.every((language) => found.languages.includes(language));
    return certain ? { name: found.name, caption: found.caption } : null;
  };
}
