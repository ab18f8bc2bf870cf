// A box as a technician finds it: the gateway as a process, virtual printers, Debian's chromium.
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { runLineOf } from '#test/harness/command-line.ts'
import { Program } from '#test/harness/program.ts'

export const PASSWORD = 'four plain kitchen words'
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // By the machine's name the page is no secure context, as in a restaurant; by 127.0.0.1 it would be one.
  `--host-resolver-rules=MAP ${hostname()} 127.0.0.1`,
]

export class AdminSite {
  readonly printers = [new VirtualPrinter(), new VirtualPrinter()] as const
  readonly #dir = mkdtempSync(join(tmpdir(), 'admin-page-'))
  #program: Program | null = null
  #browser: Browser | null = null
  url = ''
  /** Ports of the printers. */
  ports: readonly number[] = []

  /** @param jobIds orders that are on its disk when it starts */
  async start(env: Readonly<Record<string, string>> = {}, jobIds: readonly string[] = []): Promise<void> {
    this.ports = await Promise.all(this.printers.map(async (printer) => (await printer.start()).port))
    if (jobIds.length > 0) {
      const core = new GatewayCore([], { dir: this.#dir })
      for (const jobId of jobIds) core.accept(jobId)
      core.db.close()
    }
    this.#program = new Program('gateway/main.ts', { ...this.#env, ...env }, true)
    const { port } = new URL((await this.#program.start()).httpUrl)
    this.url = `http://${hostname()}:${port}`
    this.#browser = await chromium.launch({ executablePath: '/usr/bin/chromium', headless: true, args: FLAGS })
  }

  get #env(): Record<string, string> {
    return {
      GATEWAY_DATABASE: join(this.#dir, 'gateway.db'),
      GATEWAY_PAIRING_FILE: join(this.#dir, 'pairing.json'),
      GATEWAY_HTTP_PORT: '0',
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
    const context = await this.#browser.newContext({ locale, viewport: { width, height: 900 }, baseURL: this.url })
    return new Visitor(context, await context.newPage())
  }

  async setupCode(): Promise<string> {
    const { json, err } = await runLineOf(this.#env, ['admin', 'setup-code', '--json'])
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

export class Visitor {
  readonly context: BrowserContext
  readonly page: Page
  /** What the browser complained of: scripts that broke, styles that the CSP refused. */
  readonly complaints: string[] = []

  constructor(context: BrowserContext, page: Page) {
    this.context = context
    this.page = page
    page.on('pageerror', (error) => this.complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text())
    })
  }

  /** As the page does: with its own origin and cookie. */
  async post(path: string, body: unknown): Promise<unknown> {
    return await this.page.evaluate(
      async ([to, sent]) => {
        const answer = await fetch(`/api/v1/${to}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(sent),
        })
        const { result, message } = (await answer.json()) as { result: unknown; message: string }
        if (!answer.ok) throw new Error(`${to}: ${message}`)
        return result
      },
      [path, body] as const,
    )
  }
}
