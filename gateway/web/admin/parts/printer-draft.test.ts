// What a form sends of a printer: the same that it got, when nobody changed anything.
import { describe, expect, it } from 'vitest'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { OPERATIONS } from '#gateway/control/operations.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { changeOf, draftOf, stationsOf } from './printer-draft.ts'

const PRINTER = {
  printerId: 'grill',
  name: 'Grill',
  host: '192.168.1.50',
  port: 9_100,
  profileId: 'generic-80',
  stations: ['grill', 'fry'],
  isDefault: false,
  settings: { ...DEFAULT_PRINTER_SETTINGS, columns: 42, backupPrinterId: 'bar', backupAfterMs: 30_000 },
} as unknown as PrinterAnswer

describe('the form of a printer', () => {
  it('sends back what it got, as the box accepts it', () => {
    const sent = OPERATIONS['printers.update'].input.parse({ printer: 'grill', ...changeOf(draftOf(PRINTER)) })
    expect(sent).toMatchObject({ host: '192.168.1.50', port: 9_100, stations: ['grill', 'fry'] })
    expect(PRINTER.settings).toMatchObject(sent.settings ?? {})
    expect(sent).not.toHaveProperty('isDefault')
  })

  it('takes empty fields as none', () => {
    const { settings } = changeOf({ ...draftOf(PRINTER), columns: ' ', backupPrinterId: '' })
    expect(settings).toMatchObject({ columns: null, backupPrinterId: null })
  })

  it('takes stations apart at every comma, once each', () => {
    expect(stationsOf(' grill,fry，冷菜、 grill; ,')).toEqual(['grill', 'fry', '冷菜'])
  })
})
