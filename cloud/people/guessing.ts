// Delays guesses of passwords and codes, and limits the memory that sign-ins use.
import type { Trier } from '#shared/pages/sign-in-throttle.ts'
import type { PeopleParts } from './parts.ts'
import { PeopleRefusal } from './people-refusal.ts'

const COME_BACK_SECONDS = 2

/** A try begins: it counts as a wrong one until `throttle.succeeded`. @throws PeopleRefusal throttled */
export async function beginTry({ throttle }: Pick<PeopleParts, 'throttle'>, trier: Trier): Promise<void> {
  const seconds = Math.ceil((await throttle.begin(trier)) / 1_000)
  if (seconds > 0)
    throw new PeopleRefusal(
      { kind: 'throttled', key: 'session.throttled', values: { seconds }, retryAfterSeconds: seconds },
      `Too many wrong ones: wait ${seconds} s.`,
    )
}

/** Called before a password is hashed or checked. @param trier null: not known to have signed in before @throws PeopleRefusal busy */
export async function refuseWhileBusy(
  { passwords, throttle }: Pick<PeopleParts, 'passwords' | 'throttle'>,
  trier: Trier | null,
): Promise<void> {
  // Many guesses at once must not lock out people who signed in here before.
  if (!passwords.isBusy || (trier !== null && (await throttle.knows(trier)))) return
  throw new PeopleRefusal(
    { kind: 'busy', key: 'session.busy', retryAfterSeconds: COME_BACK_SECONDS },
    'Others are signing in: try again in a moment.',
  )
}
