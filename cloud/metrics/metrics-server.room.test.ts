// The port of the figures: what it answers, and to what.
import pino from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MetricsServer } from './metrics-server.ts'
import { RelayMetrics } from './relay-metrics.ts'

let server: MetricsServer
const call = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method })

beforeEach(async () => {
  const { registry } = new RelayMetrics()
  server = new MetricsServer({ registry, host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }) })
  await server.start()
})
afterEach(() => server.stop())

test('GET /metrics is text of Prometheus', async () => {
  const answer = await call('/metrics?x=1')
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  expect(await answer.text()).toContain('# TYPE ticketrail_orders_total counter')
})

test('HEAD is the same without text; nothing else is there', async () => {
  const head = await call('/metrics', 'HEAD')
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await call('/')).status).toBe(404)
  const posted = await call('/metrics', 'POST')
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
})

test('it can be started again, and a port that is taken is an error', async () => {
  const { port } = server
  const { registry } = new RelayMetrics()
  const second = new MetricsServer({ registry, host: '127.0.0.1', port, log: pino({ level: 'silent' }) })
  await expect(second.start()).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await server.stop()
  await second.start()
  expect(second.port).toBe(port)
  await second.stop()
})
