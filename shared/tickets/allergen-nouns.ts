// Words for the allergens that EU law lists, in the languages of kitchens, with the words for "without". Data only; read by allergy-words.ts.

export interface AllergenWords {
  /** Words for "without" that come before the noun. */
  without: string
  /** Stems of foods that are rarely left out for taste: nuts, peanuts, shellfish, gluten, sesame, soya, lupin, sulphites, celery. */
  grave: string
  /** Stems of foods that are often left out for taste: milk, egg, fish, mustard. */
  everyday: string
}

/** Spelled as `foldedText` returns them. Up to two more letters may follow a stem. */
export const SPACED_ALLERGENS: readonly AllergenWords[] = [
  {
    // English
    without:
      'no|none|without|w/o|w/out|minus|exclude|excluding|zero|nothing with|not any|86|avoid|hold|omit|skip|remove|leave off|leave out|do not add|do not use|' +
      "don't add|dont add|don't use|no trace of|no traces of|away from|any kind of|free of|free from",
    grave:
      'tree nut|pine nut|nut|peanut|groundnut|almond|hazelnut|walnut|cashew|pecan|pistachio|macadamia|brazil nut|shellfish|shell fish|seafood|' +
      'crustacean|crustaceans|prawn|shrimp|crab|lobster|crayfish|langoustine|scampi|mollusc|mollusk|mussel|oyster|clam|scallop|cockle|squid|calamari|octopus|gluten|wheat|rye|barley|sesame|' +
      'soy|soya|soybean|lupin|lupine|sulphite|sulfite|celery|dairy|lactose',
    everyday: 'milk|egg|fish|mustard',
  },
  {
    // Spanish, Portuguese
    without: 'sin|no|nada de|sem|libre de|livre de',
    grave:
      'frutos secos|fruto seco|nuez|nueces|cacahuete|cacahuate|mani|almendra|avellana|marisco|crustaceo|gamba|camaron|molusco|gluten|trigo|' +
      'sesamo|ajonjoli|soja|soya|altramuz|altramuces|sulfito|apio|lacteo|lactosa|nozes|noz|amendoim|amendoins|amendoa|avela|camarao|' +
      'camaroes|gergelim|tremoco|aipo|laticinio|lactose',
    everyday: 'leche|huevo|pescado|mostaza|leite|ovo|peixe|mostarda',
  },
  {
    // French
    without: "sans|pas de|pas d'|aucun|aucune|zero",
    grave:
      'noix|noisette|amande|arachide|cacahuete|cacahouete|fruits a coque|fruit a coque|fruits de mer|crustace|crevette|mollusque|moule|' +
      'huitre|gluten|ble|sesame|soja|lupin|sulfite|celeri|lactose|laitage',
    everyday: 'lait|oeuf|poisson|moutarde',
  },
  {
    // German
    without: 'ohne|kein|keine|keinen|keinerlei',
    grave:
      'nuss|erdnuss|haselnuss|walnuss|mandel|cashew|schalenfruchte|schalentier|meeresfruchte|krebstier|garnele|muschel|weichtier|gluten|' +
      'weizen|roggen|sesam|soja|lupine|sulfit|sellerie|laktose',
    everyday: 'milch|ei|eier|fisch|senf',
  },
  {
    // Italian
    without: 'senza|niente|no',
    grave:
      'noci|noce|nocciol|mandorl|arachid|frutta secca|frutta a guscio|crostace|gamber|mollusch|frutti di mare|cozz|glutine|grano(?!la)|frumento|' +
      'sesamo|soia|lupin|solfit|sedano|lattosio|latticini',
    everyday: 'latte|uov|pesce|senape',
  },
  {
    // Dutch, Swedish, Danish, Norwegian
    without: 'zonder|geen|utan|ingen|inga|inget|uden|uten',
    grave:
      'noten|nootjes|pinda|amandel|schaaldieren|garnal|weekdieren|mosselen|gluten|tarwe|sesam|soja|lupine|sulfiet|selderij|lactose|' +
      'notter|nodder|jordnot|jordnotter|jordnodder|peanotter|mandel|skaldjur|skaldyr|skalldyr|rakor|reker|rejer|blotdjur|bloddyr|vete|' +
      'hvede|hvete|selleri|laktos|laktose|sulfit',
    everyday: 'melk|eieren|mosterd|mjolk|agg|fisk|senap|maelk|aeg|sennep',
  },
  {
    // Polish, Czech, Slovak, Croatian, Slovenian, Romanian
    without: 'bez|brez|zadnych|fara|nici un',
    grave:
      'orzech|orzesz|arachid|migdal|skorupiak|krewet|malz|owocow morza|gluten|pszenic|sezam|soi|soj|lubin|siarczyn|seler|laktoz|orechu|' +
      'orechov|arasid|mandli|korysu|krevet|skebl|lepku|lepek|psenice|soje|soji|celer|laktozy|oraha|oraš|kikirikij|rakov|skoljk|alune|nuci|' +
      'crustacee|scoici|grau|susan|telina|lactoza',
    everyday: 'mlek|jaj|ryb|musztard|mleka|vajec|vajic|horcice|mlijek|jaja|jajc|ribe|senfa|lapte|oua|peste|mustar',
  },
  {
    // Russian, Ukrainian, Bulgarian
    without: 'без|никаких|жодних|не класть',
    grave:
      'орех|арахис|миндал|фундук|кешью|морепродукт|ракообразн|креветк|крабов|моллюск|мидии|мидий|глютен|пшениц|кунжут|сои|люпин|сульфит|' +
      'сельдере|лактоз|горіх|арахіс|мигдал|молюск|селер|ядки|фъстъц|фъстък|скариди|миди|сусам|целин',
    everyday: 'молок|яиц|яйц|рыбы|рыба|горчиц|яєц|риби|гірчиц|мляко|риба',
  },
  {
    // Greek, Hungarian (behind), Indonesian, Vietnamese
    without: 'χωρις|οχι|διχως|tanpa|jangan|khong|khong co|khong an|khong bo',
    grave:
      'ξηρους καρπους|ξηροι καρποι|φυστικ|καρυδ|αμυγδαλ|οστρακοειδ|γαριδ|μαλακι|γλουτεν|σιταρ|σουσαμ|σογι|λουπιν|σελινο|λακτοζ|kacang|' +
      'udang|kerang|kepiting|gandum|wijen|kedelai|dau phong|lac|tom|cua|hai san|so|me|dau nanh|gluten',
    everyday: 'γαλα|αυγ|ψαρι|μουσταρδ|susu|telur|ikan|sua|trung|ca|mu tat',
  },
  {
    // Turkish, Hungarian, Finnish: "without" follows the noun or is part of it
    without: 'nem kell|ne legyen|ilman|sakin',
    grave:
      'fistik|yer fistigi|findik|ceviz|badem|susam|bugday|kereviz|karides|midye|kabuklu deniz|mogyoro|foldimogyoro|mandula|szezam|szoja|' +
      'buzaliszt|zeller|garnela|kagylo|pahkinoi|maapahkinoi|seesami|vehna|selleri|katkarapu|ayriai',
    everyday: 'yumurta|hardal|balik|tojas|mustar|maito|munaa|kalaa|sinappi',
  },
  {
    // Arabic, Persian, Hebrew
    without: 'بدون|بلا|من غير|خالي من|בלי|ללא',
    grave:
      'مكسرات|المكسرات|فول سوداني|الفول السوداني|لوز|جوز|روبيان|جمبري|محار|قشريات|جلوتين|غلوتين|قمح|سمسم|صويا|كرفس|بادام|گردو|פיסטוק|' +
      'בוטנים|אגוזים|אגוז|שקדים|פירות ים|שרימפס|צדפות|גלוטן|חיטה|שומשום|סויה|סלרי|לקטוז',
    everyday: 'حليب|بيض|سمك|خردل|חלב|ביצים|ביצה|דגים|דג|חרדל',
  },
]

/** The noun comes first: `laktosefrei`, `nötfri`, `pindavrij`, `fıstıksız`, `pähkinätön`. */
export const FREE_OF =
  /(?:nuss|erdnuss|gluten|laktose|milch|soja|weizen|fisch|sesam|sellerie|senf|ei|noten|pinda|lactose|melk|tarwe|not|jordnot|laktos|mjolk|agg|vete|hvede|hvete|skaldjur)(?:frei|vrij|fri)(?!\p{L}{4})|(?:fistik|findik|ceviz|susam|gluten|soya|bugday|kereviz|sut|yumurta)s[iu]z(?!\p{L})|(?:pahkina|maapahkina|maito|muna|kala|soija|seesami|vehna|selleri|laktoosi|gluteeni)(?:ton|ttoma)|(?:mogyoro|dio|tej|tojas|szoja|szezam|buza|gluten|laktoz)(?:mentes| nelkul)/u

const CHINESE = {
  grave:
    '花生|坚果|堅果|核桃|杏仁|腰果|虾|蝦|海鲜|海鮮|贝类|貝類|贝|蟹|螃蟹|芝麻|麸质|麩質|小麦|小麥|大豆|黄豆|黃豆|西芹|芹菜|乳糖|甲壳',
  everyday: '牛奶|奶|鸡蛋|雞蛋|蛋|鱼|魚|芥末',
}
const CHINESE_WITHOUT =
  '(?:不要|不加|不放|不吃|不可以有|不可有|不能有|唔要|唔食|无|無|免|勿|忌|走|去|别放|別放)(?:任何|加|放|有)?'
const CHINESE_BEHIND = '(?:禁止|不行|不可以|不可)'
const JAPANESE = {
  grave:
    'ピーナッツ|落花生|ナッツ|くるみ|アーモンド|そば|蕎麦|エビ|えび|海老|カニ|かに|蟹|貝|甲殻類|小麦|大豆|ゴマ|ごま|胡麻|セロリ',
  everyday: '卵|玉子|たまご|牛乳|乳製品|魚|からし|マスタード',
}
const JAPANESE_WITHOUT = '(?:は|を|が)?(?:抜き|ぬき|抜いて|なし|無し|不可|NG|ダメ|だめ|駄目)'
const KOREAN = {
  grave: '땅콩|견과|견과류|새우|게|조개|갑각류|해산물|밀|밀가루|메밀|콩|대두|참깨|셀러리|호두|아몬드',
  everyday: '우유|계란|달걀|생선|겨자',
}
const KOREAN_WITHOUT = '(?:은|는|을|를|이|가)?\\s*(?:빼|없이|제외|안 ?넣|안 ?돼|안 ?되|못 ?먹)'
const THAI = {
  grave: 'ถั่ว|กุ้ง|ปู|หอย|อาหารทะเล|งา|ถั่วเหลือง|แป้งสาลี|กลูเตน',
  everyday: 'นม|ไข่|ปลา|มัสตาร์ด',
}
const THAI_WITHOUT = '(?:ไม่ใส่|ไม่เอา|ไม่กิน|ไม่มี|ห้ามใส่|ห้าม)'

const written = (kind: 'grave' | 'everyday') =>
  new RegExp(
    `${CHINESE_WITHOUT}(?:${CHINESE[kind]})|(?:${CHINESE[kind]})${CHINESE_BEHIND}|(?:${JAPANESE[kind]})${JAPANESE_WITHOUT}|(?:${KOREAN[kind]})${KOREAN_WITHOUT}|${THAI_WITHOUT}(?:${THAI[kind]})`,
    'u',
  )

/** Scripts that do not put spaces between words: Chinese, Japanese, Korean, Thai. */
export const WRITTEN_GRAVE = written('grave')
export const WRITTEN_EVERYDAY = written('everyday')

/** A word of one character counts only next to a word of removal: `게` is a crab, and also the end of many other words. */
const ofSeveralSigns = (list: string, least = 2) => list.split('|').filter((word) => word.length >= least)

/** The nouns alone, for a text that is already known to be a removal: `不要碎花生`, `ピーナッツソース抜き`. */
export const WRITTEN_NOUNS = new RegExp(
  [
    ...[CHINESE, JAPANESE, KOREAN].flatMap(({ grave }) => ofSeveralSigns(grave)),
    ...ofSeveralSigns(THAI.grave, 4).map((word) => `${word}(?!งอก)`),
  ].join('|'),
  'u',
)
