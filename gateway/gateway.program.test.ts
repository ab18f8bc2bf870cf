// The gateway as a whole, and as a process: real file, real sockets, a virtual printer; started, killed, drained.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findFreePort } from '#scripts/demo/free-port.ts'
import { LOG_NARROWED } from '#shared/disk/file-modes.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { compiledCode } from '#test/harness/compiled-code.ts'
import { Program } from '#test/harness/program.ts'
import { servedCertificate } from '#test/harness/served-certificate.ts'
import { APP } from './gateway.ts'

const ROOT = new URL('../', import.meta.url).pathname
/** What these tests hold is the start itself, so it is that of `npm run gateway`: from the sources, not from a bundle. */
const SOURCE = join(ROOT, 'gateway/main.ts')
const isMarked = (ticket: { text(): string }): boolean => ticket.text().includes('POSSIBLE DUPLICATE')

interface Status {
  queue: { queued: number }
  tickets: { state: string; confirmation: string | null }[]
}

describe('the gateway program', () => {
  let dir: string
  let printer: VirtualPrinter
  let env: Record<string, string>
  let program: Program
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gateway-program-'))
    printer = new VirtualPrinter()
    const { port } = await printer.start()
    env = {
      GATEWAY_DATABASE: join(dir, 'gateway.db'),
      GATEWAY_PAIRING_FILE: join(dir, 'pairing.json'),
      GATEWAY_PRINTERS: `Grill=127.0.0.1:${port}/epson-thermal-203@grill`,
      GATEWAY_HTTP_PORT: '0',
    }
    program = new Program(SOURCE, env, true)
  })
  afterEach(async () => {
    await program.kill('SIGKILL')
    await printer.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  /** Puts jobs on the disk of a gateway that does not run. */
  function queueJobs(...jobIds: string[]): void {
    const core = new GatewayCore([], { dir })
    for (const jobId of jobIds) core.accept(jobId)
    core.db.close()
  }
  /** Asks the gateway until its status is as wanted. */
  async function status(httpUrl: string, wanted: (body: Status) => boolean): Promise<Status> {
    for (;;) {
      const body = (await (await fetch(`${httpUrl}/api/status`)).json()) as Status
      if (wanted(body)) return body
    }
  }
  const fingerprintAt = async (port: number) => (await servedCertificate('127.0.0.1', port)).fingerprint256
  async function runToEnd(over: Record<string, string>): Promise<{ code: number | string; out: string }> {
    const child = spawn(process.execPath, ['gateway/main.ts'], {
      cwd: ROOT,
      env: { ...compiledCode(process.execPath, 'gateways'), ...env, ...over },
    })
    let out = ''
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    const [code, signal] = await once(child, 'close')
    return { code: code ?? signal, out }
  }

  it('prints what is on its disk without a relay, in order, and shows it on its page', async () => {
    queueJobs('pj_1', 'pj_2', 'pj_3')
    const { httpUrl } = await program.start()
    await printer.waitForTickets(3)
    expect(printer.tickets.map((ticket) => /O-pj_\d/.exec(ticket.text())?.[0])).toEqual(['O-pj_1', 'O-pj_2', 'O-pj_3'])
    const body = await status(httpUrl, ({ queue }) => queue.queued === 0)
    expect(body).toMatchObject({ ready: true, link: { state: 'unpaired' }, queue: { unreported: 3 } })
    expect(body.tickets.map(({ confirmation }) => confirmation)).toEqual(Array(3).fill('confirmed'))
    expect(JSON.stringify(body)).not.toContain('Canary')
    expect((await fetch(`${httpUrl}/readyz`)).status).toBe(200)
    expect(await program.kill('SIGTERM')).toBe(0)
    expect(JSON.stringify(program.log)).not.toContain('Canary')
  })

  it('prints on after SIGKILL, and marks what was in flight', async () => {
    queueJobs('pj_1', 'pj_2')
    printer.freeze()
    const { httpUrl } = await program.start()
    await status(httpUrl, ({ tickets }) => tickets.some(({ state }) => state === 'sending'))
    await program.kill('SIGKILL')
    printer.thaw()
    await program.start()
    await printer.nextTicket((ticket) => ticket.text().includes('O-pj_2'))
    // The frozen printer may have kept the first copy in its buffer: then it is on paper too, before the marked one.
    const copies = printer.tickets.filter((ticket) => ticket.text().includes('O-pj_1')).map(isMarked)
    expect(copies.at(-1)).toBe(true)
    expect(copies.slice(1)).not.toContain(false)
    expect(printer.tickets.filter((ticket) => ticket.text().includes('O-pj_2')).map(isMarked)).toEqual([false])
  })

  it('ends by itself on SIGTERM with a printer that does not respond, and loses nothing', async () => {
    queueJobs('pj_1')
    printer.freeze()
    const { httpUrl } = await program.start()
    await status(httpUrl, ({ tickets }) => tickets.some(({ state }) => state === 'sending'))
    // The printer stays frozen until afterwards: without closing its connection the gateway would not end.
    expect(await program.kill('SIGTERM')).toBe(0)
    printer.thaw()
    await program.start()
    await printer.waitForTickets(1)
    expect(printer.tickets.some((ticket) => ticket.text().includes('O-pj_1'))).toBe(true)
  })

  it('leaves its whole database in one file when it is stopped, so that a copy of it is a backup', async () => {
    queueJobs('pj_1')
    const { httpUrl } = await program.start()
    await status(httpUrl, ({ tickets }) => tickets.some(({ state }) => state === 'printed'))
    expect(readdirSync(dir)).toContain('gateway.db-wal')
    expect(await program.kill('SIGTERM')).toBe(0)
    expect(readdirSync(dir).filter((name) => name.startsWith('gateway.db'))).toEqual(['gateway.db'])
    cpSync(join(dir, 'gateway.db'), join(dir, 'copy', 'gateway.db'))
    const core = new GatewayCore([], { dir: join(dir, 'copy') })
    expect(core.db.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(core.db.sqlite.prepare('select state from tickets').all()).toEqual([{ state: 'printed' }])
    core.db.close()
  })

  it('keeps its compiled code beside its database, for its next start', async () => {
    await program.start({ NODE_COMPILE_CACHE: '' })
    expect(await program.kill('SIGTERM')).toBe(0)
    expect(readdirSync(join(dir, 'compile-cache'), { recursive: true }).length).toBeGreaterThan(100)
  })

  it('lets no other user into its files, whatever the shell allows, and closes a database that was open to all', async () => {
    queueJobs('pj_1')
    chmodSync(join(dir, 'gateway.db'), 0o644)
    const usual = process.umask(0o022)
    await program.start()
    process.umask(usual)
    await printer.waitForTickets(1)
    const wide = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
      (name) => (statSync(join(dir, name)).mode & 0o077) !== 0,
    )
    expect(wide).toEqual([])
    expect(program.log).toContainEqual(expect.objectContaining({ msg: LOG_NARROWED, files: [join(dir, 'gateway.db')] }))
  })

  it('ends by itself on SIGTERM also when nothing reads its log', async () => {
    const child = spawn(process.execPath, ['gateway/main.ts'], { cwd: ROOT, env })
    const exited = once(child, 'exit')
    try {
      await once(child.stdout, 'data')
      child.stdout.destroy()
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('ends with 78 and names the variable when a setting, a port or the file is taken or wrong', async () => {
    await program.start()
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const address = blocker.address()
    const port = typeof address === 'object' && address ? String(address.port) : ''
    const cases: [Record<string, string>, RegExp][] = [
      [{ GATEWAY_PRINTERS: 'nonsense' }, /GATEWAY_PRINTERS must be a list/],
      [
        { GATEWAY_HTTP_PORT: port, GATEWAY_DATABASE: join(dir, 'other.db') },
        new RegExp(`port ${port} .*GATEWAY_HTTP_PORT`),
      ],
      [{}, /in use by another gateway.*GATEWAY_DATABASE/],
    ]
    for (const [over, message] of cases) {
      const { code, out } = await runToEnd(over)
      expect([code, out.trim().split('\n').at(-1)]).toEqual([78, expect.stringMatching(message)])
    }
    blocker.close()
  })

  it('answers https by one certificate through its whole life, and prints on where the port is taken', async () => {
    const port = await findFreePort([])
    const over = { GATEWAY_HTTPS_PORT: String(port) }
    const said = (words: string) =>
      expect.poll(() => program.log.map(({ msg }) => msg)).toContainEqual(expect.stringContaining(words))
    await program.start(over)
    await said('the page answers https')
    const first = await fingerprintAt(port)
    await program.kill('SIGKILL')
    program.log.length = 0
    await program.start(over)
    await said('the page answers https')
    expect(await fingerprintAt(port)).toBe(first)
    expect(statSync(join(dir, 'page-certificate.pem')).mode & 0o777).toBe(0o600)
    await program.kill('SIGKILL')

    program.log.length = 0
    const blocker = createServer().listen(port, '127.0.0.1')
    await once(blocker, 'listening')
    queueJobs('pj_1')
    await program.start(over)
    await printer.waitForTickets(1)
    await said(`the page does not answer https: port ${port} on 127.0.0.1`)
    blocker.close()
  })

  it('runs with a pairing file that is unusable, and reports it without quoting the file', async () => {
    const secret = 'canary-token-0123456789abcdef'
    writeFileSync(join(dir, 'pairing.json'), JSON.stringify({ gatewayId: 'gw_1', token: secret }))
    const { httpUrl } = await program.start()
    expect(await (await fetch(`${httpUrl}/status`)).text()).toContain('Pairing file unusable')
    expect(JSON.stringify(program.log)).not.toContain(secret)
  })
})

describe('APP', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    expect(APP).toBe(`ticketrail-gateway/${version}`)
  })
})
