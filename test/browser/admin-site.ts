// A box as a technician finds it: the gateway as a process, virtual printers, Debian's chromium.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { type LineResult, runLineOf } from '#test/harness/command-line.ts'
import { gatewayProgram, LOOPBACK_PRINTERS } from '#test/harness/gateway-program.ts'
import { Program } from '#test/harness/program.ts'
import { BOX_NAME, launchShell } from './chromium.ts'
import { newVisitor, type Visitor } from './visitor.ts'

export const PASSWORD = 'four plain kitchen words'

const TWO_COURSES = {
  serviceOrderId: 'ord_courses',
  items: ['Soup', 'Steak <b>rare</b>'].map((name, index) => ({
    ...{ umsId: name, name, qty: 1, modifiers: [], station: 'grill' },
    course: index + 1,
  })),
}

export class AdminSite {
  readonly printers = [new VirtualPrinter(), new VirtualPrinter()] as const
  readonly #dir = mkdtempSync(join(tmpdir(), 'admin-page-'))
  #program: Program | null = null
  #browser: Browser | null = null
  url = ''
  /** Ports of the printers. */
  ports: readonly number[] = []

  /**
   * @param jobIds orders that are on its disk when it starts; `courses` has two, of which the second is held
   * @param fill puts more there
   */
  async start(
    env: Readonly<Record<string, string>> = {},
    jobIds: readonly string[] = [],
    fill: (core: GatewayCore) => void = () => {},
  ): Promise<void> {
    this.ports = await Promise.all(this.printers.map(async (printer) => (await printer.start()).port))
    if (jobIds.length > 0 || fill.length > 0) {
      const core = new GatewayCore([], { dir: this.#dir, clock: new ManualClock(Date.now()) })
      for (const jobId of jobIds)
        core.accept(jobId, { order: jobId === 'courses' ? TWO_COURSES : { serviceOrderId: `ord_${jobId}` } })
      fill(core)
      core.db.close()
    }
    this.#program = new Program('run', { ...this.#env, ...env }, true, [], gatewayProgram())
    const { port } = new URL((await this.#program.start()).httpUrl)
    this.url = `http://${BOX_NAME}:${port}`
    this.#browser = await launchShell()
  }

  get #env(): Record<string, string> {
    return {
      GATEWAY_DATABASE: join(this.#dir, 'gateway.db'),
      GATEWAY_PAIRING_FILE: join(this.#dir, 'pairing.json'),
      GATEWAY_HTTP_PORT: '0',
      GATEWAY_ALLOWED_PRINTERS: LOOPBACK_PRINTERS,
    }
  }

  async stop(): Promise<void> {
    await this.#browser?.close()
    await this.#program?.kill('SIGKILL')
    await Promise.all(this.printers.map((printer) => printer.stop()))
    rmSync(this.#dir, { recursive: true, force: true })
  }

  /** Stops the box without ending it: it accepts nothing and says nothing. */
  freeze(): void {
    process.kill(this.#program?.pid ?? 0, 'SIGSTOP')
  }

  thaw(): void {
    process.kill(this.#program?.pid ?? 0, 'SIGCONT')
  }

  /** A person's own browser, in a language. */
  async visitor(locale = 'en', width = 1_280): Promise<Visitor> {
    if (!this.#browser) throw new Error('not started')
    return newVisitor(this.#browser, { url: this.url, locale, width })
  }

  /** One line at the box's own terminal. */
  async line(...args: readonly string[]): Promise<LineResult> {
    return await runLineOf(this.#env, args, '', gatewayProgram())
  }

  async setupCode(): Promise<string> {
    const { json, err } = await this.line('admin', 'setup-code', '--json')
    if (typeof json?.code !== 'string') throw new Error(`no set-up code: ${err}`)
    return json.code
  }

  /** The first technician, by the box's own interface. @returns a browser that is signed in */
  async technician(locale = 'en'): Promise<Visitor> {
    const visitor = await this.visitor(locale)
    await visitor.page.goto('/admin/')
    await visitor.post('setup', { code: await this.setupCode(), name: 'Tea', password: PASSWORD })
    return visitor
  }
}
