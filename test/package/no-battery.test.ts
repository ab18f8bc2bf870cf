// A board without a clock battery, the packaged program on it: it wakes ten years ago, and scheduled orders, ages and times are right all the same.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { Site } from '#test/harness/site.ts'
import { type Arch, commandOf, runLine } from './release.ts'

const DEBIAN_ARCH = process.arch === 'arm64' ? 'aarch64' : 'x86_64'
/** Debian's `libfaketime`: the wall clock of one program, without touching that of the machine. */
const LIBRARY = `/usr/lib/${DEBIAN_ARCH}-linux-gnu/faketime/libfaketime.so.1`
const TEN_YEARS_AGO = { LD_PRELOAD: LIBRARY, FAKETIME: '-3650d', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
const AHEAD_MS = 25_000

const isThere = existsSync(LIBRARY)
if (!isThere) process.stderr.write('test/package/no-battery.test.ts is skipped: apt-get install libfaketime\n')

describe.runIf(isThere)('a box that wakes ten years ago', () => {
  let printer: VirtualPrinter
  let site: Site
  beforeEach(async () => {
    printer = new VirtualPrinter()
    const { port } = await printer.start()
    site = new Site({
      printers: `Grill=127.0.0.1:${port}/epson-thermal-203@grill`,
      gatewayProgram: commandOf(process.arch as Arch),
    })
  })
  afterEach(async () => {
    await site.stop()
    await printer.stop()
  })
  const line = (...args: string[]) => {
    const { out } = runLine(process.arch as Arch, [...args, '--json'], {
      GATEWAY_DATABASE: join(site.dir, 'gateway/gateway.db'),
    })
    return JSON.parse(out)
  }
  const clockCheck = (): { result: string; text: string } =>
    line('doctor').find(({ name }: { name: string }) => name === 'clock')
  const copiesOf = (id: string) => printer.tickets.filter((ticket) => ticket.text().includes(id)).length

  it('continues from the last known time, reports that, fires a scheduled order at its moment, and shows the error of its clock', async () => {
    await site.start()
    await site.injectSurely({ orderId: 'before' })
    await expect.poll(() => copiesOf('before')).toBe(1)
    const fireAtMs = systemClock.now() + AHEAD_MS
    await site.injectSurely({ orderId: 'scheduled', fireAt: new Date(fireAtMs).toISOString() })
    await expect.poll(async () => (await site.gatewayStatus()).queue.held).toBe(1)

    // The power goes in the whole street: the relay is not there either when the box wakes.
    await Promise.all([site.gateway.kill('SIGKILL'), site.cloud.kill('SIGKILL')])
    const port = new URL(site.gatewayUrl).port
    await site.gateway.start({ GATEWAY_HTTP_PORT: port, ...TEN_YEARS_AGO })
    expect(clockCheck()).toMatchObject({ result: 'warn', text: expect.stringContaining('The time is not known') })
    expect(copiesOf('scheduled')).toBe(0)

    await site.startCloud()
    await expect.poll(async () => (await site.gatewayStatus()).link.state).toBe('connected')
    await expect.poll(clockCheck).toMatchObject({ result: 'warn', text: expect.stringContaining('It is 3650 days') })
    const heardAtMs = systemClock.now()
    if (heardAtMs < fireAtMs) expect(copiesOf('scheduled')).toBe(0)
    await expect.poll(() => copiesOf('scheduled'), { timeout: AHEAD_MS + 30_000 }).toBe(1)
    expect(systemClock.now()).toBeGreaterThanOrEqual(fireAtMs)

    // Taken under the wrong clock: its moment is the relay's, not ten years ago.
    const askedAtMs = systemClock.now()
    await site.injectSurely({ orderId: 'after' })
    await expect.poll(() => copiesOf('after')).toBe(1)
    const after = line('jobs', 'list').tickets.find((ticket: { orderId: string }) => ticket.orderId === 'after')
    expect(Date.parse(after.receivedAt)).toBeGreaterThanOrEqual(askedAtMs - 60_000)
    expect([copiesOf('before'), copiesOf('scheduled')]).toEqual([1, 1])
  })
})
