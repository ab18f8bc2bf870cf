// An older image of the box's disk comes back with tickets that have been printed since: nothing of it stands on paper again without its mark. The newest disk after a power cut prints unmarked.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { inDrill } from '#test/harness/drill.ts'
import { JudgedKitchen, NOTHING_WRONG } from '#test/harness/judged-kitchen.ts'
import { drillSeed } from '#test/harness/random.ts'

const ORDERS = 4
const AWAY_MS = 20_000
const SEED = drillSeed()
const kitchen = new JudgedKitchen(SEED)

beforeAll(() => kitchen.start())
afterAll(() => kitchen.stop())
/** Whatever a test has switched off is there again for the next one. */
afterEach(async () => {
  await kitchen.printer.listenAgain()
  const { site } = kitchen
  for (const name of ['cloud', 'gateway'] as const) await site[name].kill('SIGKILL')
  await site.startCloud()
  await site.startGateway()
})

type What = 'the database' | 'the whole data folder'
type Relay = 'there' | 'away for 20 s' | 'away until the box is done'
const CASES: [What, Relay][] = inDrill<[What, Relay][]>(
  (['the database', 'the whole data folder'] as const).flatMap((what) =>
    (['there', 'away for 20 s', 'away until the box is done'] as const).map((relay): [What, Relay] => [what, relay]),
  ),
  [
    ['the database', 'there'],
    ['the whole data folder', 'away until the box is done'],
  ],
)

describe(`an older image of the box (DRILL_SEED=${SEED})`, () => {
  it.each(CASES)('%s, with the relay %s, prints nothing twice unmarked', async (what, relay) => {
    const { site } = kitchen
    const tokens = await waiting()
    await site.gateway.kill('SIGTERM')
    copy(what, 'live', 'old')
    await kitchen.printer.listenAgain()
    await site.startGateway()
    for (const token of tokens) await kitchen.told(token)
    expect(kitchen.judge()).toEqual(NOTHING_WRONG)

    await site.gateway.kill('SIGTERM')
    if (relay !== 'there') await site.cloud.kill('SIGKILL')
    copy(what, 'old', 'live')
    await site.startGateway()
    if (relay === 'away for 20 s') {
      await systemClock.sleep(AWAY_MS)
      await site.startCloud()
    }
    await queued(0)
    if (relay === 'away until the box is done') await site.startCloud()
    // Whatever is still to come would come before this.
    await kitchen.told(await kitchen.order())
    expect(kitchen.judge()).toEqual(NOTHING_WRONG)
  })
})

describe('the newest disk of the box', () => {
  it.each(inDrill<('there' | 'away')[]>(['there', 'away'], ['away']))(
    'after a power cut, with the relay %s, prints all that waited unmarked',
    async (relay) => {
      const { site, marked } = kitchen
      const tokens = await waiting()
      await site.gateway.kill('SIGKILL')
      if (relay === 'away') await site.cloud.kill('SIGKILL')
      await kitchen.printer.listenAgain()
      await site.startGateway()
      await queued(0)
      if (relay === 'away') await site.startCloud()
      for (const token of tokens) await kitchen.told(token)
      expect(kitchen.judge()).toEqual(NOTHING_WRONG)
      expect(kitchen.marked).toBe(marked)
    },
  )
})

/** Orders that the box has and cannot print. @returns their tokens */
async function waiting(): Promise<string[]> {
  await kitchen.printer.refuse()
  // A ticket sent into a connection whose end the box has not read yet may have been printed, and would be marked for that.
  await expect.poll(printerState).toBe('offline')
  const tokens: string[] = []
  for (let n = 0; n < ORDERS; n++) tokens.push(await kitchen.order())
  await queued(ORDERS)
  return tokens
}

async function printerState(): Promise<string> {
  return (await kitchen.site.gatewayStatus()).printers[0].state
}

function queued(count: number): Promise<void> {
  return expect.poll(async () => (await kitchen.site.gatewayStatus()).queue.queued).toBe(count)
}

/** The box must not run. */
function copy(what: What, from: 'live' | 'old', to: 'live' | 'old'): void {
  const folder = { live: join(kitchen.site.dir, 'gateway'), old: join(kitchen.site.dir, 'old-image') }
  if (what === 'the whole data folder') {
    rmSync(folder[to], { recursive: true, force: true })
    cpSync(folder[from], folder[to], { recursive: true })
    return
  }
  for (const end of ['', '-wal', '-shm']) {
    rmSync(join(folder[to], `gateway.db${end}`), { force: true })
    try {
      cpSync(join(folder[from], `gateway.db${end}`), join(folder[to], `gateway.db${end}`))
    } catch (error) {
      // A box that was stopped in order has no log.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || end === '') throw error
    }
  }
}
