// Power failures at every commit and at every first byte of a scenario: nothing is lost, and nothing is on paper twice without a mark.
import { rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'
import { OFFLINE } from '#test/doubles/scripted-transport.ts'

interface Copy {
  ticketId: string
  text: string
}

/** Steps by half second. Actions of people may be repeated: after a power failure they try again. */
type Story = Record<number, (kitchen: Kitchen) => unknown>

const STEP_MS = 500
const MARK = 'POSSIBLE DUPLICATE'

/** A gateway whose power fails at the n-th event (a commit, or the first byte of a ticket) and returns at once. */
class Kitchen {
  core: GatewayCore
  readonly paper: Copy[] = []
  /** Printers that cannot print now. */
  readonly down = new Set<string>()
  orders = 0
  events = 0
  isDark = false
  readonly #cutAt: number

  constructor(cutAt: number, settings: Record<string, Parameters<GatewayCore['set']>[1]>) {
    this.#cutAt = cutAt
    this.core = new GatewayCore([GRILL, FRY])
    for (const [printerId, changes] of Object.entries(settings)) this.core.set(printerId, changes)
    this.#wire()
  }

  async play(story: Story, steps: number): Promise<void> {
    await this.core.queue.start()
    for (let step = 0; step < steps; step++) {
      const act = story[step]
      if (act) await this.#untilDone(() => act(this))
      for (const id of ['grill', 'fry']) this.core.transport(id).down = this.down.has(id) ? OFFLINE : null
      await this.core.pass(STEP_MS)
      if (this.isDark) await this.#lightsOn()
    }
  }

  /** The relay sends it again until it was acknowledged. */
  order(): void {
    const n = this.orders + 1
    if (this.core.identity.lastSeq() < n) this.core.accept(`pj_${n}`)
    this.orders = n
  }

  async end(): Promise<void> {
    await this.core.queue.stop()
    this.core.db.close()
    rmSync(this.core.dir, { recursive: true, force: true })
  }

  async #untilDone(act: () => unknown): Promise<void> {
    try {
      await act()
      if (!this.isDark) return
    } catch (error) {
      if (!this.isDark) throw error
    }
    await this.#lightsOn()
    await act()
  }

  async #lightsOn(): Promise<void> {
    this.isDark = false
    this.core = this.core.crash()
    this.#wire()
    await this.core.queue.start()
  }

  #wire(): void {
    const { core } = this
    const commit = core.db.transaction.bind(core.db)
    core.db.transaction = (work) => {
      const isOutermost = !core.db.sqlite.inTransaction
      const result = commit(work)
      if (isOutermost) this.#happened(core)
      return result
    }
    for (const id of ['grill', 'fry']) {
      const transport = core.transport(id)
      transport.down = this.down.has(id) ? OFFLINE : null
      const send = transport.send.bind(transport)
      transport.send = async (document, attemptId, signal) => {
        // Code that runs after the power failure has no effect.
        if (this.core !== core || this.isDark) return new Promise(() => {})
        const text = Buffer.from(document.bytes).toString('latin1')
        if (!transport.down) this.paper.push({ ticketId: attemptId.replace(/\.\d+$/, ''), text })
        if (!transport.down) this.#happened(core)
        return this.isDark ? new Promise(() => {}) : send(document, attemptId, signal)
      }
    }
  }

  #happened(core: GatewayCore): void {
    if (this.core !== core || ++this.events !== this.#cutAt) return
    this.isDark = true
    core.db.sqlite.close()
  }
}

/** Every order is on paper, and every copy after the first is marked, and so is every slip. */
function judge({ paper, orders, core }: Kitchen, slips: number): void {
  for (let n = 1; n <= orders; n++)
    expect(paper.filter(({ ticketId }) => ticketId === `pj_${n}-1`).length, `copies of order ${n}`).toBeGreaterThan(0)
  const seen = new Set<string>()
  for (const { ticketId, text } of paper) {
    if (seen.has(ticketId)) expect(text, `a further copy of ${ticketId}`).toContain(MARK)
    seen.add(ticketId)
  }
  expect([...seen].filter((ticketId) => !/^pj_\d+-1$/.test(ticketId))).toHaveLength(slips)
  for (const [ticketId, state] of Object.entries(core.states()))
    expect([ticketId, state]).toEqual([ticketId, 'printed'])
}

async function everyPowerCut(
  settings: ConstructorParameters<typeof Kitchen>[1],
  story: Story,
  steps: number,
  slips: number,
): Promise<number> {
  const whole = new Kitchen(0, settings)
  await whole.play(story, steps)
  judge(whole, slips)
  await whole.end()
  for (let cutAt = 1; cutAt <= whole.events; cutAt++) {
    const kitchen = new Kitchen(cutAt, settings)
    await kitchen.play(story, steps)
    judge(kitchen, slips)
    await kitchen.end()
  }
  return whole.events
}

describe('a power failure at any moment', () => {
  it('during a failover to the backup and the return', async () => {
    const events = await everyPowerCut(
      { grill: { backupPrinterId: 'fry', backupAfterMs: 5_000 } },
      {
        0: (kitchen) => {
          kitchen.down.add('grill')
          kitchen.order()
        },
        1: (kitchen) => kitchen.order(),
        14: (kitchen) => kitchen.order(),
        18: (kitchen) => kitchen.down.delete('grill'),
        40: (kitchen) => kitchen.order(),
      },
      60,
      1,
    )
    expect(events).toBeGreaterThan(10)
  })

  it('during parking of old tickets after a slip and their release', async () => {
    const events = await everyPowerCut(
      { grill: { staleAboveTickets: 2 } },
      {
        0: (kitchen) => {
          kitchen.down.add('grill')
          kitchen.order()
        },
        1: (kitchen) => kitchen.order(),
        2: (kitchen) => kitchen.order(),
        3: (kitchen) => kitchen.order(),
        6: (kitchen) => kitchen.down.delete('grill'),
        20: ({ core }) => core.queue.releaseAll('grill'),
      },
      40,
      1,
    )
    expect(events).toBeGreaterThan(8)
  })

  it('during a move by hand', async () => {
    const events = await everyPowerCut(
      {},
      {
        0: (kitchen) => {
          kitchen.down.add('grill')
          kitchen.order()
        },
        1: (kitchen) => kitchen.order(),
        3: ({ core }) => core.queue.moveAll('grill', 'fry'),
        8: (kitchen) => kitchen.down.delete('grill'),
        9: (kitchen) => kitchen.order(),
      },
      24,
      0,
    )
    expect(events).toBeGreaterThan(6)
  })

  it('during the release of tickets in doubt', async () => {
    const events = await everyPowerCut(
      { grill: { doubt: 'hold' } },
      {
        0: (kitchen) => kitchen.order(),
        1: ({ core }) => core.transport('grill').outcomes.push(() => core.transport('grill').uncertain()),
        2: (kitchen) => kitchen.order(),
        3: (kitchen) => kitchen.order(),
        10: ({ core }) => core.queue.releaseAll('grill'),
        16: ({ core }) => core.queue.releaseAll('grill'),
      },
      24,
      0,
    )
    expect(events).toBeGreaterThan(6)
  })
})
