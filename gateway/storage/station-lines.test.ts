// Which stations orders really use: counted by day, each order once; damaged ones are skipped.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { StationLines } from './station-lines.ts'

const DAY_MS = 86_400_000

let core: GatewayCore
beforeEach(() => {
  core = new GatewayCore()
})
afterEach(() => core.stop())

const at = (...stations: (string | null)[]) => ({
  order: { items: stations.map((station) => ({ umsId: 'u', name: 'x', qty: 1, modifiers: [], station })) },
})
const seen = async (lines: StationLines) =>
  (await lines.seen(core.relayTime.now())).map(({ station, lines: n }) => `${station} ${n}`)

it('counts lines of each station regardless of case, and continues where it stopped', async () => {
  core.accept('pj_1', at('Grill', 'grill ', null))
  const lines = new StationLines(core.db)
  expect(await seen(lines)).toEqual(['grill 2', ' 1'])
  core.accept('pj_2', at('GRILL', 'Fry'))
  expect(await seen(lines)).toEqual(['GRILL 3', ' 1', 'Fry 1'])
  expect(await seen(lines)).toEqual(['GRILL 3', ' 1', 'Fry 1'])
})

it('drops a station without lines for a week', async () => {
  core.accept('pj_1', at('Sushi'))
  const lines = new StationLines(core.db)
  await seen(lines)
  await core.clock.advance(9 * DAY_MS)
  core.accept('pj_2', at('Grill'))
  expect(await seen(lines)).toEqual(['Grill 1'])
  expect(await seen(new StationLines(core.db))).toEqual(['Grill 1'])
})

it('reads a long history in slices, and lets other work run between them', async () => {
  for (let n = 0; n < 450; n++) core.accept(`pj_${n}`, at('Grill'))
  let breaths = 0
  const lines = new StationLines(core.db, async () => {
    breaths++
  })
  expect(await seen(lines)).toEqual(['Grill 450'])
  expect(breaths).toBe(2)
})

it('skips damaged orders, and the test orders of the gateway', async () => {
  core.accept('pj_1', at('Grill'))
  core.db.sqlite.prepare(`update jobs set doc = '{"broken' where job_id = 'pj_1'`).run()
  const doc = { kind: 'order', order: core.order(), isTest: true } as const
  core.intake.acceptOwn('pj_own', doc, core.relayTime.now() + DAY_MS)
  expect(await seen(new StationLines(core.db))).toEqual([])
})
