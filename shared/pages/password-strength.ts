// How easily a password is guessed, in guesses. Judged on the server, wherever one is set: the page may be any program.
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Guesses over the network are delayed: 5 minutes for each in the end. A million tries take years then. */
export const FEWEST_GUESSES = 1e6
/** The required strength without names and codes that others know. */
const LEAST_OF_ITS_OWN = 6
/** The parts that are examined, whatever was typed around them. */
const FEWEST_LETTERS = 8
/** An attacker soon tries signs before and after a common word. */
const GUESSES_FOR_SIGNS_AROUND = 10
/** The rest adds time to the judgement, and nothing to a good password. */
const MOST_JUDGED = 100
const OUR_WORDS = ['ticketrail', 'gateway', 'kitchen printer']

/** `password-common`: many people use a similar one. `password-own-words`: made of names and codes that others know. */
export type PasswordFault = 'password-common' | 'password-own-words'

/**
 * The problem of a password; null: none.
 * @param known names of the person and the restaurant, and codes that others know
 * @param fewest guesses that it must need
 */
export async function passwordFault(
  typed: string,
  known: readonly string[],
  fewest: number = FEWEST_GUESSES,
): Promise<PasswordFault | null> {
  const chosen = asHashed(typed)
  const words = known.filter((word) => lettersOf(word).length > 0)
  if (isMadeOf(chosen, words)) return 'password-own-words'
  const isLong = chosen.length >= FEWEST_LETTERS
  return isLong && (await guessesOf(chosen, words)) >= fewest ? null : 'password-common'
}

/** The letters that a key is made of, without invisible ones: a password is no better for the keyboard on which it was typed. */
function asHashed(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFKC')
}

function isMadeOf(chosen: string, words: readonly string[]): boolean {
  const parts = [...words.map(lettersOf), ...words.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u).map(lettersOf))]
  const all = lettersOf(chosen)
  const left = parts
    .filter((part) => part.length >= 3)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, part) => rest.replaceAll(part, ''), all)
  return left !== all && left.length < LEAST_OF_ITS_OWN
}

/** Letters and digits only, in lower case: an attacker tries the rest first. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

let estimator: Promise<ZxcvbnFactory> | null = null

/** Loaded when a password is chosen, which is rare, to save memory. */
async function guessesOf(chosen: string, words: readonly string[]): Promise<number> {
  estimator ??= loadEstimator()
  const inputs = [...OUR_WORDS, ...words, ...words.map(lettersOf), ...words.flatMap((word) => word.split(/\s+/))]
  const judge = await estimator
  const guessesFor = (text: string): number => judge.check(text.slice(0, MOST_JUDGED), inputs).guesses
  const bare = chosen.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
  if (bare === chosen || bare === '') return guessesFor(chosen)
  return Math.min(guessesFor(chosen), guessesFor(bare) * GUESSES_FOR_SIGNS_AROUND)
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new Factory({ dictionary: { ...dictionary, ourOwn: [...COMMON_WORDS] }, graphs: adjacencyGraphs })
}

// Words that are the beginning of many a password where this program is used: Spanish, Chinese in pinyin, German, French, and those of the trade.
// The lists of the estimator are English. Words that are short enough to be part of anything else are left out.

/** The most usual first in each: the estimator counts by place. */
const COMMON_WORDS: readonly string[] = [
  ...words(`
    contraseña contrasena clave secreto bienvenido bienvenida bienvenidos hola holahola teamo tequiero teamomucho miamor amorcito
    cocina cocinero cocinera restaurante camarero camarera comida cerveza cafeteria taberna bodega tapas paella pedidos tickets impresora
    caja cajero gerente jefe jefa encargado encargada administrador usuario sistema españa espana barcelona madrid sevilla valencia
    realmadrid atletico futbol verano invierno primavera otoño otono enero febrero marzo abril mayo junio julio agosto septiembre
    octubre noviembre diciembre lunes martes miercoles jueves viernes sabado domingo estrella princesa mariposa corazon
    familia gracias buenosdias alejandro carmen maria manuel antonio francisco javier lucia guadalupe chocolate tortuga
  `),
  ...words(`
    mima mimamima woaini woaini520 woaini1314 woaiwo wo5201314 aini aini1314 5201314 1314520 52013140 7758521 7758258 520520 5211314
    woaizhongguo zhongguo beijing shanghai guangzhou shenzhen nihao nihaoma xiexie huanying huanyingguanglin chufang canting fandian
    fanguan jiudian chushi laoban laobanniang guanli guanliyuan dayinji dingdan xiaoxin baobao baobei laopo laogong zhangwei wangwei
    wangfang lina liwei facai gongxi gongxifacai xinniankuaile shengrikuaile wodemima denglu yonghu
  `),
  ...words(`
    passwort kennwort geheim willkommen hallo hallohallo schatz schatzi ichliebedich liebe sommer winter frühling fruehling herbst
    januar februar märz maerz april mai juni juli august september oktober november dezember montag dienstag mittwoch donnerstag
    freitag samstag sonntag küche kueche koch köchin gasthaus gaststätte gaststaette wirtschaft wirtshaus bierstube kellner kellnerin
    bestellung drucker kasse chef chefin verwaltung benutzer deutschland berlin hamburg münchen muenchen köln koeln fussball fußball
    bayern schalke borussia sonnenschein familie danke
  `),
  ...words(`
    motdepasse secret bienvenue bonjour bonsoir soleil jetaime jetaimebeaucoup doudou chouchou loulou azerty azertyuiop cuisine cuisinier
    serveur serveuse brasserie bistrot traiteur commande imprimante caisse gérant gerant patron patronne été hiver printemps automne
    janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre lundi mardi mercredi
    jeudi vendredi samedi dimanche france paris marseille lyon toulouse camille chocolat famille merci
  `),
  ...words(`
    kitchen restaurant bistro trattoria pizzeria osteria cantina tavern diner canteen cafe coffee pizza pasta burger kebab sushi ramen
    noodles waiter waitress bartender barista manager admin administrator owner staff cashier printer orders order ticket receipt epson
    till counter welcome service summer winter spring autumn
  `),
]

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
