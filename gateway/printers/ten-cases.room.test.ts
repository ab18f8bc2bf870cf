// Every way in which printers fail in kitchens, for every level of proof: two tickets go through it, and the results are compared with the paper.
//
// A small queue sends A and B as the print queue does: nothing sent = again, unmarked; uncertain = again, marked. Then, whatever happened:
// "confirmed" was never reported of a ticket that is not whole on the paper; nothing is lost; every copy after the first is marked;
// A comes before B. The limits of a level are written beside it.
import { afterEach, describe, expect, it } from 'vitest'
import { LEVELS, type Level, Stage } from '#test/doubles/print-stage.ts'
import { MARK, PrinterRig, type RigOptions } from '#test/doubles/printer-rig.ts'
import type { VirtualPrinterOptions } from '#test/doubles/virtual-printer.ts'

interface Case {
  name: string
  printer?: VirtualPrinterOptions
  rig?: Partial<RigOptions>
  /** Levels for which the case has no meaning, because they lack what it breaks. */
  not?: readonly (Level['knows'] | Level['method'])[]
  play(stage: Stage): Promise<void>
  /** The required result, in addition to the rules. */
  says?(stage: Stage): void
}

const CASES: readonly Case[] = [
  {
    name: '1: off, and on again later',
    async play(stage) {
      await stage.rig.printer.refuse()
      const done = stage.print('A', 'B')
      await stage.spoken()
      await stage.rig.printer.listenAgain()
      await done
    },
    says({ said }) {
      expect(said[0]).toMatchObject({ kind: 'not-sent', reason: 'connecting-to-device' })
      expect(said.filter(({ kind }) => kind === 'uncertain')).toEqual([])
    },
  },
  ...(['queue', 'rst', 'close'] as const).map(
    (clients): Case => ({
      name: `2: held by another client, ours is met with ${clients}`,
      printer: { clients },
      async play(stage) {
        const other = await stage.hold()
        const done = stage.print('A', 'B')
        await stage.spoken()
        other.destroy()
        await done
      },
      says({ said, level }) {
        // A printer that never answers looks the same whether it reads or not: our bytes are withdrawn before it could.
        expect(said[0]).toMatchObject({ kind: level.knows === 'none' ? expect.any(String) : 'not-sent', stood: false })
      },
    }),
  ),
  ...(
    [
      ['paper out', 'media-empty', (s) => s.rig.printer.paperOut(), (s) => s.rig.printer.loadPaper()],
      ['cover open', 'cover-open', (s) => s.rig.printer.openCover(), (s) => s.rig.printer.closeCover()],
    ] as const satisfies readonly [string, string, (s: Stage) => void, (s: Stage) => void][]
  ).map(
    ([what, reason, spoil, mend]): Case => ({
      name: `3: ${what} before the ticket`,
      async play(stage) {
        spoil(stage)
        const done = stage.print('A', 'B')
        await stage.spoken()
        mend(stage)
        await done
      },
      says({ said, level }) {
        if (level.knows !== 'none') expect(said[0]).toMatchObject({ kind: 'not-sent', reason })
        expect(said.filter(({ kind }) => kind === 'uncertain')).toEqual([])
      },
    }),
  ),
  {
    name: '3: paper nearly out while printing',
    async play(stage) {
      stage.rig.printer.paperNearEnd()
      await stage.print('A', 'B')
    },
    says({ said, level, rig }) {
      expect(said.map(({ kind }) => kind)).toEqual(['printed', 'printed'])
      if (level.knows !== 'none') expect(rig.transport.health.reasons).toEqual(['media-low'])
    },
  },
  ...(
    [
      ['4: paper out', (s) => s.rig.printer.paperOut(3), (s) => s.rig.printer.loadPaper()],
      ['5: cover opened', (s) => s.rig.printer.openCover(3), (s) => s.rig.printer.closeCover()],
      ['5: head too hot', (s) => s.rig.printer.overheat(60, 3), () => {}],
    ] as const satisfies readonly [string, (s: Stage) => void, (s: Stage) => void][]
  ).map(
    ([what, spoil, mend]): Case => ({
      name: `${what} in the middle of a ticket: it goes on, and nothing is printed twice`,
      async play(stage) {
        spoil(stage)
        const stopped = stage.rig.printer.onOffline.next((offline) => offline)
        const done = stage.print('A', 'B')
        await stopped
        mend(stage)
        await done
      },
      says({ said, rig }) {
        expect(said.map(({ kind }) => kind)).toEqual(['printed', 'printed'])
        expect(rig.papers().filter((text) => text.includes('A line'))).toHaveLength(1)
      },
    }),
  ),
  ...[true, false].map(
    (clearsBuffer): Case => ({
      name: `4: paper out in the middle, loaded only after we gave up (${clearsBuffer ? 'its buffer is emptied' : 'its buffer is kept'})`,
      rig: { timeouts: { blockedMs: 80 }, profile: { clearsBuffer } },
      async play(stage) {
        stage.rig.printer.paperOut(3)
        const done = stage.print('A', 'B')
        await stage.spoken()
        stage.rig.printer.loadPaper()
        await done
      },
      says({ said, level, rig }) {
        if (level.knows === 'none') return
        expect(said[0]).toMatchObject({ kind: 'uncertain', reason: 'media-empty', stood: false })
        const copies = rig.papers().filter((text) => text.includes('A line 6'))
        expect(copies).toHaveLength(clearsBuffer ? 1 : 2)
      },
    }),
  ),
  {
    name: '6: cutter jams, freed, obeys DLE ENQ',
    not: ['none'],
    async play(stage) {
      stage.rig.printer.jamCutter()
      const stopped = stage.rig.printer.onOffline.next((offline) => offline)
      const done = stage.print('A', 'B')
      await stopped
      stage.rig.printer.clearJam()
      await done
    },
    says({ said }) {
      expect(said.map(({ kind }) => kind)).toEqual(['printed', 'printed'])
    },
  },
  {
    name: '6: cutter jams, freed, obeys only DLE DC4 8',
    not: ['none'],
    printer: { model: { dleEnq: false } },
    rig: { timeouts: { blockedMs: 80, recoverEveryMs: 10 }, profile: { clearsBuffer: true } },
    async play(stage) {
      stage.rig.printer.jamCutter()
      const stopped = stage.rig.printer.onOffline.next((offline) => offline)
      const done = stage.print('A', 'B')
      await stopped
      stage.rig.printer.clearJam()
      await done
    },
  },
  {
    name: '6: cutter jams for good: power off and on',
    not: ['none'],
    rig: { timeouts: { blockedMs: 80 } },
    async play(stage) {
      stage.rig.printer.jamCutter('unrecoverable')
      const done = stage.print('A', 'B')
      await stage.spoken()
      stage.rig.printer.clearJam()
      stage.rig.printer.powerCycle()
      await done
    },
    says({ said }) {
      expect(said[0]).toMatchObject({ kind: 'uncertain', reason: 'cutter-error' })
    },
  },
  ...[5, 20, 40, 60].map(
    (k): Case => ({
      name: `7: power cut after ${k} bytes, buffer lost`,
      async play(stage) {
        stage.rig.printer.resetAfterBytes(k)
        await stage.print('A', 'B')
      },
      says({ said, level }) {
        // The first bytes may be queries, if it is probed before each ticket.
        if (level.knows === 'proof')
          expect(said[0]).toMatchObject({ kind: 'uncertain', reason: 'connecting-to-device', stood: false })
        else expect(said[0]).toMatchObject({ kind: expect.stringMatching(/uncertain|not-sent/), stood: false })
      },
    }),
  ),
  {
    name: '7: power cut after the paper, before the answer',
    not: ['status', 'none'],
    async play(stage) {
      stage.rig.printer.resetBeforeAnswer()
      await stage.print('A', 'B')
    },
    says({ said }) {
      expect(said.slice(0, 2)).toMatchObject([
        { kind: 'uncertain', stood: true },
        { kind: 'printed', stood: true },
      ])
    },
  },
  {
    name: '8: frozen from the start, thawed later',
    async play(stage) {
      stage.rig.printer.freeze()
      const done = stage.print('A', 'B')
      await stage.spoken()
      stage.rig.printer.thaw()
      await done
    },
    says({ said, level }) {
      if (level.knows !== 'none') expect(said[0]).toMatchObject({ kind: 'not-sent', reason: 'not-responding' })
    },
  },
  {
    name: '8: frozen after it said that it is ready',
    not: ['none'],
    rig: { timeouts: { lingerMs: 2_000 } },
    async play(stage) {
      await stage.rig.prepare()
      stage.rig.printer.freeze()
      const done = stage.print('A', 'B')
      await stage.spoken()
      stage.rig.printer.thaw()
      await done
    },
    says({ said }) {
      expect(said[0]).toMatchObject({ stood: false })
      expect(said[0]?.kind).not.toBe('printed')
    },
  },
  {
    name: '9: mute for a while, although it used to answer',
    not: ['none'],
    async play(stage) {
      stage.rig.printer.manners.mute = true
      const done = stage.print('A', 'B')
      await stage.spoken()
      stage.rig.printer.manners.mute = false
      await done
    },
    says({ said }) {
      expect(said[0]).toMatchObject({ kind: 'not-sent', reason: 'not-responding' })
    },
  },
  {
    name: '9: ids of somebody else',
    not: ['status', 'none'],
    printer: { manners: { foreignProcessId: true } },
    play: (stage) => stage.print('A', 'B'),
  },
  ...(
    [
      { zeroAsb: true },
      { previousStatus: true },
      { greeting: 'Welcome_to the printer 0123\r\n' },
      { trailer: 'goodbye\r\n' },
      { splitReplies: true },
      { glueReplies: true },
    ] as const
  ).map(
    (manners): Case => ({
      name: `9: ${JSON.stringify(manners)}`,
      printer: { manners },
      // Four zero bytes are four answers to GS r, so such a printer is never probed with it (printer-misbehaviour.room.test.ts).
      ...('zeroAsb' in manners ? { not: ['gs-r'] as const } : {}),
      play: (stage) => stage.print('A', 'B'),
    }),
  ),
  {
    name: '10: slow and small: 4 KB buffer, 20 ms a line',
    printer: { bufferBytes: 64, msPerLine: 20 },
    rig: { timeouts: { cutMs: 250 } },
    play: (stage) => stage.print('A', 'B'),
    says({ said }) {
      expect(said.map(({ kind }) => kind)).toEqual(['printed', 'printed'])
    },
  },
  {
    name: '10: resets idle connections',
    printer: { manners: { rstAfterIdleMs: 700 } },
    rig: { timeouts: { lingerMs: 5_000 } },
    async play(stage) {
      await stage.print('A')
      await stage.rig.clock.sleep(800)
      await stage.print('B')
    },
  },
  {
    name: '10: pushes its status right after our FIN',
    printer: { bufferBytes: 64, msPerLine: 2, manners: { asbAfterFin: true } },
    rig: { timeouts: { lingerMs: 1 } },
    play: (stage) => stage.print('A', 'B'),
    says({ said }) {
      expect(said.map(({ kind }) => kind)).toEqual(['printed', 'printed'])
    },
  },
]

let stage: Stage | null = null
afterEach(async () => {
  await stage?.stop()
  stage = null
})

/** What holds in every case. */
function judge({ said, level, rig }: Stage): void {
  for (const { kind, confirmation, stood } of said) {
    if (kind !== 'printed') continue
    expect(confirmation).toBe(level.knows === 'proof' ? 'confirmed' : 'assumed')
    if (level.knows !== 'none') expect(stood, 'it stood there when “printed” was said').toBe(true)
  }
  expect([...new Set(rig.complete())], 'nothing lost, in order').toEqual(['A', 'B'])
  for (const name of ['A', 'B']) {
    const copies = rig.papers().filter((text) => text.includes(`${name} line 1\n`))
    for (const copy of copies.slice(1)) expect(copy, 'later copies are marked').toContain(MARK)
  }
}

for (const level of LEVELS) {
  describe(`a printer that answers ${level.name}`, () => {
    const cases = CASES.filter(({ not }) => !not?.includes(level.knows) && !not?.includes(level.method))
    it.each(cases)('$name', async (testCase) => {
      const { printer, rig } = testCase
      const model = { ...level.model, ...(level.knows === 'none' ? {} : printer?.model) }
      const started = await new PrinterRig({
        ...rig,
        printer: { ...printer, model },
        capability: level.capability,
      }).start()
      stage = new Stage(level, started)
      await testCase.play(stage)
      // When such a printer is done cannot be determined.
      if (level.knows === 'none') await expect.poll(() => started.complete()).toContain('B')
      judge(stage)
      testCase.says?.(stage)
    })
  })
}
