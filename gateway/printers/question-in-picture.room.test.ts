// No query of ours may fall into a picture: the printer would take it as dots, and the rest of the picture as text.
import { afterEach, expect, it } from 'vitest'
import { KNOWS_ALL, PrinterRig } from '#test/doubles/printer-rig.ts'

let rig: PrinterRig
afterEach(() => rig.stop())

it('a long drawn ticket that waits for paper is printed as it was drawn', async () => {
  const capability = { ...KNOWS_ALL, asb: false }
  rig = await new PrinterRig({ printer: { model: { asb: false }, bufferBytes: 3_000 }, capability }).start()
  // GS v 0: 24 rows of 64 bytes. More of them than the sockets hold.
  const band = Buffer.concat([Buffer.from([0x1d, 0x76, 0x30, 0, 64, 0, 24, 0]), Buffer.alloc(64 * 24, 0xaa)])
  const bytes = Buffer.concat([
    Buffer.from('above\n'),
    ...Array.from({ length: 3_000 }, () => band),
    Buffer.from('below\n'),
    Buffer.from([0x1d, 0x56, 0x42, 0x00]),
  ])
  rig.printer.paperOut(1)
  const outcome = rig.transport.send({ bytes, heightMm: 100, lines: 20 }, 'att_1', new AbortController().signal)
  await rig.clock.sleep(300)
  rig.printer.loadPaper()
  expect(await outcome).toMatchObject({ kind: 'printed' })
  expect(
    rig
      .papers()
      .join('')
      .replace(/\[raster[^\]]*\]/g, '')
      .split(/\s+/)
      .filter(Boolean),
  ).toEqual(['above', 'below'])
})
