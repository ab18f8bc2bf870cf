// After an update that must be undone, the release before opens the newer database and goes on with its queue; and the update can come again.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { Program } from '#test/harness/program.ts'
import { ROOT } from './release.ts'

/** Release 0.1.0. */
const RELEASED = '2298df9'

describe('a database that a newer gateway has migrated', () => {
  let dir: string
  let printer: VirtualPrinter
  let programs: Program[]
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'way-back-'))
    const old = join(dir, 'released')
    mkdirSync(old)
    const archive = execFileSync('git', ['-C', ROOT, 'archive', RELEASED, 'gateway', 'shared', 'package.json'], {
      maxBuffer: 256 * 1024 * 1024,
    })
    execFileSync('tar', ['-x', '-C', old], { input: archive })
    symlinkSync(join(ROOT, 'node_modules'), join(old, 'node_modules'))
    printer = new VirtualPrinter()
    const { port } = await printer.start()
    const env = {
      GATEWAY_DATABASE: join(dir, 'gateway.db'),
      GATEWAY_PAIRING_FILE: join(dir, 'pairing.json'),
      GATEWAY_PRINTERS: `Grill=127.0.0.1:${port}/epson-thermal-203@grill`,
      GATEWAY_HTTP_PORT: '0',
    }
    programs = [join(old, 'gateway/main.ts'), 'gateway/main.ts'].map((entry) => new Program(entry, env, true))
  })
  afterEach(async () => {
    for (const program of programs) await program.kill('SIGKILL')
    await printer.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  function queue(jobId: string): void {
    const core = new GatewayCore([], { dir })
    core.accept(jobId)
    core.db.close()
  }
  const paper = (): string => printer.tickets.map((ticket) => ticket.text()).join('\n')

  it('prints under the previous release, whose own orders print under the newer one, each once and unmarked', async () => {
    const [released, newer] = programs
    queue('taken-by-newer')
    await released?.start()
    await expect.poll(() => printer.tickets.length).toBe(1)
    await released?.kill('SIGTERM')
    queue('taken-after')
    await newer?.start()
    await expect.poll(() => printer.tickets.length).toBe(2)
    await newer?.kill('SIGTERM')
    expect(paper()).toContain('O-taken-by-newer')
    expect(paper()).toContain('O-taken-after')
    expect(paper()).not.toContain('POSSIBLE DUPLICATE')
  })
})
