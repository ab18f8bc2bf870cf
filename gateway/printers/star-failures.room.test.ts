// Failures of Star printers in kitchens, for each level of proof, on a real socket: the report, and the paper.
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import {
  MC_PRINT,
  MUTE_STAR,
  STATUS_ONLY,
  TSP650,
  type VirtualStarPrinter,
} from '#test/doubles/virtual-star-printer.ts'
import {
  KNOWS_ETB,
  KNOWS_PRINT_END,
  KNOWS_STATUS,
  StarRig,
  type StarRigOptions,
  starDocument,
} from '#test/doubles/virtual-star-rig.ts'
import { assertProperty } from '#test/harness/property.ts'
import type { SendOutcome } from './transport.ts'

let rig: StarRig
afterEach(async () => {
  await rig.stop()
})

async function startRig(options: StarRigOptions): Promise<StarRig> {
  rig = await new StarRig(options).start()
  return rig
}

const ETB: StarRigOptions = { capability: KNOWS_ETB, printer: { model: TSP650 } }
const OWN_ID: StarRigOptions = { capability: KNOWS_PRINT_END, printer: { model: MC_PRINT } }
const STATUS: StarRigOptions = { capability: KNOWS_STATUS, printer: { model: STATUS_ONLY } }
const MUTE: StarRigOptions = { capability: null, printer: { model: MUTE_STAR } }
const LEVELS = [
  ['ETB', ETB],
  ['own id', OWN_ID],
  ['status only', STATUS],
  ['mute', MUTE],
] as const

/** Like the queue: repeated until it is printed. */
async function deliver(name: string, outcomes: SendOutcome[]): Promise<void> {
  for (let kind = ''; kind !== 'printed'; ) {
    const outcome = await rig.send(name)
    outcomes.push(outcome)
    kind = outcome.kind
    if (kind !== 'printed') await rig.clock.sleep(20)
  }
}

/** Never lost, never printed twice without a doubt before it, confirmed only with proof. */
function judge(name: string, outcomes: readonly SendOutcome[], options: StarRigOptions): void {
  const copies = rig.complete().filter((printed) => printed === name).length
  const doubts = outcomes.filter(({ kind }) => kind === 'uncertain').length
  const last = outcomes.at(-1)
  expect(last?.kind).toBe('printed')
  const proves = options === ETB || options === OWN_ID
  if (last?.kind === 'printed') expect(last.confirmation).toBe(proves ? 'confirmed' : 'assumed')
  expect(copies).toBeGreaterThanOrEqual(1)
  expect(copies).toBeLessThanOrEqual(1 + doubts)
}

type Act = (printer: VirtualStarPrinter) => unknown
interface Case {
  what: string
  spoil: Act
  mend: Act
  /** Reasons that must be reported by printers that answer. */
  reason?: string
  /** Without a second copy, for printers that answer. */
  once?: boolean
}

const paper =
  (state: 'ok' | 'near-end' | 'out', after = 0): Act =>
  (printer) =>
    printer.change((parts) => {
      parts.paper = state
    }, after)
const cover =
  (isOpen: boolean, after = 0): Act =>
  (printer) =>
    printer.change((parts) => {
      parts.coverOpen = isOpen
    }, after)
const hot =
  (isHot: boolean, after = 0): Act =>
  (printer) =>
    printer.change((parts) => {
      parts.hot = isHot
    }, after)
const jam =
  (kind: 'recoverable' | 'unrecoverable'): Act =>
  (printer) => {
    printer.parts.jam = kind
  }
const unjam: Act = (printer) =>
  printer.change((parts) => {
    parts.jam = 'none'
    parts.cutterError = 'none'
  })

const CASES: readonly Case[] = [
  {
    what: '1: off, and on again',
    spoil: (p) => p.refuse(),
    mend: (p) => p.listenAgain(),
    reason: 'connecting-to-device',
    once: true,
  },
  { what: '3: paper out before', spoil: paper('out'), mend: paper('ok'), reason: 'media-empty', once: true },
  { what: '3: cover open before', spoil: cover(true), mend: cover(false), reason: 'cover-open', once: true },
  ...[1, 3, 6].map((k) => ({
    what: `4: paper out after line ${k}`,
    spoil: paper('out', k),
    mend: paper('ok'),
    reason: 'media-empty',
    once: true,
  })),
  {
    what: '5: cover opened in the middle',
    spoil: cover(true, 3),
    mend: cover(false),
    reason: 'cover-open',
    once: true,
  },
  {
    what: '5: head too hot in the middle',
    spoil: hot(true, 3),
    mend: hot(false),
    reason: 'recoverable-error',
    once: true,
  },
  {
    what: '6: cutter jams, paper pulled out',
    spoil: jam('recoverable'),
    mend: unjam,
    reason: 'cutter-error',
    once: true,
  },
  {
    what: '6: cutter broken, off and on',
    spoil: jam('unrecoverable'),
    mend: (p) => {
      p.parts.jam = 'none'
      p.powerCycle()
    },
    reason: 'cutter-error',
  },
  { what: '8: frozen', spoil: (p) => p.freeze(), mend: (p) => p.thaw(), reason: 'not-responding' },
]

describe.each(LEVELS)('%s', (level, options) => {
  it.each(CASES)('$what', async ({ spoil, mend, reason, once: isOnce }) => {
    // A mute printer that closes only when everything is printed is the best of its kind; one that closes at once is assumed to have
    // printed.
    await startRig({ ...options, printer: { ...options.printer, manners: { finWhenPrinted: true } } })
    await spoil(rig.printer)
    const outcomes: SendOutcome[] = []
    const told = rig.health.next(({ state }) => state === 'offline')
    const done = deliver('A', outcomes)
    if (level !== 'mute') expect((await told).reasons).toContain(reason)
    else await Promise.race([told, rig.clock.sleep(600)])
    await mend(rig.printer)
    await done
    await expect.poll(() => rig.complete()).toContain('A')
    judge('A', outcomes, options)
    if (isOnce && level !== 'mute') expect(rig.complete()).toEqual(['A'])
    if (level !== 'mute') expect(rig.transport.health.state).toBe('online')
  })

  it('7: reset before the answer: in doubt, then one more copy', async () => {
    await startRig(options)
    rig.printer.resetAfterBytes(starDocument('A').bytes.length - 1)
    const outcomes: SendOutcome[] = []
    await deliver('A', outcomes)
    expect(outcomes[0]?.kind).toBe('uncertain')
    judge('A', outcomes, options)
    expect(rig.papers().join('')).toContain('INCOMPLETE ABOVE')
  })

  it('9: one byte per segment, a greeting, a trailer, joined answers', async () => {
    for (const manners of [
      { splitReplies: true },
      { glueReplies: true, greeting: 'mC-Print3 #1!\r\n', trailer: '#bye#' },
    ]) {
      await startRig({ ...options, printer: { ...options.printer, manners } })
      const outcomes: SendOutcome[] = []
      await deliver('A', outcomes)
      judge('A', outcomes, options)
      expect(outcomes).toHaveLength(1)
      await rig.stop()
    }
  })

  it('10: slow, closes idle connections by RST, status after our FIN', async () => {
    await startRig({
      ...options,
      printer: {
        ...options.printer,
        msPerLine: 15,
        manners: { rstAfterIdleMs: 400, asbAfterFin: true, finWhenPrinted: true },
      },
    })
    const outcomes: SendOutcome[] = []
    await deliver('A', outcomes)
    await rig.clock.sleep(500)
    await deliver('B', outcomes)
    expect(outcomes.map(({ kind }) => kind)).toEqual(['printed', 'printed'])
    expect(rig.complete()).toEqual(['A', 'B'])
  })
})

describe('2: another point of sale uses the printer', () => {
  it.each(LEVELS.slice(0, 3))('%s: no byte of the ticket; printed when the other has gone', async (_, options) => {
    await startRig(options)
    const other = await rig.otherTill()
    expect(await rig.send('A')).toMatchObject({
      kind: 'not-sent',
      readiness: { kind: 'busy', reason: 'not-responding' },
    })
    other.end()
    const outcomes: SendOutcome[] = []
    await deliver('A', outcomes)
    judge('A', outcomes, options)
    expect(rig.complete()).toEqual(['A'])
  })

  it('multi-session: their tickets and ETBs between ours change nothing', async () => {
    await startRig({ ...ETB, printer: { model: TSP650, clients: 'many', msPerLine: 2 } })
    const other = await rig.otherTill()
    for (const name of ['A', 'B', 'C']) {
      const outcome = rig.send(name)
      other.write(Buffer.concat([starDocument('other', 1).bytes, Buffer.from([0x17])]))
      expect(await outcome).toMatchObject({ kind: 'printed', confirmation: 'confirmed' })
      expect(rig.complete().at(-1)).toBe(name)
    }
  })
})

describe('7: power', () => {
  it('RST after every k bytes of a ticket: never confirmed unless it is printed, and the next one is complete', async () => {
    const length = starDocument('A').bytes.length + 20
    await assertProperty(
      fc.asyncProperty(fc.integer({ min: 1, max: length }), fc.constantFrom(ETB, OWN_ID), async (k, options) => {
        await startRig(options)
        rig.printer.resetAfterBytes(k)
        const outcomes: SendOutcome[] = []
        await deliver('A', outcomes)
        judge('A', outcomes, options)
        await rig.stop()
      }),
      { numRuns: 40 },
    )
  })

  it.each(LEVELS.slice(0, 3))(
    '%s: off and on while it waits for paper, without a word: noticed soon',
    async (_, options) => {
      await startRig({ ...options, timeouts: { blockedMs: 30_000 } })
      await rig.send('first')
      paper('out', 3)(rig.printer)
      const outcomes: SendOutcome[] = []
      const done = deliver('A', outcomes)
      await rig.health.next(({ state }) => state === 'offline')
      rig.printer.parts.paper = 'ok'
      rig.printer.powerCycle('breaks-on-contact')
      await done
      expect(outcomes[0]).toMatchObject({ kind: 'uncertain', reason: 'connecting-to-device' })
      judge('A', outcomes, options)
    },
  )

  it('off and on between tickets with its cover open, silently: noticed at the next check', async () => {
    await startRig({ ...ETB, transport: { exclusive: true } })
    await rig.send('A')
    const offline = rig.health.next(({ state }) => state === 'offline')
    cover(true)(rig.printer)
    await offline
    rig.printer.parts.coverOpen = false
    rig.printer.powerCycle('breaks-on-contact')
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.complete()).toEqual(['A', 'B'])
  })

  it('all on paper, the answer lost: in doubt', async () => {
    await startRig(ETB)
    await rig.send('first')
    rig.printer.resetBeforeAnswer()
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'connecting-to-device', answering: true })
    expect(rig.complete()).toEqual(['first', 'A'])
  })

  it('inside a picture: the printer waits for data after it comes back, and the next ticket is complete', async () => {
    await startRig(ETB)
    // ESC X n1 n2: 24 rows of 576 dots, 1,728 bytes; the buffer survives the reset of the network interface.
    const picture = Buffer.concat([Buffer.from([0x1b, 0x58, 0x40, 0x02]), Buffer.alloc(1_728, 0xaa), Buffer.from('\n')])
    const document = { bytes: Buffer.concat([picture, starDocument('A').bytes]), heightMm: 30, lines: 8 }
    rig.printer.resetAfterBytes(200, 'kept')
    const first = await rig.transport.send(document, 'att_picture', new AbortController().signal)
    expect(first.kind).toBe('uncertain')
    const outcomes: SendOutcome[] = []
    await deliver('B', outcomes)
    judge('B', outcomes, ETB)
    expect(rig.complete()).toEqual(['B'])
    expect(rig.papers()[0]).toContain('INCOMPLETE ABOVE')
  })

  it('a gateway that crashed in the middle of a ticket closes the paper before its first one', async () => {
    await startRig(ETB)
    rig.connect(true)
    expect(await rig.send('A')).toMatchObject({ kind: 'printed' })
    expect(rig.papers()[0]).toContain('INCOMPLETE ABOVE')
    expect(rig.complete()).toEqual(['A'])
  })
})

describe('4: never reloaded', () => {
  it.each(LEVELS.slice(0, 3))('%s: in doubt after the time, and nothing is reported as printed', async (_, options) => {
    await startRig({ ...options, timeouts: { blockedMs: 120 } })
    paper('out', 3)(rig.printer)
    expect(await rig.send('A')).toMatchObject({ kind: 'uncertain', reason: 'media-empty', answering: true })
    expect(rig.complete()).toEqual([])
  })
})

it('a printer that stays stopped after a broken ticket is not filled with padding at each check', async () => {
  await startRig({ ...ETB, timeouts: { blockedMs: 60, lingerMs: 1 } })
  paper('out', 3)(rig.printer)
  expect(await rig.send('A')).toMatchObject({ kind: 'uncertain' })
  const before = rig.printer.receivedBytes
  for (let look = 0; look < 10; look++) {
    expect(await rig.prepare()).toMatchObject({ kind: 'blocked' })
    await rig.clock.sleep(20)
  }
  expect(rig.printer.connections).toBeGreaterThan(8)
  // Once the rows of one picture, and ten queries.
  expect(rig.printer.receivedBytes - before).toBeLessThan(2_500)
  paper('ok')(rig.printer)
  const outcomes: SendOutcome[] = []
  await deliver('B', outcomes)
  expect(rig.complete()).toEqual(['A', 'B'])
})

it('bytes lost in a full buffer: never proved', async () => {
  await startRig({ ...ETB, timeouts: { confirmMs: 150, confirmSlackMs: 0 } })
  cover(true, 3)(rig.printer)
  const outcome = rig.send('A')
  await rig.health.next(({ state }) => state === 'offline')
  rig.printer.loseBytes()
  cover(false)(rig.printer)
  expect(await outcome).toMatchObject({ kind: 'uncertain', reason: 'timed-out' })
})
