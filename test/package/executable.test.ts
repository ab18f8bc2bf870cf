// The one executable of each architecture, as a box runs it: commands, an order from the API to paper in every script, nothing executable left behind.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VERSION } from '#shared/version.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { Site } from '#test/harness/site.ts'
import { type Arch, commandOf, runLine } from './release.ts'

describe.each<Arch>(['x64', 'arm64'])('the executable for %s', (arch) => {
  let printer: VirtualPrinter
  let site: Site
  let env: Record<string, string>
  beforeEach(async () => {
    printer = new VirtualPrinter()
    const { port } = await printer.start()
    site = new Site({
      printers: `Grill=127.0.0.1:${port}/epson-thermal-203@grill`,
      gatewayProgram: commandOf(arch),
      keepLog: true,
    })
    env = { GATEWAY_DATABASE: join(site.dir, 'gateway/gateway.db') }
  })
  afterEach(async () => {
    await site.stop()
    await printer.stop()
  })

  it('says its version, and without a gateway that none runs', () => {
    expect(runLine(arch, ['--version'])).toEqual({ code: 0, out: `ticketrail-gateway ${VERSION}\n` })
    expect(runLine(arch, ['status'], env)).toMatchObject({ code: 3, out: expect.stringContaining('not running') })
  })

  it('prints an order that came by the relay, with text that only its own fonts can draw, and is well', async () => {
    await site.start()
    const { status } = await site.injectSurely({ orderId: 'packaged-1', note: 'PACKAGED 宫保鸡丁 كباب' })
    expect(status).toBe(200)
    await expect.poll(() => printer.tickets.length, { timeout: 60_000 }).toBe(1)
    const [ticket] = printer.tickets
    expect(ticket?.text()).toContain('order packaged-1')
    // What the printer has no characters for came as a picture.
    expect(ticket?.text()).toMatch(/\[raster \d+x\d+\]/)
    await expect
      .poll(() => site.gateway.log.filter(({ level }) => level >= 50).map(({ msg }) => msg), { timeout: 1_000 })
      .toEqual([])
    const doctor = runLine(arch, ['doctor', '--json'], env)
    const checks = JSON.parse(doctor.out) as { name: string; result: string }[]
    expect([doctor.code, checks.filter(({ result }) => result === 'fail')]).toEqual([0, []])
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['gateway', 'disk', 'relay', 'printer Grill']),
    )
  })

  it('leaves no executable file behind', async () => {
    await site.start()
    await site.injectSurely({ orderId: 'packaged-2' })
    await expect.poll(() => printer.tickets.length, { timeout: 60_000 }).toBe(1)
    const folder = join(site.dir, 'gateway')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
    expect(files.some((file) => file.endsWith('gateway.db'))).toBe(true)
    const executable = files.filter((file) => statSync(file).isFile() && (statSync(file).mode & 0o111) !== 0)
    expect(executable).toEqual([])
    expect(files.filter((file) => file.endsWith('.node') || file.endsWith('.so'))).toEqual([])
    expect(existsSync(folder)).toBe(true)
  })
})
