// Program: the whole gateway on a clock that runs HURRY times as fast, for what it does only after minutes. Settings as those of the gateway.
import { readGatewayConfig } from '#gateway/config.ts'
import { LogRing } from '#gateway/control/log-ring.ts'
import { Gateway } from '#gateway/gateway.ts'
import { createLogger } from '#shared/log.ts'
import { HurriedClock } from '#test/doubles/hurried-clock.ts'

const logs = new LogRing()
const log = createLogger('gateway', 'info', { destination: process.stdout, copy: (line) => logs.write(line) })
const gateway = new Gateway({
  config: readGatewayConfig(process.env),
  clock: new HurriedClock(Number(process.env['HURRY'] ?? 1)),
  random: Math.random,
  log,
  logs,
  onFatal: (error) => {
    log.fatal({ err: error }, 'fatal')
    process.exit(1)
  },
  rssBytes: () => process.memoryUsage.rss(),
  memoryLimitBytes: null,
  updateFolder: null,
})
await gateway.start()
log.info({ httpUrl: gateway.httpUrl }, 'ready')
