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
  settings: {
    ...DEFAULT_PRINTER_SETTINGS,
    columns: 42,
    backupPrinterId: 'bar',
    backupAfterMs: 30_000,
    staleAfterMs: 1_800_000,
  },
} as unknown as PrinterAnswer

const DRAFT = draftOf(PRINTER)

describe('the form of a printer', () => {
  it('sends back what it got, as the box accepts it', () => {
    const sent = OPERATIONS['printers.update'].input.parse({ printer: 'grill', ...changeOf(DRAFT, DRAFT) })
    expect(sent).toMatchObject({ host: '192.168.1.50', port: 9_100, stations: ['grill', 'fry'] })
    expect(PRINTER.settings).toMatchObject(sent.settings ?? {})
    expect(sent).not.toHaveProperty('isDefault')
  })

  it('takes empty fields as none', () => {
    const change = changeOf(
      { ...DRAFT, columns: ' ', backupPrinterId: '', staleAfterMinutes: '', codePages: ' ' },
      DRAFT,
    )
    expect(change?.settings).toMatchObject({
      columns: null,
      backupPrinterId: null,
      staleAfterMs: null,
      codePages: null,
    })
  })

  it('sends times in the units of the box', () => {
    const change = changeOf({ ...DRAFT, backupDoubtfulSeconds: '90', staleAfterMinutes: '45' }, DRAFT)
    expect(change?.settings).toMatchObject({ backupWhenDoubtfulAfterMs: 90_000, staleAfterMs: 2_700_000 })
  })

  it('reads the rows of the code page sheet, and sends nothing where one of them is none', () => {
    const rows = [
      { page: 16, encoding: 'windows1252' },
      { page: 18, encoding: 'cp852' },
    ]
    expect(changeOf({ ...DRAFT, codePages: '16:windows1252，18:cp852' }, DRAFT)?.settings?.['codePages']).toEqual(rows)
    const known = { ...PRINTER, settings: { ...PRINTER.settings, codePages: rows } }
    expect(draftOf(known).codePages).toBe('16:windows1252, 18:cp852')
    expect(changeOf({ ...DRAFT, codePages: '16' }, DRAFT)).toBeNull()
  })

  it('contains the hardware address only when somebody typed it: the box forgets that of an old address by itself', () => {
    expect(changeOf({ ...DRAFT, host: '192.168.1.60' }, DRAFT)?.settings).not.toHaveProperty('mac')
    expect(changeOf({ ...DRAFT, mac: '64-EB-8C-00-00-01' }, DRAFT)?.settings?.['mac']).toBe('64:eb:8c:00:00:01')
  })

  it('has stations with the comma of the page, and takes them apart again', () => {
    const { stations } = draftOf({ ...PRINTER, stations: ['شواية', 'مقلاة'] }, '، ')
    expect([stations, stationsOf(stations)]).toEqual(['شواية، مقلاة', ['شواية', 'مقلاة']])
  })

  it('takes stations apart at every comma, once each', () => {
    expect(stationsOf(' grill,fry，冷菜、 grill; ,')).toEqual(['grill', 'fry', '冷菜'])
    expect(stationsOf('شواية، مقلاة؛ بار')).toEqual(['شواية', 'مقلاة', 'بار'])
  })
})
