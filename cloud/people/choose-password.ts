// A password that a person chooses: judged, then made into its hash. Takes some tenths of a second, so never inside a unit.
import { type PasswordFault, passwordFault } from '#shared/pages/password-strength.ts'
import { refuseWhileBusy } from './guessing.ts'
import type { PeopleParts } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'

const FAULTS: Readonly<Record<PasswordFault, { key: string; message: string }>> = {
  'password-common': {
    key: 'password.common',
    message:
      'is too easy to guess, because many people use one like it: choose a few words that do not belong together',
  },
  'password-own-words': {
    key: 'password.own-words',
    message:
      'contains your name, your address or the name of your company, which others know: choose words of your own',
  },
}

/**
 * @param known names and addresses that others know and would try first
 * @returns the hash to store
 * @throws PeopleRefusal invalid, busy
 */
export async function hashOfChosen(
  parts: Pick<PeopleParts, 'passwords' | 'throttle'>,
  chosen: string,
  known: readonly string[],
): Promise<string> {
  const fault = await passwordFault(chosen, known)
  if (fault !== null) {
    const { key, message } = FAULTS[fault]
    throw new PeopleRefusal({ kind: 'invalid', key, field: 'password' }, message)
  }
  await refuseWhileBusy(parts, null)
  return parts.passwords.hash(chosen)
}
