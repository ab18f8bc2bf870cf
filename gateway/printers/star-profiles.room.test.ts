// Real ticket documents through the Star transport, on the paper of each Star profile.
import { afterEach, describe, expect, it } from 'vitest'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { type Bitmap, rowBytes } from '#shared/tickets/bitmap.ts'
import type { TicketLine } from '#shared/tickets/line-layout.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { paperOptionsFor } from '#shared/tickets/profile-paper.ts'
import { renderTransliterated } from '#shared/tickets/render-ticket.ts'
import { MC_PRINT } from '#test/doubles/virtual-star-printer.ts'
import { StarRig } from '#test/doubles/virtual-star-rig.ts'
import type { SendOutcome } from './transport.ts'

const STAR_PROFILES = PROFILES.filter(({ language }) => language !== 'escpos')

let rig: StarRig
afterEach(() => rig.stop())

async function startRig(profile: PrinterProfile): Promise<void> {
  const printer = { model: MC_PRINT, paper: paperOptionsFor(profile) }
  rig = await new StarRig({ capability: null, profile, printer }).start()
}

/** A black picture of one line. */
function picture(heightDots: number): Bitmap {
  const widthDots = 96
  return { widthDots, heightDots, rows: new Uint8Array(rowBytes({ widthDots }) * heightDots).fill(0xff) }
}

function linesFor({ language }: PrinterProfile): TicketLine[] {
  const text: TicketLine = { align: 'left', runs: [{ text: '2 CHEESEBURGER' }] }
  return language === 'star-raster' ? [{ ...text, bitmap: picture(24) }] : [text]
}

function send(lines: readonly TicketLine[], profile: PrinterProfile, id: string): Promise<SendOutcome> {
  return rig.transport.send(
    renderTransliterated(() => [...lines], profile),
    id,
    new AbortController().signal,
  )
}

describe.each(STAR_PROFILES.map((profile) => [profile.id, profile] as const))('%s', (_, profile) => {
  it('a ticket is proved and printed', async () => {
    await startRig(profile)
    expect(await send(linesFor(profile), profile, 'att_1')).toMatchObject({ kind: 'printed', method: 'star-etb' })
    expect(await send(linesFor(profile), profile, 'att_2')).toMatchObject({ kind: 'printed', method: 'star-etb' })
    // Without a cutter everything is one piece.
    const all = [...rig.papers(), rig.printer.unfinished].join('')
    const expected = profile.language === 'star-raster' ? /\[raster/g : /2 CHEESEBURGER/g
    expect(all.match(expected)).toHaveLength(2)
    if (profile.cut !== 'none') expect(rig.papers()).toHaveLength(2)
  })

  it('an interrupted one is closed with words, and the next one is complete', async () => {
    await startRig(profile)
    const lines = Array.from({ length: 20 }, () => linesFor(profile)).flat()
    await send(linesFor(profile), profile, 'att_1')
    rig.printer.resetAfterBytes(150, 'kept')
    expect(await send(lines, profile, 'att_2')).toMatchObject({ kind: 'uncertain' })
    await expect
      .poll(() => send(linesFor(profile), profile, `att_${Math.random()}`), { interval: 60 })
      .toMatchObject({ kind: 'printed' })
    if (profile.language !== 'star-raster') {
      expect([...rig.papers(), rig.printer.unfinished].join('')).toContain('INCOMPLETE ABOVE')
    } else expect(rig.papers().at(-2)).toContain('[raster 288x21]')
  })
})
