// Memory of the packaged program on x64 while nothing happens. How soon it is ready is for the bench (test/bench/start-time.ts).
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { Site } from '#test/harness/site.ts'
import { commandOf } from './release.ts'

const ROUNDS = 5
/** When the rubbish of the start is collected, and a moment more. */
const SETTLED_AFTER_MS = 4_000

describe.runIf(process.arch === 'x64')('the executable for x64', () => {
  let printer: VirtualPrinter
  let site: Site
  beforeEach(async () => {
    printer = new VirtualPrinter()
    const { port } = await printer.start()
    site = new Site({
      printers: `Grill=127.0.0.1:${port}/epson-thermal-203@grill`,
      gatewayProgram: commandOf('x64'),
      // As the service has it.
      gatewayEnv: { MALLOC_ARENA_MAX: '2' },
    })
  })
  afterEach(async () => {
    await site.stop()
    await printer.stop()
  })
  const rssMegabytes = (): number =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${site.gateway.pid}/status`, 'utf8'))?.[1]) * 1.024e-3

  it('idles, paired and connected, on 120 MB at most: the best of five', async () => {
    await site.start()
    const idleMegabytes: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await site.gateway.kill('SIGTERM')
      await site.startGateway()
      await expect.poll(async () => (await site.gatewayStatus()).link.state).toBe('connected')
      await systemClock.sleep(SETTLED_AFTER_MS)
      idleMegabytes.push(Math.round(rssMegabytes()))
    }
    process.stderr.write(`idle on ${idleMegabytes.join(', ')} MB\n`)
    expect(Math.min(...idleMegabytes)).toBeLessThanOrEqual(120)
  })
})
