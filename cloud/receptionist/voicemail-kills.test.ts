// A relay that is cut off again and again while it brings voicemails in, at any step and before or after its effect: each is told once and its sound is kept.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { toneWav } from '#test/fixtures/spoken.ts'
import { VoicemailDesk, type VoicemailWorld } from '#test/fixtures/voicemail-desk.ts'
import { inDrill } from '#test/harness/drill.ts'
import { seededRandom } from '#test/harness/random.ts'

const KILLS = inDrill(300, 60)
/** Steps of one voicemail from the hook to the end, with some to spare: a cut after the last one cuts nothing. */
const STEPS = 18

let desk: VoicemailDesk
beforeEach(async () => {
  desk = await VoicemailDesk.open()
})
afterEach(() => desk.close())

/** Everything that a relay does outside of itself; from one of these calls on nothing of it has an effect, and none is answered. */
class MortalRelay {
  readonly world: VoicemailWorld
  readonly died: Promise<void>
  isDead = false
  #left: number
  readonly #isAfter: boolean
  readonly #die: () => void

  /** @param isAfter the call that kills it has its effect */
  constructor(diesAt: number, isAfter: boolean) {
    const death = Promise.withResolvers<void>()
    this.died = death.promise
    this.#die = death.resolve
    this.#left = diesAt
    this.#isAfter = isAfter
    const telephony = desk.company.telephony()
    this.world = {
      db: this.#mortal(desk.db, ['unit']),
      media: this.#mortal(desk.media, ['read', 'write', 'delete']),
      telephony: this.#mortal(telephony, ['fetchRecording', 'deleteRecording']),
      transcriber: this.#mortal({ transcribe: desk.transcriber.transcribe }, ['transcribe']),
    }
  }

  #mortal<T extends object>(part: T, names: readonly string[]): T {
    return new Proxy(part, {
      get: (target, name) => {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        const bound = value.bind(target)
        return names.includes(String(name)) ? (...args: unknown[]) => this.#call(() => bound(...args)) : bound
      },
    })
  }

  async #call(act: () => Promise<unknown>): Promise<unknown> {
    const isLast = !this.isDead && --this.#left === 0
    if (this.isDead || (isLast && !this.#isAfter)) return this.#end()
    const answer = await act()
    return isLast || this.isDead ? this.#end() : answer
  }

  #end(): Promise<never> {
    this.isDead = true
    this.#die()
    return new Promise(() => {})
  }
}

it(`${KILLS} kills lose no recording, and no voicemail is told twice or not at all`, { timeout: 60_000 }, async () => {
  const random = seededRandom(7)
  let kills = 0
  let voicemails = 0
  while (kills < KILLS) {
    voicemails += 1
    const { providerId } = await desk.call()
    // Short: of a test restaurant only so much sound is kept in a day.
    const recording = desk.recorded(providerId, { seconds: 1 })
    let isAcknowledged = false
    // At most two of a voicemail: at the fifth attempt an engine that ends the relay each time is not asked any more.
    for (let lives = 0; ; lives++) {
      const relay = new MortalRelay(lives < 2 ? 1 + Math.floor(random() * STEPS) : Infinity, random() < 0.5)
      // A company tells again what was not acknowledged.
      if (!isAcknowledged) {
        const taken = desk.take(recording, relay.world).then(() => true)
        isAcknowledged = await Promise.race([taken, relay.died.then(() => false)])
      }
      if (isAcknowledged) {
        // One that dies at its start never answers.
        const worker = desk.worker(relay.world)
        void worker.start()
        await Promise.race([relay.died, until(() => desk.isDone(recording.recordingId), relay)])
        // Else those that survive work on beside the next ones, each at the cost of a look at every change.
        if (!relay.isDead) await worker.stop()
      }
      if (!relay.isDead) break
      kills += 1
    }
    const { id } = await desk.row(recording.recordingId)
    expect(await desk.media.read(id)).toEqual(toneWav())
    expect(desk.company.recordings.size).toBe(0)
    expect((await desk.texts()).filter(({ about }) => about === id)).toHaveLength(1)
    expect(await desk.shown(recording.recordingId)).toBe('transcribed "a table for four at seven"')
  }
  expect(await desk.texts()).toHaveLength(voicemails)
})

async function until(isTrue: () => Promise<boolean>, relay: MortalRelay): Promise<void> {
  while (!relay.isDead && !(await isTrue())) await new Promise(setImmediate)
}
