// Stations as people set them: printers and screens of one at once, all of it or nothing, and a new name everywhere.
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BoxServer } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'
import type { StationsAnswer } from './station-answers.ts'

const PASS = { ...GRILL, name: 'Pass', port: 9102, stations: [] }

let box: BoxServer
beforeEach(() => {
  box = new BoxServer({ printers: [PASS, FRY, GRILL] })
})
afterEach(() => {
  box.core.db.close()
  rmSync(box.core.dir, { recursive: true, force: true })
})

const perform = (name: string, body: unknown = {}) => box.control.perform(name, body, { asker: 'test' })
const list = async () => (await perform('stations.list')) as StationsAnswer
const station = async (name: string) => (await list()).stations.find((one) => one.name === name)
const stationsOf = (printerId: string) => box.core.printers.find(printerId)?.stations
const rules = () => box.core.routing.rules().map(({ name, print }) => [name, ...print.printerIds])

function screen(name: string, stations: string[] = []): string {
  const added = box.kitchen.displays.add({ name, stations, language: 'en', backupPrinterId: null }, 0)
  if (!added.ok) throw new Error(added.reason)
  return added.display.displayId
}

describe('stations.list', () => {
  it('lists every station with its lines of the week, its printer and its screens', async () => {
    const displayId = screen('Line', ['grill'])
    box.core.accept('pj_1', { order: { items: [{ umsId: 'u', name: 'x', qty: 1, modifiers: [], station: 'Wok' }] } })
    expect((await list()).stations).toMatchObject([
      { name: 'fry', screens: [], faults: ['no-screen'] },
      { name: 'grill', paper: [{ printerId: 'grill', by: 'station' }], screens: [{ displayId }], faults: [] },
      { name: 'Wok', lines: 1, faults: ['no-place', 'no-screen'] },
    ])
  })
})

describe('stations.assign', () => {
  it('gives a station its printers: the first serves it, a rule prints it also at the others', async () => {
    await perform('stations.assign', { station: 'Wok', printers: ['Fry', 'Pass'] })
    expect(stationsOf('fry')).toEqual(['fry', 'Wok'])
    expect(rules()).toEqual([['Wok also at Pass', 'pass']])
    expect((await station('Wok'))?.paper).toEqual([
      { printerId: 'pass', by: 'also' },
      { printerId: 'fry', by: 'station' },
    ])
  })

  it('gives no printer and no screen more stations than a status report to the relay can hold, and changes nothing then', async () => {
    const many = Array.from({ length: 64 }, (_, n) => `s${n}`)
    await perform('printers.update', { printer: 'Grill', stations: many })
    const displayId = screen('Line', many)
    for (const change of [{ printers: ['Grill'] }, { displays: [displayId], printers: ['Fry'] }])
      await expect(perform('stations.assign', { station: 'Wok', ...change })).rejects.toMatchObject({
        said: { key: 'station.too-many' },
      })
    expect([stationsOf('grill')?.length, stationsOf('fry')]).toEqual([64, ['fry']])
    await expect(
      perform('displays.take-over', { displayId: screen('Dead', ['wok']), by: displayId }),
    ).rejects.toMatchObject({ said: { key: 'station.too-many' } })
    expect(box.access.box.notes().standIns).toEqual([])
    await perform('stations.assign', { station: 'S0', printers: ['Grill'], displays: [displayId] })
  })

  it('takes it from those that are not named, and their rules with it', async () => {
    await perform('stations.assign', { station: 'grill', printers: ['Grill', 'Pass'] })
    await perform('stations.assign', { station: 'GRILL', printers: ['Fry'] })
    expect([stationsOf('grill'), stationsOf('fry'), rules()]).toEqual([[], ['fry', 'GRILL'], []])
    await perform('stations.assign', { station: 'grill', printers: [] })
    expect(stationsOf('fry')).toEqual(['fry'])
  })

  it('leaves other rules unchanged, and its own rules stay before them', async () => {
    const stop = { name: 'All to Pass', when: {}, print: { printerIds: ['pass'], paper: 'kitchen' }, stop: true }
    await perform('routing.put', { rules: [stop] })
    await perform('stations.assign', { station: 'grill', printers: ['Grill', 'Fry'] })
    expect(rules()).toEqual([
      ['grill also at Fry', 'fry'],
      ['All to Pass', 'pass'],
    ])
  })

  it('does not take the stations of a printer of labels, which choose its labels', async () => {
    box.core.printers.update('fry', { stations: ['grill'], settings: { papers: ['label'] } })
    await perform('stations.assign', { station: 'grill', printers: ['Pass'] })
    expect([stationsOf('fry'), stationsOf('pass'), stationsOf('grill')]).toEqual([['grill'], ['grill'], []])
  })

  it('sets the screens, and never makes one show everything by taking its last station', async () => {
    const line = screen('Line', ['grill'])
    const expo = screen('Expo')
    await perform('stations.assign', { station: 'fry', displays: [line, expo] })
    const shown = (id: string) => box.kitchen.displays.find(id)?.stations
    expect([shown(line), shown(expo)]).toEqual([['grill', 'fry'], []])
    await perform('stations.assign', { station: 'grill', displays: [] })
    await expect(
      perform('stations.assign', { station: 'fry', printers: ['Pass'], displays: [] }),
    ).rejects.toMatchObject({
      said: { key: 'station.last-of-display', values: { display: 'Line', station: 'fry' } },
    })
    // All of it or nothing.
    expect([shown(line), stationsOf('fry')]).toEqual([['fry'], ['fry']])
  })

  it('is used by the next order, without a restart', async () => {
    await perform('stations.assign', { station: 'Wok', printers: ['Fry'] })
    box.core.accept('pj_1', { order: { items: [{ umsId: 'u', name: 'x', qty: 1, modifiers: [], station: 'wok' }] } })
    expect(box.core.history.recent(1)).toMatchObject([{ printerId: 'fry' }])
  })

  it('refuses a printer or screen that does not exist', async () => {
    await expect(perform('stations.assign', { station: 'a', printers: ['Nobody'] })).rejects.toThrow(
      /no printer Nobody/,
    )
    await expect(perform('stations.assign', { station: 'a', displays: ['dsp_x'] })).rejects.toThrow(/no display dsp_x/)
  })
})

describe('stations.rename', () => {
  it('renames it at printers, screens and rules', async () => {
    const line = screen('Line', ['Grill', 'fry'])
    await perform('stations.assign', { station: 'grill', printers: ['Grill', 'Pass'] })
    await perform('stations.rename', { station: 'GRILL', name: 'Fire' })
    expect([stationsOf('grill'), box.kitchen.displays.find(line)?.stations]).toEqual([['Fire'], ['Fire', 'fry']])
    expect(box.core.routing.rules()[0]?.when.station).toBe('Fire')
  })

  it('joins two stations when the other one is there already', async () => {
    const line = screen('Line', ['gril', 'grill'])
    await perform('stations.rename', { station: 'gril', name: 'grill' })
    expect(box.kitchen.displays.find(line)?.stations).toEqual(['grill'])
  })
})

describe('rules before they are saved', () => {
  const rule = { name: 'To fry', when: { source: 'kiosk' }, print: { printerIds: ['fry'] }, stop: true }

  it('are tried on an order that was here, down to its paper', async () => {
    box.core.accept('pj_1')
    expect(await perform('routing.recent')).toMatchObject([{ ticketId: 'pj_1-1', number: expect.any(String) }])
    const preview = (rules?: unknown[]) => perform('routing.preview', { ticketId: 'pj_1-1', index: 0, rules })
    expect(await preview()).toMatchObject({ text: expect.stringMatching(/Cheeseburger/i) })
    expect(await perform('routing.what-if', { ticketId: 'pj_1-1', rules: [rule] })).toMatchObject({
      tickets: [{ printerName: 'Fry' }],
    })
    expect(await preview([rule])).toMatchObject({ text: expect.stringContaining('  Fry  ') })
    await expect(perform('routing.preview', { ticketId: 'pj_1-1', index: 7 })).rejects.toThrow(/no ticket 7/)
    expect(box.core.history.recent(9)).toHaveLength(1)
  })
})

describe('the guide', () => {
  it('stores the signed-in user with each step left out, whatever is sent, and keeps the first one', async () => {
    const [fry, bar] = ['fry', 'bar'].map((id) => ({ kind: 'station', id }))
    const by = (name: string, leftOut: object[]) =>
      box.control.perform('guide.put', { leftOut }, { asker: { name, role: 'manager' } })
    await expect(by('Tea', [{ ...fry, by: 'Max' }])).rejects.toMatchObject({ kind: 'invalid' })
    await by('Tea', [{ ...fry }])
    await by('Max', [{ ...fry }, { ...bar }])
    expect(box.access.box.guide().leftOut.map((one) => `${one.id} ${one.by}`)).toEqual(['fry Tea', 'bar Max'])
  })

  it('keeps stations that were added by name: each is without a place until a printer or screen has it', async () => {
    await perform('guide.put', { added: ['Wok'] })
    const wok = async () =>
      ((await perform('stations.list')) as StationsAnswer).stations.find(({ name }) => name === 'Wok')
    expect(await wok()).toMatchObject({ lines: 0, faults: ['no-place'] })
    await perform('stations.rename', { station: 'Wok', name: 'Grill' })
    expect(await wok()).toBeUndefined()
  })

  it('keeps its completed steps and those left out, beside the settings of the box', async () => {
    const fry = { kind: 'printer', id: 'fry' }
    const leftOut = [{ ...fry, by: 'Tea' }]
    await perform('guide.put', { done: ['box', 'pairing'] })
    await box.control.perform('guide.put', { leftOut: [fry] }, { asker: { name: 'Tea', role: 'manager' } })
    await perform('settings.put', { name: 'Casa Nina' })
    expect(await perform('guide.get')).toEqual({ done: ['box', 'pairing'], leftOut, added: [] })
    expect(await perform('settings.get')).toEqual({
      timeZoneUsed: 'UTC',
      relayTimeZone: 'UTC',
      name: 'Casa Nina',
      timeZone: '',
      language: 'en',
      thresholds: {},
    })
  })
})
