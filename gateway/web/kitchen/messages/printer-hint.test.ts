// A printer that needs a person is described in the display's language, for every reason.
import { expect, it } from 'vitest'
import { boardPrinter, boardPrinters } from '#gateway/kitchen/open-kitchen.ts'
import { WAITING } from '#shared/away-hint.ts'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { printerReason } from '#shared/print-job.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { printerHint, printerSentence } from './printer-hint.ts'
import { messagesOf } from './words.tsx'

/** Nobody has to do anything, or the gateway itself shuts down, and the page with it. */
const SAID_BY_NOBODY = ['none', 'shutdown']
const EVERY = await Promise.all(LANGUAGE_IDS.map(messagesOf))
const device = { printerId: 'p1', name: 'Grill', stations: [], state: 'offline', hint: 'Load a roll.' }

it('has texts for every reason in the languages that the gateway does not have', () => {
  for (const reason of printerReason.options.filter((one) => !SAID_BY_NOBODY.includes(one)))
    for (const m of EVERY.filter((one) => one !== en))
      expect(printerHint(boardPrinter({ ...device, reasons: [reason] }), m), reason).not.toBe(device.hint)
  expect(printerHint(boardPrinter({ ...device, reasons: ['media-empty'] }), en)).toBe(device.hint)
})

it('says in a few words of every language where another printer is accepted', () => {
  const words = EVERY.map((m) =>
    printerHint(boardPrinter({ ...device, reasons: ['another-printer'], hint: 'x'.repeat(400) }), m),
  )
  expect(words.filter((text) => text.length > 130)).toEqual([])
  expect(words[0]).toContain('on the page of the box')
})

it('uses the gateway’s text for an unknown reason, and is never empty', () => {
  expect(printerHint(boardPrinter({ ...device, reasons: ['from-next-year'] }), es)).toBe(device.hint)
  expect(printerHint(boardPrinter({ ...device, reasons: ['none'], hint: '' }), es)).toBe(es.printerOff)
})

it('has no reason for a printer that is ready', () => {
  expect(boardPrinter({ ...device, state: 'online', reasons: ['busy'] })).toMatchObject({ reason: '', hint: '' })
})

it('says that another printer prints the tickets, not that they wait, if one does', () => {
  const fry = { ...device, printerId: 'fry', name: 'Fry', state: 'online', reasons: ['none'] }
  const away = { ...device, hint: WAITING, reasons: ['timed-out'], ticketsGoTo: 'fry' }
  expect(boardPrinters([away, fry])[0]?.hint).toBe('Fry prints its tickets meanwhile.')
  expect(boardPrinters([{ ...away, ticketsGoTo: away.printerId }, fry])[0]?.hint).toBe(WAITING)
})

it('names the backup printer in every language, and only while there is one', () => {
  const fry = { ...device, printerId: 'fry', name: 'Fry', state: 'online', reasons: ['none'] }
  for (const reasons of [['media-empty'], ['another-printer']]) {
    const away = { ...device, hint: WAITING, reasons, ticketsGoTo: 'fry' }
    const [said] = boardPrinters([away, fry])
    const [alone] = boardPrinters([{ ...away, ticketsGoTo: away.printerId }, fry])
    for (const m of EVERY) {
      expect(said && printerSentence(said, m).split('Fry')).toHaveLength(2)
      expect(alone && printerSentence(alone, m)).not.toContain('Fry')
    }
  }
})
