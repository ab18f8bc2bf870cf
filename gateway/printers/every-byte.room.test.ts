// The power fails after each byte of a ticket, for every level of proof: never a false "printed", and the next copy is marked.
import { afterEach, describe, expect, it } from 'vitest'
import { LEVELS } from '#test/doubles/print-stage.ts'
import { PrinterRig, ticketDocument } from '#test/doubles/printer-rig.ts'

let rig: PrinterRig
afterEach(() => rig.stop())

// Preamble, six lines and cut, query.
const TOTAL = 7 + ticketDocument('A').bytes.length + 11

for (const level of LEVELS) {
  describe(`a printer that answers ${level.name}`, () => {
    for (const buffer of ['lost', 'kept'] as const) {
      it(`RST after each of ${TOTAL} bytes, its buffer ${buffer}`, async () => {
        // Levels without proof wait for the mechanism each time, so every fifth byte is enough for them.
        const step = level.knows === 'proof' ? 1 : 5
        for (let k = 1; k <= TOTAL; k += step) {
          rig = await new PrinterRig({
            printer: { model: level.model },
            capability: level.capability,
            timeouts: {
              lingerMs: 2_000,
              learnMs: 30,
              learnAgainMs: 5,
              probeMs: level.knows === 'none' ? 20 : 300,
              cutMs: 10,
            },
          }).start()
          rig.printer.resetAfterBytes(k, buffer)
          const first = await rig.send('A')
          const whole = rig.complete().includes('A')
          if (first.kind === 'printed') expect(whole, `byte ${k}`).toBe(true)
          else expect(first.kind, `byte ${k}`).toMatch(level.knows === 'proof' ? /^uncertain$/ : /uncertain|not-sent/)
          await expect
            .poll(() => rig.send('B'), { interval: 5 })
            .toMatchObject({ kind: 'printed', method: level.method })
          await expect.poll(() => rig.complete(), { interval: 5 }).toContain('B')
          expect(rig.papers().at(-1), `byte ${k}`).toMatch(/^B line 1\n[^A]*B line 6$/)
          if (first.kind === 'uncertain') expect(rig.papers().at(-2), `byte ${k}`).toContain('** INCOMPLETE ABOVE **')
          await rig.stop()
        }
      })
    }
  })
}
