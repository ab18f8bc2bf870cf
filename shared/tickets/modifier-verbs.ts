// The verbs of modifiers (remove, add, replace and so on) in the languages of kitchens. Data only; read by modifier-words.ts.

export type Verb = 'remove' | 'instead' | 'side' | 'extra' | 'light' | 'add'

/** Compared as `foldedText` returns them. Scripts without spaces between words are in WRITTEN. */
export interface VerbWords {
  /** At the beginning of the text, up to three words. */
  leading: Readonly<Record<Verb, string>>
  /** At the end of the text, one word. */
  trailing: Readonly<Partial<Record<Verb, string>>>
  /** Anywhere in the text, as whole words. */
  anywhere: Readonly<Partial<Record<Verb, string>>>
}

/**
 * Comma-separated. English; Spanish, Portuguese, French, Italian, Romanian; German, Dutch, Swedish, Danish, Norwegian; Polish, Czech,
 * Slovak, Croatian, Slovenian; Russian, Ukrainian, Bulgarian; Greek; Turkish; Hungarian; Finnish; Indonesian, Malay, Vietnamese, Tagalog;
 * Arabic, Persian, Hebrew; Hindi.
 */
export const SPACED: VerbWords = {
  leading: {
    remove:
      'no, without, w/o, hold, hold the, minus, 86, eighty six, eighty-six, omit, skip, remove, leave off, leave out, take off, do not add, ' +
      "don't add, dont add, not any, w/out, w/0, w.o., exclude, excluding, 0, 0x, zero, never, add no, with no, extra no, please no, pls no, " +
      "not with, 86ed, 86'd, 86d, ditch the, don't want, dont want, do not want, leave off the, leave out the, sin, quitar, quita, no lleva, no poner, nada de, sem, tirar, tira, retirar, nao colocar, sans, " +
      'pas de, enlever, retirer, oter, senza, niente, togli, togliere, fara, ohne, kein, keine, keinen, bitte ohne, zonder, geen, utan, uden, ' +
      'uten, ingen, inga, inget, intet, bez, brez, без, убрать, не класть, не добавлять, прибрати, не додавати, махни, χωρις, διχως, οχι, ' +
      'nem kell, ilman, tanpa, jangan, khong, walang, wala, بدون, بلا, من غير, بی, בלי, ללא, बिना',
    instead:
      'sub, substitute, swap, replace, change, exchange, switch, cambiar, cambia, cambio, sustituir, trocar, troca, substituir, remplacer, ' +
      'remplace, changer, sostituire, sostituisci, cambiare, ersetzen, ersetze, tausche, tauschen, vervang, vervangen, byt, byta, bytt, zamien, ' +
      'zamiast, misto, namiesto, umjesto, вместо, заменить, замена, замість, замінити, вместо, αντι, αλλαγη, ganti, thay, بدل, במקום',
    side: 'side of, otsi, aparte, separado, a part, daneben, apart, osobno, отдельно, окремо, χωρια, terpisah',
    extra:
      'extra, double, triple, more, additional, heavy, plenty of, lots of, mucho, mucha, doble, mas, dobro, duplo, dupla, mais, plus de, ' +
      'beaucoup de, supplement, doppio, doppia, piu, molto, doppelt, doppelte, doppelter, mehr, viel, zusatzlich, dubbel, dubbele, meer, veel, ' +
      'mer, dobbel, ekstra, podwojny, podwojna, wiecej, dodatkowy, dodatkowo, двойной, двойная, двойное, больше, побольше, подвійний, більше, ' +
      'διπλο, διπλη, περισσοτερο, cift, bol, dubla, tobb, banyak, nhieu, إضافي, زيادة, אקסטרה, תוספת, ज्यादा',
    light:
      'light, lite, easy, easy on, go easy on, less, little, a little, poco, poca, menos, pouco, pouca, peu de, moins de, leger, meno, ' +
      'putin, wenig, weniger, leicht, weinig, minder, mindre, lidt, litt, malo, mniej, troche, mene, мало, меньше, поменьше, менше, трохи, ' +
      'λιγο, λιγη, az, daha az, keves, kevesebb, sedikit, kurang, قليل, خفيف, קצת, מעט, कम',
    add: 'add, with, plus, con, com, avec, mit, met, med, cu, с, со, з, με, dengan, مع, עם',
  },
  trailing: {
    remove:
      'no, none, nope, off, remove, removed, excluded, omitted, nein, keine, keinen, weg, non, nao, nej, nei, nie, нет, ні, όχι, hayir, tidak, لا, לא, नहीं',
    extra: 'extra',
    light: 'lite',
  },
  anywhere: {
    remove: 'olmasin, koymayin, koyma, haric, yok, nelkul, ne legyen, weglassen',
    instead:
      'instead, in place of, in lieu of, en lugar, en vez, em vez, no lugar de, a la place, au lieu, al posto, invece, in loc de, statt, ' +
      'anstatt, anstelle, in plaats van, istallet for, i stallet for, i stedet for, zamiast, misto, namiesto, umjesto, вместо, замість, ' +
      'αντι για, yerine, helyett, thay cho, بدلا من, במקום',
    side:
      'on the side, on side, to the side, separately, al lado, aparte, por separado, separado, a part, a cote, da parte, a parte, separat, ' +
      'daneben, extra serviert, apart, vid sidan, ved siden av, ved siden af, osobno, zvlast, posebno, отдельно, окремо, χωρια, στο πλαι, ' +
      'ayri, yaninda, kulon, terpisah, de rieng, على جنب, على الجانب, בצד',
    extra: 'doppelt, double, ekstra',
  },
}

/** Not folded, at the beginning: Chinese, Thai. */
export const WRITTEN_LEADING: Readonly<Partial<Record<Verb, readonly string[]>>> = {
  remove: ['不要', '不加', '不放', '不用', '唔要', '免', '走', '去', '无', '無', 'ไม่ใส่', 'ไม่เอา', 'ไม่'],
  instead: ['换', '換', '改'],
  side: ['另上', '另放', '单独', '單獨', 'แยก'],
  extra: ['多', '加倍', '双份', '雙份', 'เพิ่ม', 'พิเศษ'],
  light: ['少', '微'],
  add: ['加', 'ใส่'],
}

/** Not folded, anywhere: Chinese, Japanese, Korean, Thai. */
export const WRITTEN_ANYWHERE: Readonly<Partial<Record<Verb, readonly string[]>>> = {
  remove: ['抜き', 'ぬき', '抜いて', 'なし', '無し', '빼고', '빼주', '빼기', '없이', '제외'],
  instead: ['换成', '換成', '改成', '代替', '代わり', '変更', '대신', 'แทน'],
  side: ['分开', '分開', '別添え', '別皿', '따로'],
  extra: ['多め', '増し', '大盛', '추가', '많이', '곱빼기'],
  light: ['少なめ', '控えめ', '조금', '적게', 'น้อย'],
}

/**
 * Texts that begin or end like a verb but have another meaning: `No. 5`, `86 g`, `免费` (free of charge), `免治` (minced), `Tira de asado` (a
 * cut of beef), `10% off`, `No problem`.
 */
export const NO_VERB = new RegExp(
  [
    '^(?:no\\.?\\s*\\d|nr\\.?\\s*\\d|86\\s*(?:g|kg|ml|cl|l|oz|cm|proof|%|°)\\b|86\\s*%|no name\\b|sans souci|sin city|tira de\\b|extra virgin',
    'heavy cream|light (?:beer|ale|lager)\\b|little gem|mais\\s*(?:\\(|$)|免费|免費|免治|走地|无敌|無敵|多人|去年)',
    '^no,? (?:problem|worr(?:y|ies)|rush|hurry|thanks?|thank you|preference|changes?|modifications?|mods?|comments?|matter)\\b',
    '^never (?:mind|frozen|ending|say|enough|been|ever)\\b',
    '^x[ -]?(?:large|lg|small|sm|hot|tra|s|l|xl)\\b',
    '(?:\\d|%|[€$£]|\\b(?:half|price|money|percent|discount|kick|day|well|turn|time|send|hands|one|spin|rip|cook|bake|play|switch))[ -]?offs?$',
  ].join('|'),
  'iu',
)

/** May be a removal or a kind of product: `0 sugar cola`. No sign is printed. */
export const UNCLEAR_NUMBERS =
  /^(?:0|zero)\s*(?:%|°|(?:sugar|alcohol|proof|kcal|calories?|carbs?|fat|waste|gravity|degrees?|coke|cola|g|kg|ml|cl|l|oz)\b)/iu
/** The same for these words at the beginning: `x cheese` is no cheese or extra cheese; `nem` is Hungarian for "not", and a spring roll. */
export const UNCLEAR_LEADING = 'x, not, nem'
/** The one of these that usually is not a removal: `Nem crevettes`. */
export const HARDLY_LEFT_OUT = 'nem'
/** `no-onion` with nothing after it. `No-bake crumble` and `no-show` are different words. As `foldedText` returns it. */
export const HYPHENED =
  /^(no|sin|sans|sem|ohne|senza|zero|0|86|without)-(?!bake|show|go$|no$|name|frill|fuss|cook|knead|churn|fail|brainer|nonsense|serif|souci)\p{L}[\p{L}-]*$/u
/** As `foldedText` returns it. The first group is what is left out. */
export const LEFT_OUT_AROUND = /^(?:please )?(?:leave|take|keep) (.+) (?:out|off)\b/u
/**
 * Turkish words with the ending for "without" that mean something else: free of charge, unlimited, endless, unique. As `foldedText` returns
 * them.
 */
export const NOT_TURKISH_WITHOUT: ReadonlySet<string> = new Set(
  'ucretsiz,sinirsiz,limitsiz,sonsuz,essiz,kusursuz,isimsiz,temassiz,sayisiz,hesapsiz,benzersiz'.split(','),
)
