// A printer that resets at each cut, as with a weak power supply: a slip is never an attempt of a ticket, and the number of slips is limited.
import { afterEach, describe, expect, it } from 'vitest'
import { PrinterRig } from '#test/doubles/printer-rig.ts'
import { StarRig } from '#test/doubles/virtual-star-rig.ts'

let rig: PrinterRig | StarRig
afterEach(() => rig.stop())

const slips = () => rig.papers().filter((text) => text.includes('INCOMPLETE ABOVE')).length

describe.each([
  ['ESC/POS', () => new PrinterRig()],
  ['Star', () => new StarRig()],
])('an %s printer that resets at each cut', (_, open) => {
  const resets = async () => {
    rig = await open().start()
    return rig.printer.onTicket.subscribe(() => rig.printer.powerCycle())
  }
  /** Sends the ticket until an attempt counts, as the queue does. */
  const attempt = async (name: string) => {
    for (;;) {
      const outcome = await rig.send(name)
      if (outcome.kind !== 'not-sent') return outcome
    }
  }

  it('makes at most three slips, of which none is an attempt', async () => {
    await resets()
    const outcomes = [await attempt('A'), await attempt('A'), await attempt('A'), await attempt('A')]
    expect(slips()).toBe(3)
    expect(rig.complete()).toEqual(['A', 'A', 'A', 'A'])
    expect(outcomes.map(({ kind }) => kind)).toEqual(['uncertain', 'uncertain', 'uncertain', 'uncertain'])
  })

  it('is known to prove nothing more after three whole tickets, so that the next one is printed', async () => {
    await resets()
    const answering = []
    for (const name of ['A', 'A', 'A', 'B']) {
      const outcome = await attempt(name)
      answering.push(outcome.kind === 'uncertain' && outcome.answering)
    }
    expect(answering).toEqual([true, true, false, false])
  })

  it('gets its slips again once it has printed a ticket completely', async () => {
    const mend = await resets()
    for (const name of ['A', 'A', 'A', 'A']) await attempt(name)
    mend()
    await expect.poll(() => rig.send('B')).toMatchObject({ kind: 'printed' })
    const again = rig.printer.onTicket.subscribe(() => rig.printer.powerCycle())
    await attempt('C')
    await attempt('C')
    again()
    expect(slips()).toBeGreaterThan(3)
  })
})

it('a slip without proof leaves the printer in doubt, which a plain "not sent" does not', async () => {
  rig = await new PrinterRig().start()
  rig.printer.resetBeforeAnswer()
  expect(await rig.send('A')).toMatchObject({ kind: 'uncertain' })
  rig.printer.resetBeforeAnswer()
  await expect.poll(() => rig.send('A')).toMatchObject({ kind: 'not-sent', slipUnproved: true })
  expect(slips()).toBe(1)
})

it('a proved slip is followed by the ticket on the same connection', async () => {
  rig = await new PrinterRig().start()
  rig.printer.resetBeforeAnswer()
  expect(await rig.send('A')).toMatchObject({ kind: 'uncertain' })
  await expect.poll(() => rig.send('A')).toMatchObject({ kind: 'printed', confirmation: 'confirmed' })
  expect(slips()).toBe(1)
  expect(rig.complete()).toEqual(['A', 'A'])
})
