// A fault of the https server while it is open is logged, and the server keeps running.
import type { Server } from 'node:https'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PageCertificate } from '#gateway/certificate/page-certificate.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { servedCertificate } from '#test/harness/served-certificate.ts'
import { CONNECTION_LIMITS, ConnectionCaps } from './connection-limits.ts'
import { HttpsListener } from './https-listener.ts'

it('each fault of the open server is logged, and it still answers', async () => {
  const core = new GatewayCore()
  const { clock, log, relayTime: time } = core
  const servers: Server[] = []
  const listener = new HttpsListener({
    ...{ host: '127.0.0.1', port: 0, limits: CONNECTION_LIMITS, clock, log },
    certificate: new PageCertificate({
      ...{ file: join(core.dir, 'page-certificate.pem'), provided: null, clock, time, log },
      names: () => ['localhost'],
    }),
    caps: new ConnectionCaps(CONNECTION_LIMITS, clock),
    prepare: (server) => servers.push(server),
  })
  onTestFinished(async () => {
    await listener.stop()
    await core.stop()
  })
  await listener.start()
  // Node's error when the system has no room for another connection.
  for (const code of ['EMFILE', 'ENFILE']) servers[0]?.emit('error', new Error(`accept ${code}`))
  for (const code of ['EMFILE', 'ENFILE'])
    expect(core.logged.filter((line) => line.includes(`accept ${code}`))).toHaveLength(1)
  expect(listener.view.state).toBe('on')
  expect((await servedCertificate('127.0.0.1', listener.port)).fingerprint256).toBeTruthy()
})
