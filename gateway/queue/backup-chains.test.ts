// Chains of one to four printers, each of which may fail and recover at any time, idle or in the middle of a ticket. No ticket waits longer
// than the policies allow while a printer of its chain is ready, none is printed twice without a mark, none is lost, however often the
// gateway is killed.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SendOutcome } from '#gateway/printers/transport.ts'
import type { Clock } from '#shared/clock.ts'
import { GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE, type ScriptedTransport } from '#test/doubles/scripted-transport.ts'
import { assertProperty } from '#test/harness/property.ts'

const POLICY_MS = 5_000
/** An idle printer that is off is checked at least this often; until then it counts as ready. */
const NOTICED_MS = 18_000
/** Intervals between queries and attempts, and the steps of this test. */
const SLACK_MS = 3_000
/** Time for a missing proof. An attempt in progress is completed after its time is over. */
const PROOF_MS = 10_000
/** With all four in trouble. */
const LONGEST_MS = 4 * (POLICY_MS + 2 * PROOF_MS) + NOTICED_MS + SLACK_MS
/** Slips that close an incomplete ticket, at most, until a printer prints one completely. */
const MOST_SLIPS = 3
const BLOCKED = { kind: 'blocked', reason: 'media-empty', detail: '' } as const
const NAMES = ['A', 'B', 'C', 'D'] as const

/**
 * `stuck`: stops in the middle of a ticket. `mute`: takes tickets and proves none. `unproving`: does not prove the slips before them
 * either, and is slow.
 */
type Mode = 'well' | 'off' | 'blocked' | 'stuck' | 'mute' | 'unproving'
type Step = { order: number } | { printer: number; mode: Mode } | { passMs: number } | { kill: true }

/** A printer with the behaviour of its mode. */
class Member {
  transport: ScriptedTransport
  mode: Mode = 'well'
  changedMs = 0
  /** It left a ticket in doubt, and has proved none since. */
  isDoubtful = false
  /** What was sent on earlier connections. */
  readonly #before: ScriptedTransport['sent'] = []
  #clock: Clock
  #goOn: (() => void) | null = null
  #slips = 0
  #mayStandUncut = false
  /** Ends the wait for a proof, since the mode changed. */
  #change = new AbortController()

  constructor(transport: ScriptedTransport, clock: Clock) {
    this.transport = this.#opened(transport)
    this.#clock = clock
  }

  get sent(): ScriptedTransport['sent'] {
    return [...this.#before, ...this.transport.sent]
  }

  /** The gateway was killed: its next process has another connection and its own clock. */
  reopen(transport: ScriptedTransport, clock: Clock): void {
    this.#before.push(...this.transport.sent)
    this.#goOn = null
    this.#slips = 0
    this.#clock = clock
    transport.down = this.transport.down
    this.transport = this.#opened(transport)
    this.changedMs = clock.now()
  }

  #opened(transport: ScriptedTransport): ScriptedTransport {
    transport.outcomes.shift = () => (signal) => this.#outcome(signal)
    return transport
  }

  set(mode: Mode, nowMs: number): void {
    if (mode !== this.mode) this.changedMs = nowMs
    this.mode = mode
    this.#change.abort()
    this.#change = new AbortController()
    this.transport.down = mode === 'off' ? OFFLINE : mode === 'blocked' ? BLOCKED : null
    if (mode === 'off' || mode === 'blocked') return
    // The state of an idle printer is only known at the next query.
    if (mode === 'well' && this.#goOn) this.transport.show('online')
    this.#goOn?.()
  }

  async #outcome(signal: AbortSignal): Promise<SendOutcome> {
    const outcome = await this.#attempt(signal)
    this.isDoubtful = outcome.kind !== 'printed'
    return outcome
  }

  #attempt(signal: AbortSignal): SendOutcome | Promise<SendOutcome> {
    if (this.mode === 'mute') return this.transport.uncertain()
    if (this.mode === 'unproving') return this.#unproved(signal)
    if (this.mode !== 'stuck') {
      this.#mayStandUncut = false
      this.#slips = 0
      return this.transport.printed()
    }
    this.transport.down = BLOCKED
    this.transport.show('offline')
    return new Promise((resolve) => {
      const end = (outcome: SendOutcome) => {
        this.#goOn = null
        resolve(outcome)
      }
      signal.addEventListener('abort', () => end(this.transport.uncertain()))
      // A stopped printer continues after it was fixed.
      this.#goOn = () => end(this.mode === 'well' ? this.transport.printed() : this.transport.uncertain())
    })
  }

  async #unproved(signal: AbortSignal): Promise<SendOutcome> {
    const { transport } = this
    const isSlip = this.#mayStandUncut && this.#slips < MOST_SLIPS
    // Then no byte of the ticket is sent.
    if (isSlip) transport.sent.pop()
    if (isSlip) this.#slips++
    this.#mayStandUncut = true
    await this.#clock.sleep(PROOF_MS, AbortSignal.any([signal, this.#change.signal]))
    if (!isSlip) return transport.uncertain()
    return { kind: 'not-sent', readiness: { kind: 'busy', reason: 'timed-out', detail: '' }, slipUnproved: true }
  }
}

class Kitchen {
  core: GatewayCore
  readonly members: Member[]
  #orders = 0
  readonly #sinceMs = new Map<string, number>()
  /** The last printer of each job's ticket, and since when. */
  readonly #cameTo = new Map<string, { printerId: string; atMs: number }>()

  constructor(length: number, isCircle: boolean) {
    const names = NAMES.slice(0, length)
    this.core = new GatewayCore(
      names.map((name, index) => ({ ...GRILL, name, port: 9_100 + index, stations: [name.toLowerCase()] })),
    )
    names.forEach((name, index) => {
      const next = names[index + 1] ?? (isCircle && length > 1 ? names[0] : undefined)
      this.core.set(name.toLowerCase(), {
        backupPrinterId: next?.toLowerCase() ?? null,
        backupAfterMs: POLICY_MS,
        backupWhenDoubtfulAfterMs: POLICY_MS,
      })
    })
    this.members = names.map((name) => new Member(this.core.transport(name.toLowerCase()), this.core.clock))
    for (const member of this.members) member.changedMs = this.core.clock.now() - NOTICED_MS
  }

  async run(steps: readonly Step[]): Promise<void> {
    await this.core.queue.start()
    for (const step of steps) {
      if ('order' in step) this.#order(step.order % this.members.length)
      else if ('printer' in step)
        this.members[step.printer % this.members.length]?.set(step.mode, this.core.clock.now())
      else if ('kill' in step) await this.#kill()
      else await this.pass(step.passMs)
    }
    for (const member of this.members) member.set('well', this.core.clock.now())
    await this.pass(2 * LONGEST_MS)
  }

  async #kill(): Promise<void> {
    this.core = this.core.crash()
    this.members.forEach((member, n) => {
      member.reopen(this.core.transport(NAMES[n]?.toLowerCase() ?? ''), this.core.clock)
    })
    await this.core.queue.start()
  }

  #order(at: number): void {
    const station = NAMES[at]?.toLowerCase() ?? ''
    const jobId = `pj_${++this.#orders}`
    const items = [{ umsId: 'x', name: 'x', qty: 1, modifiers: [], station }]
    this.core.accept(jobId, { order: { serviceOrderId: `ord_${this.#orders}`, items } })
    this.#sinceMs.set(jobId, this.core.clock.now())
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 1_000) {
      await this.core.pass(1_000)
      this.#look()
    }
  }

  /** No ticket waits next to a ready printer for longer than the policies of those before it, each counted once. */
  #look(): void {
    const nowMs = this.core.clock.now()
    const rows = this.core.db.sqlite
      .prepare(
        `select job_id, printer_id, coalesce(moved_from, printer_id) as meant_for from tickets where state in ('queued', 'sending') and kind = 'order'`,
      )
      .all() as { job_id: string; printer_id: string; meant_for: string }[]
    for (const { job_id, printer_id, meant_for } of rows) {
      const chain = this.#chain(meant_for)
      const way = this.#wayToWell(chain, printer_id)
      if (way === null) continue
      const bornMs = this.#sinceMs.get(job_id) ?? nowMs
      const came = this.#cameTo.get(job_id) ?? { printerId: printer_id, atMs: bornMs }
      const cameMs = came.printerId === printer_id ? came.atMs : nowMs
      this.#cameTo.set(job_id, { printerId: printer_id, atMs: cameMs })
      const waits = `${job_id} waits at ${printer_id} beside a printer that is well`
      expect(nowMs - Math.max(cameMs, ...changesOf(way)), waits).toBeLessThanOrEqual(limitFor(way))
      // Nor does it go round in a circle.
      expect(nowMs - Math.max(bornMs, ...changesOf(chain)), waits).toBeLessThanOrEqual(limitFor(chain))
    }
  }

  /**
   * From the printer that has the ticket to the first ready one, both included. Null: none is ready. A printer that left tickets in doubt
   * gets none from another one in doubt: they would go back and forth.
   */
  #wayToWell(chain: readonly Member[], at: string): Member[] | null {
    const holder = chain.findIndex(({ transport }) => transport === this.core.transport(at))
    const isMute = chain[holder]?.mode === 'mute' || chain[holder]?.mode === 'unproving'
    const well = chain.findIndex(({ mode, isDoubtful }) => mode === 'well' && !(isMute && isDoubtful))
    if (well < 0) return null
    return holder <= well
      ? chain.slice(Math.max(0, holder), well + 1)
      : chain.filter((_, n) => n === holder || n === well)
  }

  #chain(printerId: string): Member[] {
    const ids: string[] = []
    for (let id: string | null = printerId; id !== null && !ids.includes(id); ) {
      ids.push(id)
      id = this.core.printers.find(id)?.settings.backupPrinterId ?? null
    }
    return ids.flatMap((id) => this.members[NAMES.findIndex((name) => name.toLowerCase() === id)] ?? [])
  }

  /** Each copy of a ticket after the first one is marked as a possible duplicate. */
  unmarked(): string[] {
    const seen = new Set<string>()
    const sent = this.members
      .flatMap((member) => member.sent)
      .map((copy) => ({ ...copy, attempt: Number(/\.(\d+)$/.exec(copy.attemptId)?.[1] ?? 0) }))
      .sort((a, b) => a.attempt - b.attempt)
    return sent.flatMap(({ attemptId, text }) => {
      const ticketId = attemptId.replace(/\.\d+$/, '')
      const isAgain = seen.has(ticketId)
      seen.add(ticketId)
      return isAgain && !text.includes('POSSIBLE DUPLICATE') ? [attemptId] : []
    })
  }

  /** Orders without a result, or whose result shows that nothing was tried. */
  lost(): string[] {
    const results = new Map(this.core.reports.open(1_000).map(({ jobId, payload }) => [jobId, payload.state]))
    return [...this.#sinceMs.keys()].filter((jobId) => !['printed', 'uncertain'].includes(results.get(jobId) ?? ''))
  }
}

/** When the state of each can be known. */
function changesOf(members: readonly Member[]): number[] {
  return members.map(({ mode, changedMs }) => changedMs + (mode === 'well' ? NOTICED_MS : 0))
}

function limitFor(members: readonly Member[]): number {
  const proofsMs = members.filter(({ mode }) => mode === 'unproving').length * 2 * PROOF_MS
  return members.filter(({ mode }) => mode !== 'well').length * POLICY_MS + proofsMs + SLACK_MS
}

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ order: fc.nat(3) }),
  fc.record({
    printer: fc.nat(3),
    mode: fc.constantFrom<Mode>('well', 'off', 'off', 'blocked', 'stuck', 'mute', 'unproving'),
  }),
  fc.constant({ kill: true } as const),
  fc.record({ passMs: fc.constantFrom(1_000, 5_000, 20_000, 60_000, 120_000) }),
)

describe('a chain of backup printers', () => {
  it('never leaves a ticket waiting, never prints one twice unmarked, and loses none', async () => {
    const chains = fc.record({
      length: fc.integer({ min: 1, max: 4 }),
      isCircle: fc.boolean(),
      steps: fc.array(step, { maxLength: 24 }),
    })
    /** A fails next to a ready B. */
    const nextIsWell: Step[] = [{ printer: 0, mode: 'off' }, { order: 0 }, { passMs: 60_000 }]
    /** The same, after B was off and idle, and was ready again for as long as it takes to notice. */
    const nextIsBack: Step[] = [
      { printer: 1, mode: 'off' },
      { passMs: 120_000 },
      { printer: 1, mode: 'well' },
      { passMs: 20_000 },
      ...nextIsWell,
    ]
    /** B is off and idle, then A fails. C is ready. */
    const idleMiddle: Step[] = [
      { printer: 1, mode: 'off' },
      { passMs: 60_000 },
      { printer: 0, mode: 'off' },
      { order: 0 },
      { passMs: 120_000 },
    ]
    /** C has A's ticket and fails, while B has recovered. */
    const holderFails: Step[] = [
      { printer: 0, mode: 'off' },
      { printer: 1, mode: 'off' },
      { order: 0 },
      { passMs: 20_000 },
      { printer: 2, mode: 'stuck' },
      { order: 0 },
      { passMs: 5_000 },
      { printer: 1, mode: 'well' },
      { passMs: 120_000 },
    ]
    /** B proved nothing until its ticket was given up or had gone to A. It is ready now, and A fails. */
    const provedNothing: Step[] = [
      { printer: 1, mode: 'mute' },
      { order: 1 },
      { passMs: 120_000 },
      { passMs: 120_000 },
      { printer: 1, mode: 'well' },
      { passMs: 20_000 },
      { printer: 0, mode: 'off' },
      { order: 0 },
      { passMs: 120_000 },
    ]
    /** A prints and proves nothing, not even a slip, and the gateway is killed meanwhile. */
    const provesNoSlip: Step[] = [
      { printer: 0, mode: 'unproving' },
      { order: 0 },
      { passMs: 5_000 },
      { kill: true },
      { order: 0 },
      { passMs: 60_000 },
    ]
    await assertProperty(
      fc.asyncProperty(chains, async ({ length, isCircle, steps }) => {
        const kitchen = new Kitchen(length, isCircle)
        try {
          await kitchen.run(steps)
          expect(kitchen.core.fatal).toEqual([])
          expect(kitchen.unmarked()).toEqual([])
          expect(kitchen.lost()).toEqual([])
        } finally {
          await kitchen.core.stop()
        }
      }),
      {
        numRuns: 200,
        examples: [
          [{ length: 2, isCircle: false, steps: nextIsWell }],
          [{ length: 2, isCircle: false, steps: nextIsBack }],
          [{ length: 3, isCircle: false, steps: idleMiddle }],
          [{ length: 3, isCircle: false, steps: holderFails }],
          [{ length: 2, isCircle: false, steps: provedNothing }],
          [{ length: 2, isCircle: true, steps: provedNothing }],
          [{ length: 3, isCircle: false, steps: provesNoSlip }],
        ],
      },
    )
  })
})
