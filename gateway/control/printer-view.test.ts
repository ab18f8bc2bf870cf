// What a technician sees of a printer in addition to its health.
import { expect, it } from 'vitest'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE } from '#test/doubles/scripted-transport.ts'
import { printerAnswers } from './printer-view.ts'

it('shows where the tickets of a printer go while it is away', async () => {
  const core = new GatewayCore([GRILL, FRY])
  const watch = { notesOf: () => [{ key: 'seen', values: {}, text: 'seen elsewhere' }], foundOf: () => null }
  const notes = () => printerAnswers(core, watch).map((printer) => printer.notes)
  core.set('grill', { backupPrinterId: 'fry' })
  core.transport('grill').down = OFFLINE
  await core.queue.start()
  core.accept('pj_1')
  await core.pass(2_000)
  expect(notes()).toEqual([['seen elsewhere'], ['seen elsewhere']])
  await core.pass(20_000)
  expect(notes()[0]).toEqual(['It is away: its tickets go to Fry until it prints again.', 'seen elsewhere'])
  expect(printerAnswers(core, watch)[0]?.told.map(({ key, values }) => [key, values])).toEqual([
    ['away', { backup: 'Fry' }],
    ['seen', {}],
  ])
  core.transport('grill').down = null
  await core.pass(10_000)
  expect(notes()[0]).toEqual(['seen elsewhere'])
  await core.stop()
})
