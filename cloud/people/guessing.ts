// Holds up who guesses passwords and codes, and who would take the machine's memory with sign-ins.
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

/** A password is going to be hashed or checked. @param trier null: nobody is known to have come in before @throws PeopleRefusal busy */
export async function refuseWhileBusy(
  { passwords, throttle }: Pick<PeopleParts, 'passwords' | 'throttle'>,
  trier: Trier | null,
): Promise<void> {
  // A crowd that guesses must not keep out who was here before.
  if (!passwords.isBusy || (trier !== null && (await throttle.knows(trier)))) return
  throw new PeopleRefusal(
    { kind: 'busy', key: 'session.busy', retryAfterSeconds: COME_BACK_SECONDS },
    'Others are signing in: try again in a moment.',
  )
}
