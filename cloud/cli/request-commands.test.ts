// requests tail against a scripted log and a fake clock: each call is printed once, however slow it was and however many there are.
import { expect, it } from 'vitest'
import { toIso } from '#shared/clock.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { typed } from '#test/fixtures/typed-ticketrail.ts'

interface Logged {
  requestId: string
  answeredAt: string
  durationMs: number
}

it('prints a slow call that began before others, each of 250 calls within one poll, and nothing twice', async () => {
  const clock = new ManualClock()
  const log: Logged[] = []
  const answered = (id: number, durationMs = 5) => {
    const call = { method: 'GET', path: '/v1/skus', status: 200, code: null, fields: [], merchantId: null, keyId: 'k' }
    log.push({ ...call, requestId: `req_${id}`, answeredAt: toIso(clock.now()), durationMs } as Logged)
    log.sort((one, other) => Number(other.requestId.slice(4)) - Number(one.requestId.slice(4)))
  }
  const fetch = async (url: string) => {
    const from = Number(new URL(url).searchParams.get('cursor') ?? 0)
    const rest = log.length - from - 100
    const body = { data: log.slice(from, from + 100), nextCursor: rest > 0 ? String(from + 100) : null }
    return Response.json(body, { headers: { 'x-request-id': 'req_0' } })
  }
  const env = { TICKETRAIL_URL: 'http://relay.example', TICKETRAIL_API_KEY: 'sk_sandbox_x' }
  for (let id = 1; id <= 150; id++) answered(id)
  const line = typed(['requests', 'tail', '--json'], { env, fetch, clock })
  await clock.advance(3_000)
  expect(line.out).toEqual([])
  answered(1_001)
  await clock.advance(2_000)
  answered(1_000, 4_000)
  for (let id = 2_000; id < 2_250; id++) answered(id)
  for (let n = 0; n < 60; n++) await clock.advance(2_000)
  line.stop()
  expect(await line.ended).toBe(130)
  const ids = line.out.map((text) => Number(JSON.parse(text).requestId.slice(4)))
  const expected = [1_001, 1_000, ...Array.from({ length: 250 }, (_, n) => 2_000 + n)]
  expect(ids.toSorted((one, other) => one - other)).toEqual(expected.toSorted((one, other) => one - other))
})
