// Which passwords a person may choose. Checked on the box, wherever one is set: the page may be any program.
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { ControlRefusal } from './control-refusal.ts'
import { COMMON_WORDS } from './guessed-words.ts'

/** Whoever guesses over the network is held up: 5 minutes for each try in the end. A million tries take years then. */
const FEWEST_GUESSES = 1e6
/** Nobody holds up who has the file: each try costs some tenths of a second of one core. */
const FEWEST_GUESSES_OF_A_FILE = 1e10
/** What must be left without names and codes that others know. */
const LEAST_OF_ITS_OWN = 6
/** That are seen, whatever was typed beside them. */
const FEWEST_LETTERS = 8
/** Who guesses tries signs before and behind a common word soon. */
const GUESSES_FOR_SIGNS_AROUND = 10
/** The rest adds time to the judgement, and nothing to a good password. */
const MOST_JUDGED = 100
const OUR_WORDS = ['ticketrail', 'gateway', 'kitchen printer']

const FAULTS = {
  'password-common':
    'is too easy to guess, because many people use one like it: choose a few words that do not belong together',
  'password-own-words':
    'contains your name, the name of the restaurant or the set-up code, which others know: choose a few words of your own',
} as const

/**
 * @param field under which it was given: `password`
 * @param known names of the person, the box and the restaurant, the set-up code
 * @throws ControlRefusal that says what to do
 */
export async function refuseWeakPassword(field: string, chosen: string, known: readonly string[]): Promise<void> {
  await refuseBelow(FEWEST_GUESSES, { field, chosen, known })
}

/** The same for the passphrase of a file. @throws ControlRefusal */
export async function refuseWeakPassphrase(chosen: string, known: readonly string[]): Promise<void> {
  await refuseBelow(FEWEST_GUESSES_OF_A_FILE, { field: 'passphrase', chosen, known })
}

async function refuseBelow(
  fewest: number,
  { field, chosen: typed, known }: { field: string; chosen: string; known: readonly string[] },
): Promise<void> {
  const chosen = asHashed(typed)
  const words = known.filter((word) => lettersOf(word).length > 0)
  const key = isMadeOf(chosen, words) ? 'password-own-words' : 'password-common'
  const isLong = chosen.length >= FEWEST_LETTERS
  if (key === 'password-common' && isLong && (await guessesOf(chosen, words)) >= fewest) return
  const message = FAULTS[key]
  throw new ControlRefusal('invalid', `${field}: ${message}`, [{ field, message, rule: { key, limit: null } }])
}

/** The letters that a key is made of, without those that nobody sees: a password is no better for the keyboard that it was typed on. */
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

/** Letters and digits alone, in lower case: who guesses tries the rest first. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
}

let estimator: Promise<ZxcvbnFactory> | null = null

/** Loaded when somebody chooses a password, which is rare: a quiet box has no memory to spare. */
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
