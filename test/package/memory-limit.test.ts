// The memory that the service may use, held by the kernel: a rush with pictures stays below it, and the box says when little is left.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { Site } from '#test/harness/site.ts'
import { type Arch, commandOf, ROOT, runLine } from './release.ts'

const ORDERS = 60

interface Limit {
  folder: string
  /** Names of its files differ between the two generations. */
  limitFile: string
  killsFile: string
}

/** A control group of its own; null: none can be made here. */
function makeGroup(): Limit | null {
  const [root, limitFile, killsFile] = existsSync('/sys/fs/cgroup/memory/memory.limit_in_bytes')
    ? ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes', 'memory.oom_control']
    : ['/sys/fs/cgroup', 'memory.max', 'memory.events']
  const folder = join(root, `ticketrail-test-${process.pid}`)
  try {
    if (root === '/sys/fs/cgroup') writeFileSync(join(root, 'cgroup.subtree_control'), '+memory')
    mkdirSync(folder)
    return { folder, limitFile, killsFile }
  } catch {
    return null
  }
}

const group = makeGroup()
if (group === null) process.stderr.write('test/package/memory-limit.test.ts is skipped: no control group can be made\n')
else rmdirSync(group.folder)

describe.runIf(group !== null)('a box whose memory is limited', () => {
  let printer: VirtualPrinter
  let site: Site
  let limit: Limit
  beforeEach(async () => {
    limit = makeGroup() as Limit
    printer = new VirtualPrinter()
    const { port } = await printer.start()
    const enter = `echo $$ >${limit.folder}/cgroup.procs && exec "$@"`
    site = new Site({
      printers: `Grill=127.0.0.1:${port}/epson-thermal-203@grill`,
      gatewayProgram: ['/bin/sh', '-c', enter, 'sh', ...commandOf(process.arch as Arch)],
      gatewayEnv: { MALLOC_ARENA_MAX: '2' },
    })
  })
  afterEach(async () => {
    await site.stop()
    await printer.stop()
    await expect.poll(() => readFileSync(join(limit.folder, 'cgroup.procs'), 'utf8')).toBe('')
    rmdirSync(limit.folder)
  })
  const allow = (bytes: number) => writeFileSync(join(limit.folder, limit.limitFile), String(bytes))
  const kills = (): number =>
    Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(limit.folder, limit.killsFile), 'utf8'))?.[1])
  const memoryCheck = (): { result: string; text: string } => {
    const { out } = runLine(process.arch as Arch, ['doctor', '--json'], {
      GATEWAY_DATABASE: join(site.dir, 'gateway/gateway.db'),
    })
    return JSON.parse(out).find(({ name }: { name: string }) => name === 'memory')
  }

  it('prints a rush with pictures within what the unit allows, and is not near the limit', async () => {
    const unit = readFileSync(join(ROOT, 'systemd/ticketrail-gateway.service'), 'utf8')
    const megabytes = Number(/^MemoryHigh=(\d+)M$/m.exec(unit)?.[1])
    allow(megabytes * 1024 * 1024)
    await site.start()
    for (let n = 0; n < ORDERS; n++) await site.injectSurely({ orderId: `rush-${n}`, note: `宫保鸡丁 كباب ${n}` })
    await expect.poll(() => printer.tickets.length, { timeout: 120_000 }).toBe(ORDERS)
    expect(kills()).toBe(0)
    expect(memoryCheck()).toMatchObject({ result: 'pass' })
  })

  it('reports when its memory is nearly used up, and keeps printing', async () => {
    allow(110 * 1024 * 1024)
    await site.start()
    await site.injectSurely({ orderId: 'tight' })
    await expect.poll(() => printer.tickets.length).toBe(1)
    expect(memoryCheck()).toMatchObject({ result: 'warn', text: expect.stringContaining('nearly all of its memory') })
  })
})
