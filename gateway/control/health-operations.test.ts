// Each action that a finding offers, from the fault to the list without it, with the real stores and the real queue.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BoxServer } from '#test/doubles/box-server.ts'
import { FRY, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE } from '#test/doubles/scripted-transport.ts'
import type { DisplayAnswer } from './answers.ts'
import type { FindingAnswer, HealthAnswer } from './health-answers.ts'
import { isOperation, OPERATIONS } from './operations.ts'

let box: BoxServer
beforeEach(async () => {
  box = new BoxServer({ printers: [GRILL, { ...FRY, stations: ['fry'] }] })
  await box.kitchen.start()
})
afterEach(async () => {
  await box.kitchen.stop()
  await box.core.stop()
})

const ask = (name: string, input: unknown = {}): Promise<unknown> => box.control.perform(name, input, { asker: 'test' })
const health = async (): Promise<HealthAnswer> => (await ask('health.list')) as HealthAnswer
async function finding(id: string): Promise<FindingAnswer | undefined> {
  return (await health()).findings.find((one) => one.id === id)
}

/** Does what the finding offers, as its button does. */
async function mend(id: string, added: Record<string, unknown> = {}): Promise<FindingAnswer> {
  const found = await finding(id)
  if (!found?.act) throw new Error(`${id}: ${found ? 'has no act' : 'is not there'}`)
  if (found.act.kind !== 'do') throw new Error(`${id}: is a link`)
  const { operation, input, role } = found.act
  if (!isOperation(operation)) throw new Error(operation)
  expect(OPERATIONS[operation].role, operation).toBe(role)
  await ask(operation, { ...input, ...added })
  return found
}

function screen(name: string, stations: string[], isAlive = true): string {
  const { displays } = box.kitchen
  const nowMs = box.core.clock.now()
  const added = displays.add({ name, stations, language: 'en', backupPrinterId: 'grill' }, nowMs)
  if (!added.ok) throw new Error(added.reason)
  const { displayId } = added.display
  displays.claim(displays.newCode(displayId, nowMs)?.code ?? '', nowMs)
  if (isAlive) box.kitchen.presence.heard(displayId, true)
  if (isAlive) box.kitchen.presence.attach(displayId)
  return displayId
}

async function stationsOf(displayId: string): Promise<string[] | undefined> {
  const all = (await ask('displays.list')) as DisplayAnswer[]
  return all.find((one) => one.displayId === displayId)?.stations
}

/** Orders of the grill. */
function orders(count: number, station = 'grill'): void {
  const item = { umsId: 'U', name: 'Burger', qty: 1, modifiers: [], station }
  for (let n = 1; n <= count; n++)
    box.core.accept(`pj_${n}`, { order: { serviceOrderId: `ord_${n}`, orderId: `O-${n}`, items: [item] } })
}

const slips = (printer = 'grill'): string[] =>
  box.core
    .transport(printer)
    .sent.map(({ text }) => text)
    .filter((text) => text.includes('SCREEN OFFLINE'))

describe('all screens dead with orders open', () => {
  beforeEach(async () => {
    await box.core.queue.start()
    for (const name of ['Pass', 'Second']) screen(name, [])
    for (const { displayId } of box.kitchen.displays.all())
      box.kitchen.displays.update(displayId, { backupPrinterId: null })
  })

  it('are a fault that counts them; printing the board puts each on paper once, and it is gone', async () => {
    orders(12)
    expect((await health()).verdict).not.toBe('critical')
    await box.core.pass(20_000)
    expect((await health()).verdict).toBe('critical')
    const found = await mend('no-screen-alive')
    expect(found).toMatchObject({
      severity: 'critical',
      title: 'No screen in the kitchen answers',
      cost: { count: 12, text: '12 orders are on no screen.' },
      act: { operation: 'displays.print-board', label: 'Print the open orders at Grill' },
    })
    await box.core.pass(5_000)
    expect(slips()).toHaveLength(12)
    expect(slips()[0]).toContain('POSSIBLE DUPLICATE')
    expect(await finding('no-screen-alive')).toBeUndefined()
    const [display] = box.kitchen.displays.all()
    expect(await finding(`display-silent:${display?.displayId}`)).toMatchObject({
      severity: 'warning',
      cost: { text: '12 orders were printed instead.' },
    })
    expect(await ask('displays.print-board', { printer: 'grill' })).toEqual({ tickets: 0 })
  })
})

describe('one screen dead with orders open', () => {
  it('is taken over by one that is alive, which gives the stations back when it is there again', async () => {
    await box.core.queue.start()
    const grill = screen('Grill line', ['grill'])
    const fry = screen('Fry line', ['fry'])
    for (const id of [grill, fry]) box.kitchen.displays.update(id, { backupPrinterId: null })
    orders(3)
    await box.core.pass(20_000)
    box.kitchen.presence.heard(fry, true)
    const found = await mend(`display-silent:${grill}`)
    expect(found).toMatchObject({ severity: 'critical', cost: { text: '3 orders are on no screen.' } })
    expect(found.act?.label).toBe('Show its orders on Fry line')
    expect(await stationsOf(fry)).toEqual(['fry', 'grill'])
    expect(await finding(`display-silent:${grill}`)).toMatchObject({ severity: 'advice', cost: null })
    box.kitchen.presence.heard(grill, true)
    await mend(`display-stands-in:${fry}`)
    expect(await stationsOf(fry)).toEqual(['fry'])
    expect(await finding(`display-stands-in:${fry}`)).toBeUndefined()
    await expect(ask('displays.give-back', { displayId: fry })).rejects.toMatchObject({
      said: { key: 'display.no-stand-in' },
    })
  })

  it('is not taken over by a screen that takes no stations, and nothing is noted', async () => {
    const grill = screen('Grill line', ['grill'], false)
    const guests = screen('Guests', ['x'])
    const { displays } = box.kitchen
    const update = displays.update.bind(displays)
    Object.assign(displays, { update: () => ({ ok: false, reason: 'unknown-display' }) })
    await expect(ask('displays.take-over', { displayId: grill, by: guests })).rejects.toMatchObject({
      said: { key: 'display.no-stations' },
    })
    Object.assign(displays, { update })
    expect(box.access.box.notes().standIns).toEqual([])
  })

  it('that is expo is taken over whole, and what a person gave the other one meanwhile stays', async () => {
    const expo = screen('Expo', [], false)
    const fry = screen('Fry line', ['fry'])
    await ask('displays.take-over', { displayId: expo, by: fry })
    expect(await stationsOf(fry)).toEqual([])
    await ask('displays.give-back', { displayId: fry })
    expect(await stationsOf(fry)).toEqual(['fry'])
    const bar = screen('Bar', ['bar'], false)
    await ask('displays.take-over', { displayId: bar, by: fry })
    await ask('displays.update', { displayId: fry, stations: ['fry', 'bar', 'dessert'] })
    await ask('displays.give-back', { displayId: fry })
    expect(await stationsOf(fry)).toEqual(['fry', 'dessert'])
    await expect(ask('displays.take-over', { displayId: fry, by: fry })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(ask('displays.take-over', { displayId: 'dsp_0', by: fry })).rejects.toMatchObject({
      kind: 'not-found',
    })
  })
})

describe('the log of what people change', () => {
  it('names the screens and the station by their names', async () => {
    const [grill, fry] = [screen('Grill line', ['grill'], false), screen('Fry line', ['fry'])]
    await ask('displays.take-over', { displayId: grill, by: fry })
    await ask('displays.give-back', { displayId: fry })
    await ask('stations.assign', { station: 'Wok', printers: ['Grill'], displays: [fry] })
    await ask('displays.remove', { displayId: grill })
    const lines = JSON.stringify(await ask('logs.list', {}))
    for (const part of [
      `"operation":"displays.take-over","displayId":"${grill}","display":"Grill line","by":"Fry line"}`,
      `"operation":"displays.give-back","displayId":"${fry}","display":"Fry line"}`,
      '"operation":"stations.assign","station":"Wok","printers":["Grill"],"displays":["Fry line"]}',
      `"operation":"displays.remove","displayId":"${grill}","display":"Grill line"}`,
    ])
      expect(lines).toContain(part)
  })
})

describe('a screen that several take over, one after the other,', () => {
  const over = (displayId: string, by: string) => ask('displays.take-over', { displayId, by })
  const back = (displayId: string) => ask('displays.give-back', { displayId })

  it('leaves the first one with its own stations, and is nowhere twice when the last one gives back', async () => {
    const [grill, fry, bar] = [screen('Grill', ['grill'], false), screen('Fry', ['fry']), screen('Bar', ['bar'])]
    await over(grill, fry)
    await over(grill, bar)
    expect([await stationsOf(fry), await stationsOf(bar)]).toEqual([['fry'], ['bar', 'grill']])
    await expect(back(fry)).rejects.toMatchObject({ said: { key: 'display.no-stand-in' } })
    await back(bar)
    expect([await stationsOf(fry), await stationsOf(bar)]).toEqual([['fry'], ['bar']])
    expect(box.access.box.notes().standIns).toEqual([])
  })

  it('leaves the first one what it is lent by another, and what a person has given it', async () => {
    const [grill, cold] = [screen('Grill', ['grill'], false), screen('Cold', ['cold'], false)]
    const [fry, bar] = [screen('Fry', ['fry']), screen('Bar', ['bar'])]
    await over(grill, fry)
    await over(cold, fry)
    await ask('displays.update', { displayId: fry, stations: ['fry', 'grill', 'cold', 'dessert'] })
    await over(grill, bar)
    expect(await stationsOf(fry)).toEqual(['fry', 'cold', 'dessert'])
    await back(fry)
    expect(await stationsOf(fry)).toEqual(['fry', 'dessert'])
  })

  it('gets back what was lent, also when that has become less meanwhile', async () => {
    const [grill, fry, bar] = [screen('Grill', ['grill'], false), screen('Fry', ['fry'], false), screen('Bar', ['bar'])]
    await over(grill, fry)
    await over(fry, bar)
    expect(await stationsOf(bar)).toEqual(['bar', 'fry', 'grill'])
    await back(fry)
    await back(bar)
    expect([await stationsOf(fry), await stationsOf(bar)]).toEqual([['fry'], ['bar']])
  })

  it('may be taken over by another when the first one is no more, or has become the board of guests', async () => {
    const [grill, fry, bar] = [screen('Grill', ['grill'], false), screen('Fry', ['fry']), screen('Bar', ['bar'])]
    const gone = screen('Gone', ['cold'])
    await over(grill, gone)
    await ask('displays.remove', { displayId: gone })
    await over(grill, fry)
    await ask('displays.update', { displayId: fry, kind: 'pick-up', stations: [], backupPrinter: null })
    await over(grill, bar)
    expect([await stationsOf(fry), await stationsOf(bar)]).toEqual([[], ['bar', 'grill']])
  })

  it('is one of the kitchen, and silent', async () => {
    const [fry, bar] = [screen('Fry', ['fry']), screen('Bar', ['bar'], false)]
    for (const kind of ['runner', 'pick-up'] as const) {
      const { displayId } = (await ask('displays.add', { name: kind, kind })) as { displayId: string }
      await expect(over(displayId, fry)).rejects.toMatchObject({ said: { key: 'display.not-its-kind' } })
    }
    await over(bar, fry)
    await back(fry)
    box.kitchen.presence.heard(bar, true)
    await expect(over(bar, fry)).rejects.toMatchObject({ said: { key: 'display.answers' } })
    expect(await stationsOf(fry)).toEqual(['fry'])
  })
})

describe('a printer', () => {
  it('that is down with tickets has them moved to one that works', async () => {
    const grill = box.core.transport('grill')
    grill.down = OFFLINE
    await box.core.queue.start()
    orders(4)
    await box.core.pass(10_000)
    const found = await mend('printer-down:grill')
    expect(found).toMatchObject({ cost: { count: 4 }, act: { label: 'Move what waits to Fry' } })
    expect(found.cost?.text).toMatch(/^4 tickets wait, the oldest for 1\d s\.$/)
    await box.core.pass(5_000)
    expect(box.core.transport('fry').sent).toHaveLength(4)
    expect(await finding('printer-down:grill'), 'an idle printer has a minute').toBeUndefined()
  })

  it('is the only output of its station, though a screen that is switched off has a printer behind it', async () => {
    const { displays } = box.kitchen
    const line = { name: 'Grill line', stations: ['grill'], language: 'en', backupPrinterId: 'fry' }
    displays.add(line, box.core.clock.now())
    const grill = box.core.transport('grill')
    await box.core.queue.start()
    grill.down = OFFLINE
    grill.show('offline')
    await box.core.clock.advance(70_000)
    expect((await finding('printer-down:grill'))?.cost).toMatchObject({ key: 'orders-refused', count: 1 })
  })

  it('that is paused is resumed, and one without a backup gets one', async () => {
    await box.core.queue.start()
    await ask('printers.pause', { printer: 'grill' })
    await mend('printer-paused:grill')
    expect(await finding('printer-paused:grill')).toBeUndefined()
    expect((await mend('printer-no-backup:fry')).act?.label).toBe('Let Grill take over')
    expect(await finding('printer-no-backup:fry')).toBeUndefined()
    // Each of the two has taken over for the other.
    expect((await mend('printer-no-backup:grill')).act?.label).toBe('Let Fry take over')
    expect(await finding('printer-no-backup:grill')).toBeUndefined()
  })

  it('at which tickets wait for a person lets them print', async () => {
    const grill = box.core.transport('grill')
    box.core.set('grill', { doubt: 'hold' })
    grill.outcomes.push(() => grill.uncertain())
    await box.core.queue.start()
    orders(1)
    await box.core.pass(5_000)
    expect(await mend('tickets-parked:grill')).toMatchObject({ severity: 'critical', cost: { count: 1 } })
    await box.core.pass(5_000)
    expect(await finding('tickets-parked:grill')).toBeUndefined()
    expect(grill.sent).toHaveLength(2)
  })

  it('that never prints is named, and is not any more when it serves a station', async () => {
    await ask('printers.update', { printer: 'fry', stations: [] })
    expect(await finding('printer-idle:fry')).toMatchObject({ severity: 'warning', act: { to: '/printers/fry' } })
    await ask('printers.update', { printer: 'fry', stations: ['salad'] })
    expect(await finding('printer-idle:fry')).toBeUndefined()
  })

  it('that was not tested prints its test ticket', async () => {
    await box.core.queue.start()
    await mend('printer-untested:grill')
    await box.core.pass(2_000)
    expect(box.core.transport('grill').sent).toHaveLength(1)
  })
})

describe('a station', () => {
  it('that nothing serves is named with its lines, and its printer serves it after one tap', async () => {
    orders(2, 'Salad')
    const found = await mend('station-unserved:salad')
    expect(found).toMatchObject({ title: 'No printer and no screen serves Salad', cost: { count: 2 } })
    expect(await finding('station-unserved:salad')).toBeUndefined()
    expect(box.core.printers.find('grill')?.stations).toEqual(['grill', 'Salad'])
  })

  it('is read once a minute, and not while something waits to print', async () => {
    await health()
    orders(1, 'Salad')
    await box.core.clock.advance(61_000)
    expect(await finding('station-unserved:salad'), 'a ticket waits').toBeUndefined()
    await box.core.queue.start()
    await box.core.pass(5_000)
    expect(await finding('station-unserved:salad')).toMatchObject({ cost: { count: 1 } })
  })

  it('that no screen serves is given to one', async () => {
    const fry = screen('Fry line', ['fry'])
    orders(2)
    await mend('station-no-screen:grill')
    expect(await finding('station-no-screen:grill')).toBeUndefined()
    expect(await stationsOf(fry)).toEqual(['fry', 'grill'])
  })
})

describe('the time zone', () => {
  it('set by a person wins over the relay’s and is reported, and one tap takes the relay’s', async () => {
    await ask('settings.put', { timeZone: 'Europe/Madrid' })
    expect(await ask('settings.get')).toMatchObject({ timeZone: 'Europe/Madrid', timeZoneUsed: 'Europe/Madrid' })
    expect(box.site.timeZone, 'of paper and screens').toBe('Europe/Madrid')
    expect((await mend('time-zones-differ')).act?.label).toBe('Use UTC')
    expect(await finding('time-zones-differ')).toBeUndefined()
    expect(await ask('settings.get')).toMatchObject({ timeZone: '', timeZoneUsed: 'UTC' })
  })
})

describe('a backup', () => {
  it('that is older than 30 days is due, and not any more when one was made', async () => {
    box.access.users.add({ name: 'Tea', role: 'technician', password: 'x' }, box.core.clock.now())
    expect(await finding('box-not-backed-up')).toBeUndefined()
    box.access.box.note({ backupAtMs: box.core.clock.now() - 31 * 86_400_000 })
    expect(await finding('box-not-backed-up')).toMatchObject({ act: { kind: 'open', to: '/care', role: 'technician' } })
    await ask('backup.make', { passphrase: 'three wet horses sing' })
    expect(await finding('box-not-backed-up')).toBeUndefined()
    const untouched = { name: '', timeZone: '', language: 'en', thresholds: {} }
    expect(box.access.box.settings(), 'notes are no settings').toEqual(untouched)
  })
})

describe('a display', () => {
  it('is reported as unknown when the open orders cannot be read, and the box is not called well', async () => {
    screen('Pass', [], false)
    await box.core.clock.advance(20_000)
    Object.assign(box.kitchen, { unseen: () => Promise.reject(new Error('the disk is ill')) })
    expect(await finding('board-unread')).toMatchObject({ severity: 'warning', act: { kind: 'open', to: '/logs' } })
    expect((await health()).unheard).toContainEqual({ part: 'board', name: '' })
  })

  it('without a backup printer gets one', async () => {
    const pass = screen('Pass', [])
    box.kitchen.displays.update(pass, { backupPrinterId: null })
    expect((await mend(`display-no-backup:${pass}`)).act?.label).toBe('Let Grill print them')
    expect(await finding(`display-no-backup:${pass}`)).toBeUndefined()
  })
})

it('reports that all is well only after the printers have answered', async () => {
  for (const printerId of ['grill', 'fry']) box.core.set(printerId, { testedAtMs: 1, backupPrinterId: null })
  box.access.users.add({ name: 'Tea', role: 'technician', password: 'x' }, box.core.clock.now())
  expect(await health()).toMatchObject({
    verdict: 'unheard',
    unheard: [
      { part: 'printer', name: 'Grill' },
      { part: 'printer', name: 'Fry' },
    ],
  })
  await box.core.queue.start()
  await box.core.pass(75_000)
  expect(await health()).toMatchObject({ verdict: 'well', unheard: [] })
})
