// The box's disk is full, or answers with errors, while orders come: they print or wait, none is lost, and once the disk is well again all are on paper and told once.
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { inDrill } from '#test/harness/drill.ts'
import { JudgedKitchen, NOTHING_WRONG } from '#test/harness/judged-kitchen.ts'
import { drillSeed } from '#test/harness/random.ts'
import { type DiskFault, FailingDisk, SmallDisk, whyNoFailingDisk, whyNoSmallDisk } from '#test/harness/small-disk.ts'

const ORDERS = inDrill(60, 20)
const EVERY_MS = 50
const SEED = drillSeed()
let kitchen: JudgedKitchen
let unwatch: () => Promise<void> = async () => {}
let disk: FailingDisk | null = null
let card: SmallDisk | null = null

const noSmallDisk = whyNoSmallDisk()
const noFailingDisk = whyNoFailingDisk()
for (const reason of [noSmallDisk, noFailingDisk])
  if (reason !== null) process.stderr.write(`test/flows/ill-disk.test.ts is skipped: ${reason}\n`)

beforeEach(() => {
  kitchen = new JudgedKitchen(SEED)
  unwatch = async () => {}
  disk = null
})
afterEach(async () => {
  await unwatch()
  await disk?.heal()
  await kitchen.stop()
  card?.remove()
  card = null
})

/** Starts the box again whenever it has ended, as systemd does. @returns ends that */
function supervise(onStart: () => Promise<void>): () => Promise<void> {
  const { site } = kitchen
  const over = Promise.withResolvers<void>()
  let isOver = false
  const watch = (async () => {
    for (;;) {
      await Promise.race([site.gateway.ended(), over.promise])
      if (isOver) return
      try {
        await site.startGateway()
        await onStart()
      } catch {
        // The disk is still ill.
        await systemClock.sleep(100)
      }
    }
  })()
  return async () => {
    isOver = true
    over.resolve()
    await watch
  }
}

describe.runIf(noSmallDisk === null)(`a box on a full disk (DRILL_SEED=${SEED})`, () => {
  beforeEach(async () => {
    card = new SmallDisk(40)
    await kitchen.start({ gatewayEnv: { GATEWAY_DATABASE: join(card.path, 'gateway.db') } })
  })

  it('loses no order while it is full, also after a restart, and prints all once there is space', async () => {
    const { site } = kitchen
    unwatch = supervise(async () => {})
    card?.fill()
    await kitchen.orders(ORDERS, EVERY_MS)
    // Its reserve too: nothing can be written any more.
    card?.fill()
    await kitchen.orders(ORDERS, EVERY_MS)
    expect(card?.free).toBe(0)
    await site.gateway.kill('SIGKILL')
    await kitchen.orders(ORDERS, EVERY_MS)
    card?.empty()
    await kitchen.untilQuiet()
    await kitchen.told(await kitchen.order())
    expect(kitchen.judge()).toEqual(NOTHING_WRONG)
  })
})

const FAULTS: DiskFault[] = inDrill<DiskFault[]>(
  ['EIO on sync', 'EIO on write', 'ENOSPC on write', 'EROFS on write', 'EIO on read'],
  ['EIO on sync'],
)

describe.runIf(noFailingDisk === null)(`a box on a failing disk (DRILL_SEED=${SEED})`, () => {
  beforeEach(() => kitchen.start())

  it.each(FAULTS)('loses no order while there is %s, and prints all once the disk is well', async (fault) => {
    const { site } = kitchen
    const files = ['', '-wal', '-journal'].map((end) => join(site.dir, `gateway/gateway.db${end}`))
    let injected = 0
    const fail = async (): Promise<void> => {
      injected += disk?.injected ?? 0
      disk = new FailingDisk(site.gateway.pid, files, fault)
      await disk.attached()
    }
    let isIll = true
    let starts = 0
    unwatch = supervise(async () => {
      starts++
      if (isIll) await fail()
    })
    await fail()
    await kitchen.orders(ORDERS, EVERY_MS)
    isIll = false
    await disk?.heal()
    injected += disk?.injected ?? 0
    await kitchen.untilQuiet()
    await kitchen.told(await kitchen.order())
    console.log(
      `${fault}: ${injected} calls failed, the box was started again ${starts} times, ${kitchen.marked} marked`,
    )
    expect(injected).toBeGreaterThan(0)
    expect(kitchen.judge()).toEqual(NOTHING_WRONG)
  })
})
