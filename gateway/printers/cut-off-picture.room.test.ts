// A connection that breaks inside a picture leaves the printer waiting for dots. The following bytes must not be taken as such.
import { afterEach, describe, expect, it } from 'vitest'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { KNOWS_ALL, PrinterRig, type RigOptions } from '#test/doubles/printer-rig.ts'
import { MUTE } from '#test/doubles/virtual-printer-status.ts'
import { picturePadding } from './escpos-commands.ts'
import type { PrintDocument } from './transport.ts'

let rig: PrinterRig
afterEach(() => rig.stop())

async function startRig(options: RigOptions = {}): Promise<PrinterRig> {
  rig = await new PrinterRig({ ...options, timeouts: { lingerMs: 2_000, ...options.timeouts } }).start()
  return rig
}

const ROW_BYTES = 64
const BAND_ROWS = 24
const HEADER_BYTES = 8
/** Preamble of a printer that pushes its status. */
const PREAMBLE_BYTES = 7

/** One full band, 512 dots wide, and the cut. */
function picture(): PrintDocument {
  const header = [0x1d, 0x76, 0x30, 0x00, ROW_BYTES, 0x00, BAND_ROWS, 0x00]
  const dots = Buffer.alloc(ROW_BYTES * BAND_ROWS, 0xaa)
  const cut = [0x1d, 0x56, 0x42, 0x00]
  return { bytes: Buffer.concat([Buffer.from(header), dots, Buffer.from(cut)]), heightMm: 10, lines: 1 }
}

/** Each byte of the header, then steps that hit every part of the rows, and the last byte of the band. */
const BREAKS = [
  ...Array.from({ length: HEADER_BYTES }, (_, i) => i + 1),
  ...Array.from({ length: 16 }, (_, i) => HEADER_BYTES + 1 + i * 97),
  HEADER_BYTES + ROW_BYTES * BAND_ROWS - 1,
]

const KNOWN: readonly [string, RigOptions][] = [
  ['with real-time status', { capability: KNOWS_ALL }],
  [
    'with in-order answers only',
    {
      capability: { ...KNOWS_ALL, dleEot: false, gsParenH: false, gsR: false } satisfies PrinterCapability,
      printer: { model: { ...MUTE, asb: true, gsI: true } },
    },
  ],
]

describe('a connection that breaks inside a picture', () => {
  for (const [name, options] of KNOWN) {
    it(`${name}: after each break the next ticket is complete`, async () => {
      for (const at of BREAKS) {
        await startRig(options)
        rig.printer.resetAfterBytes(PREAMBLE_BYTES + at, 'kept')
        // The query before the first ticket of a printer without real-time status is counted too.
        if (options.printer) await rig.prepare()
        expect(await rig.sendDocument(picture()), `byte ${at}`).not.toMatchObject({ kind: 'printed' })
        await expect
          .poll(() => rig.send('B'), { interval: 5 })
          .toMatchObject({ kind: 'printed', confirmation: 'confirmed' })
        expect(rig.papers().at(-1), `byte ${at}`).toMatch(/^B line 1\n[^A]*B line 6$/)
        await rig.stop()
      }
    })
  }

  it('a stopped printer is not filled with padding by status queries', async () => {
    await startRig({ printer: { bufferBytes: 4_096 }, timeouts: { lingerMs: 1 } })
    await rig.prepare()
    rig.printer.resetAfterBytes(PREAMBLE_BYTES + 500, 'kept')
    await rig.sendDocument(picture())
    rig.printer.paperOut()
    const before = rig.printer.receivedBytes
    const connections = rig.printer.connections
    for (let i = 0; i < 10; i++) {
      expect(await rig.prepare()).toMatchObject({ kind: 'blocked', reason: 'media-empty' })
      await rig.clock.sleep(10)
    }
    expect(rig.printer.connections - connections).toBeGreaterThan(5)
    // Once the padding for a command's parameters; then only queries: DLE EOT 1 and all four, and ASB off.
    expect(rig.printer.receivedBytes - before).toBeLessThanOrEqual(16 + 10 * (3 + 12 + 3))
    rig.printer.loadPaper()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    expect(rig.papers().at(-1)).toMatch(/^B line 1/)
  })

  it('the padding of every profile covers its largest band, in about two kilobytes', () => {
    for (const profile of PROFILES) {
      if (profile.image === 'none') continue
      const { length } = picturePadding(profile)
      expect(length).toBeGreaterThanOrEqual(profile.maxBandRows * Math.ceil(profile.dots / 8) + HEADER_BYTES)
      expect(length, profile.id).toBeLessThanOrEqual(2_048)
    }
  })
})
