// The relay's disk is full while orders come: gateways stay connected, nothing that was refused is kept, nothing that was promised is lost, and all is printed and told once when there is room.
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { systemClock } from '#shared/clock.ts'
import { inDrill, overNight } from '#test/harness/drill.ts'
import { JudgedKitchen, NOTHING_WRONG } from '#test/harness/judged-kitchen.ts'
import { drillSeed } from '#test/harness/random.ts'
import { SmallDisk, whyNoSmallDisk } from '#test/harness/small-disk.ts'

const SEED = drillSeed()
const ROUNDS = overNight(10, 4, 2)
const KILLS = overNight(30, 8, 3)
const ORDERS = 8
/** Room for what all rounds store: a relay whose own orders have filled the disk never takes another. */
const CARD_MB = inDrill(512, 64)
const WAIT = { timeout: 120_000 }
/** How a relay ends that is started on a disk without any room. */
const NO_ROOM = 'there is no room on the disk to open the database'

const noSmallDisk = whyNoSmallDisk()
if (noSmallDisk !== null) process.stderr.write(`test/flows/full-relay.test.ts is skipped: ${noSmallDisk}\n`)

describe.runIf(noSmallDisk === null)(`a relay on a full disk (DRILL_SEED=${SEED})`, () => {
  let card: SmallDisk
  let kitchen: JudgedKitchen
  beforeEach(async () => {
    card = new SmallDisk(CARD_MB)
    kitchen = new JudgedKitchen(SEED)
    await kitchen.start({ cloudEnv: { CLOUD_DATABASE: join(card.path, 'relay.db') }, keepLog: true })
  })
  afterEach(async () => {
    await kitchen.stop()
    card.remove()
  })
  const isFull = async (): Promise<boolean> => {
    const answer = await fetch(`${kitchen.site.cloudUrl}/readyz`)
    return ((await answer.json()) as { checks: { disk: boolean } }).checks.disk === false
  }
  const countOf = (words: string) => kitchen.site.cloud.log.filter(({ msg }) => msg.startsWith(words)).length

  it('keeps its gateways, logs two lines, and prints and reports all once there is space', async () => {
    const { site } = kitchen
    await kitchen.orders(ORDERS)
    // Results and events of these are under way.
    card.fill()
    const waiting = kitchen.orders(ORDERS)
    await expect.poll(isFull).toBe(true)
    const before = site.cloud.log.length
    for (let n = 0; n < 100; n++) {
      expect((await site.inject({ orderId: `refused-${n}` })).status).toBe(503)
      await systemClock.sleep(10)
    }
    expect(site.cloud.log.slice(before).filter(({ level }) => level >= 40)).toEqual([])
    expect([countOf('the disk is full'), countOf('gateway is gone')]).toEqual([1, 0])
    card.empty()
    await waiting
    await kitchen.untilQuiet()
    expect(kitchen.judge()).toEqual(NOTHING_WRONG)
    expect([countOf('the disk is full'), countOf('there is room on the disk again')]).toEqual([1, 1])
    expect(countOf('gateway is gone')).toBe(0)
  })

  it('loses and doubles nothing when it is killed while it is full, again and again', async () => {
    const { site } = kitchen
    let timesFull = 0
    for (let round = 0; round < ROUNDS; round++) {
      await kitchen.orders(ORDERS)
      card.fill()
      const waiting = kitchen.orders(ORDERS)
      if (await isFullBefore(waiting)) timesFull++
      await site.cloud.kill('SIGKILL')
      // It may have room for some: its reserve, and what its write-ahead log held. Without any it ends with 75, and systemd tries again.
      let isUp = true
      await site.startCloud().catch(({ message }: Error) => {
        isUp = false
        expect(message).toContain(NO_ROOM)
      })
      card.empty()
      if (!isUp) await site.startCloud()
      await waiting
    }
    await kitchen.untilQuiet()
    expect(timesFull).toBeGreaterThan(0)
    expect(kitchen.judge()).toEqual(NOTHING_WRONG)
    expect(site.cloud.log.filter(({ level, msg }) => level >= 60 && !msg.startsWith(NO_ROOM))).toEqual([])
  })

  /** A write-ahead log that is there already takes some orders without growing: these may all be taken before the disk counts as full. */
  async function isFullBefore(waiting: Promise<unknown>): Promise<boolean> {
    let areTaken = false
    void waiting.then(() => {
      areTaken = true
    })
    for (;;) {
      if (await isFull()) return true
      if (areTaken) return false
      await systemClock.sleep(5)
    }
  }

  it('keeps what it answered with 200 and nothing of what it answered with 503, killed at any moment, and prints exactly that', async () => {
    const { site } = kitchen
    const taken = new Set<string>()
    const refused = new Set<string>()
    const onPaper = () => new Set(kitchen.tickets.map((ticket) => /r\d+-\d+-\d+/.exec(ticket.text())?.[0]))
    const waiting = (kept: ReadonlySet<string>) => {
      const printed = onPaper()
      return [...kept].filter((id) => id.startsWith('r') && !printed.has(id))
    }
    for (let round = 0; round < KILLS; round++) {
      let isOver = false
      const client = async (name: number): Promise<void> => {
        for (let i = 0; !isOver; i++) {
          const id = `r${round}-${name}-${i}`
          // Without an answer nothing was promised.
          const answer = await site.inject({ orderId: id }).catch(() => null)
          if (answer?.status === 503 && answer.body.order === undefined) refused.add(id)
          else if (answer !== null) taken.add(id)
        }
      }
      const until = async (count: number, set: Set<string>): Promise<void> => {
        const goal = set.size + count
        while (set.size < goal) await systemClock.sleep(1)
      }
      const clients = Promise.all(Array.from({ length: 6 }, (_, name) => client(name)))
      await until(1 + Math.trunc(kitchen.random() * 20), taken)
      card.fill()
      await until(1 + Math.trunc(kitchen.random() * 60), refused)
      // Half of the time it dies full, half while it takes orders again.
      if (kitchen.random() < 0.5) {
        card.empty()
        await until(1 + Math.trunc(kitchen.random() * 20), taken)
      }
      await site.cloud.kill('SIGKILL')
      isOver = true
      await clients
      card.empty()
      const kept = await keptOrders()
      expect([...taken].filter((id) => !kept.has(id))).toEqual([])
      expect([...refused].filter((id) => kept.has(id))).toEqual([])
      await site.startCloud()
      // Some wait for paper when the next round begins, and not more with each round.
      await expect.poll(() => waiting(kept).length, WAIT).toBeLessThan(30)
    }
    await expect.poll(async () => waiting(await keptOrders()), WAIT).toEqual([])
    const printed = onPaper()
    expect([...refused].filter((id) => printed.has(id))).toEqual([])
    expect(site.cloud.log.filter(({ level }) => level >= 60)).toEqual([])
  })

  async function keptOrders(): Promise<Set<string>> {
    const db = await SqliteDatabase.open(join(card.path, 'relay.db'), (error) => expect.unreachable(String(error)))
    const rows = await db.read.selectFrom('orders').select('client_order_id').execute()
    await db.close()
    return new Set(rows.map((row) => row.client_order_id))
  }
})
