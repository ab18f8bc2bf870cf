// GET /dashboard/api/voicemails/sound: what a caller said, for the player of the page. A player sends no headers of its own, so the address names account and restaurant.

import { z } from 'zod'
import type { App } from '#cloud/api/app.ts'
import { checkedInput } from '#cloud/control/checked-input.ts'
import type { ControlContext } from '#cloud/control/context.ts'
import { ControlRefusal } from '#cloud/control/control-refusal.ts'
import { idField, merchantId } from '#cloud/control/input-fields.ts'
import { perform } from '#cloud/control/perform.ts'
import type { People } from '#cloud/people/people.ts'
import { audioTypeOf } from '#cloud/receptionist/wav.ts'
import { personOf } from './page-guard.ts'
import { PAGE_API } from './page-refusal.ts'
import { placeOf } from './place.ts'

const query = z.strictObject({
  account: idField('acc', 'an account'),
  merchant: merchantId,
  id: idField('vm', 'a voicemail'),
})

/** Each is read and opened whole, up to 64 MB: so many at once, and others wait. */
const AT_ONCE = 2
const MOST_WAITING = 20

/** `bytes=100-`, `bytes=100-199` or `bytes=-100`; more than one part is answered with the whole. */
const RANGE = /^bytes=(\d{0,12})-(\d{0,12})$/

export function voicemailSoundRoute(
  app: App,
  { control, people }: { control: ControlContext; people: Pick<People, 'membership'> },
): void {
  const reads = new SoundReads()
  app.route({
    method: 'GET',
    url: `${PAGE_API}voicemails/sound`,
    config: { access: 'person' },
    handler: async (request, reply) => {
      const { account, merchant, id } = checkedInput(query, request.query)
      const person = personOf(request)
      const { accountId, role, isViewing } = await placeOf(account, person, { people, clock: control.clock })
      const { userId, sessionId, name, email, isOperator, elevatedUntilMs } = person
      const environment = merchant.startsWith('M-TEST-') ? ('sandbox' as const) : ('live' as const)
      const asker = {
        act: {
          ...{ by: 'person' as const, userId, sessionId, name, email, accountId, role, environment },
          address: request.client.address,
        },
        ...{ isOperator, isViewing, elevatedUntilMs, tapId: null },
      }
      // The same rights as those of the list.
      const raw = { merchantId: merchant, voicemailId: id }
      const { hasSound } = await perform(control, asker, { name: 'voicemails.get', raw })
      const media = control.running?.media
      if (!hasSound || media === undefined)
        throw new ControlRefusal('not-found', 'There is no sound of this voicemail.', {
          said: { key: 'voicemail.unknown' },
        })
      const bytes = await reads.run(() => media.read(id))
      reply
        .header('cache-control', 'no-store')
        .header('accept-ranges', 'bytes')
        .type(audioTypeOf(bytes) ?? 'audio/mpeg')
      const part = partOf(request.headers.range, bytes.length)
      if (part === null) return reply.send(bytes)
      // A copy: a slow player of a part does not hold the whole.
      return reply
        .code(206)
        .header('content-range', `bytes ${part.from}-${part.to}/${bytes.length}`)
        .send(Buffer.from(bytes.subarray(part.from, part.to + 1)))
    },
  })
}

/** Reads of sound, the first come first. */
export class SoundReads {
  #underWay = 0
  readonly #waiting: (() => void)[] = []

  /** @throws ControlRefusal when too many wait */
  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#underWay < AT_ONCE) this.#underWay += 1
    else if (this.#waiting.length < MOST_WAITING) await new Promise<void>((begin) => this.#waiting.push(begin))
    else
      throw new ControlRefusal('refused', 'Too many voicemails are played now. Try again in a moment.', {
        said: { key: 'voicemail.busy' },
      })
    try {
      return await read()
    } finally {
      // Its place goes to the next one.
      const next = this.#waiting.shift()
      if (next === undefined) this.#underWay -= 1
      else next()
    }
  }
}

/** The first and the last byte. Null: the whole. */
export function partOf(range: string | undefined, length: number): { from: number; to: number } | null {
  const [, first = '', last = ''] = RANGE.exec(range ?? '') ?? []
  if (first === '' && last === '') return null
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first)
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1)
  return from <= to ? { from, to } : null
}
