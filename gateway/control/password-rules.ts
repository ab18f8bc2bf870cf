// Which passwords a person may choose on a box, and which passphrase of a file.
import { FEWEST_GUESSES, type PasswordFault, passwordFault } from '#shared/pages/password-strength.ts'
import { ControlRefusal } from './control-refusal.ts'

/** Nothing slows down an attacker with the file: each guess costs some tenths of a second of one core. */
const FEWEST_GUESSES_OF_A_FILE = 1e10

const FAULTS: Readonly<Record<PasswordFault, string>> = {
  'password-common':
    'is too easy to guess, because many people use one like it: choose a few words that do not belong together',
  'password-own-words':
    'contains your name, the name of the restaurant or the set-up code, which others know: choose a few words of your own',
}

/**
 * @param field the name of the field: `password`
 * @param known names of the person, the box and the restaurant, the set-up code
 * @throws ControlRefusal with what to do
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
  { field, chosen, known }: { field: string; chosen: string; known: readonly string[] },
): Promise<void> {
  const key = await passwordFault(chosen, known, fewest)
  if (key === null) return
  const message = FAULTS[key]
  throw new ControlRefusal('invalid', `${field}: ${message}`, {
    errors: [{ field, message, rule: { key, limit: null } }],
  })
}
