// The one executable of each architecture, as a box runs it: commands, an order from the API to paper in every script, nothing executable left behind.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VERSION } from '#shared/version.ts'
import { OtlpReceiver } from '#test/doubles/otlp-receiver.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { Site } from '#test/harness/site.ts'
import { type Arch, commandOf, runLine } from './release.ts'

describe.each<Arch>(['x64', 'arm64'])('the executable for %s', (arch) => {
  let printer: VirtualPrinter
  let site: Site
  let collector: OtlpReceiver
  let env: Record<string, string>
  beforeEach(async () => {
    printer = new VirtualPrinter()
    const { port } = await printer.start()
    collector = new OtlpReceiver()
    await collector.start()
    site = new Site({
      gatewayEnv: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
      printers: `Grill=127.0.0.1:${port}/epson-thermal-203@grill`,
      gatewayProgram: commandOf(arch),
      keepLog: true,
    })
    env = { GATEWAY_DATABASE: join(site.dir, 'gateway/gateway.db') }
  })
  afterEach(async () => {
    await site.stop()
    await printer.stop()
    await collector.stop()
  })

  it('prints its version, and reports without a gateway that none runs', () => {
    expect(runLine(arch, ['--version'])).toEqual({ code: 0, out: `ticketrail-gateway ${VERSION}\n` })
    expect(runLine(arch, ['status'], env)).toMatchObject({ code: 3, out: expect.stringContaining('not running') })
  })

  it('prints an order that came through the relay, with text that only its own fonts can draw, and is well', async () => {
    await site.start()
    const text = 'PACKAGED 宫保鸡丁 كباب 땅콩 मूंगफली'
    const papers = (): string[] => printer.tickets.map((ticket) => ticket.text())
    // An emulated processor may be too slow for the drawing: then the ticket comes without it, in time, and a later one has it.
    for (let n = 1; n <= 8 && !papers().some((paper) => /\[raster \d+x\d+\]/.test(paper)); n++) {
      await site.injectSurely({ orderId: `packaged-${n}`, note: text })
      await expect.poll(papers).toHaveLength(n)
      expect(papers().at(-1)).toContain(`order packaged-${n}`)
    }
    expect(papers().at(-1)).toMatch(/\[raster \d+x\d+\]/)
    expect(site.gateway.log.filter(({ level }) => level >= 60).map(({ msg }) => msg)).toEqual([])
    const doctor = runLine(arch, ['doctor', '--json'], env)
    const checks = JSON.parse(doctor.out) as { name: string; result: string }[]
    expect([doctor.code, checks.filter(({ result }) => result === 'fail')]).toEqual([0, []])
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['gateway', 'disk', 'relay', 'printer Grill']),
    )
  })

  it('sends the spans of a traced order', async () => {
    await site.start()
    const traceId = 'a'.repeat(32)
    const headers = { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` }
    // 503 printer.offline on a busy machine: the order goes on its way all the same.
    const { status } = await site.call('POST', '/v1/order/inject', site.orderBody({ orderId: 'traced' }), headers)
    expect([200, 503]).toContain(status)
    const traced = () => collector.spans.filter((span) => span.traceId === traceId).map(({ name }) => name)
    await expect.poll(traced).toContain('print ticket')
  })

  it('carries its pages: the technician’s and the kitchen’s, with every file that they name', async () => {
    await site.start()
    for (const [path, title] of [
      ['/admin/', 'Ticketrail'],
      ['/kitchen/', 'Kitchen'],
    ] as const) {
      const page = await fetch(site.gatewayUrl + path)
      const html = await page.text()
      expect([page.status, html.includes(`<title>${title}`)], path).toEqual([200, true])
      const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, file]) => file ?? '')
      expect(files.length, path).toBeGreaterThan(1)
      for (const file of files) expect((await fetch(site.gatewayUrl + file)).status, file).toBe(200)
    }
  })

  it('has the fonts of every script, knows their coverage without reading them, and includes their licence', async () => {
    await site.start()
    const { out } = runLine(arch, ['fonts', '--json'], env)
    expect(out).toContain('noto-sans-kr')
    expect(runLine(arch, ['fonts', '--licence'], env).out).toContain('SIL OPEN FONT LICENSE')
    const unprintable = (): number[] => {
      const { out } = runLine(arch, ['jobs', 'list', '--json'], env)
      return (JSON.parse(out) as { tickets: { unprintable: number }[] }).tickets.map((ticket) => ticket.unprintable)
    }
    // As above: undrawn in time, all of it counts as unprintable, and a later one is drawn.
    for (let n = 1; n <= 8 && !unprintable().includes(1); n++) {
      await site.injectSurely({ orderId: `packaged-${n}`, note: '골 ខ្មែរ \u0378' })
      await expect.poll(() => printer.tickets.length).toBe(n)
    }
    expect(unprintable()).toContain(1)
  })

  it('leaves no executable file behind', async () => {
    await site.start()
    await site.injectSurely({ orderId: 'packaged-2' })
    await expect.poll(() => printer.tickets.length).toBe(1)
    const folder = join(site.dir, 'gateway')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
    expect(files.some((file) => file.endsWith('gateway.db'))).toBe(true)
    const executable = files.filter((file) => statSync(file).isFile() && (statSync(file).mode & 0o111) !== 0)
    expect(executable).toEqual([])
    expect(files.filter((file) => file.endsWith('.node') || file.endsWith('.so'))).toEqual([])
    expect(existsSync(folder)).toBe(true)
  })
})
