// The kitchen's room over a gateway's real stores, with one display that shows everything, and a clock that the test moves.
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import { openKitchen } from '#gateway/kitchen/open-kitchen.ts'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { ActKind, ActResult, KitchenAct } from '#shared/wire/kitchen.ts'
import { GatewayCore } from './gateway-core.ts'

/** A line of an arriving order, named as its station. */
export const stationItem = (station: string, course?: number) => ({
  ...{ umsId: station, name: station, qty: 1, modifiers: [], station },
  ...(course !== undefined && { course }),
})

export class KitchenRoom {
  core = new GatewayCore()
  kitchen = this.#open()
  readonly #displayId = this.#addDisplay()
  #taps = 0

  get display(): DisplayRecord {
    const found = this.kitchen.displays.find(this.#displayId)
    if (!found) throw new Error('no display')
    return found
  }

  /** A screen signs in as the display. */
  claim(): void {
    const { displays } = this.kitchen
    const nowMs = this.core.clock.now()
    displays.claim(displays.newCode(this.#displayId, nowMs)?.code ?? '', nowMs)
  }

  /** The program ends and starts again. */
  async restart(): Promise<void> {
    await this.kitchen.stop()
    this.kitchen = this.#open()
    await this.kitchen.start()
  }

  /** As after a power cut: the file stays as it is on disk, nothing is finished. */
  async powerCut(): Promise<void> {
    await this.kitchen.stop()
    this.core = this.core.crash()
    this.kitchen = this.#open()
    await this.kitchen.start()
  }

  async stop(): Promise<void> {
    await this.kitchen.stop()
    await this.core.stop()
  }

  act(kind: ActKind, orderId = 'ord_1', over: Partial<KitchenAct> = {}): KitchenAct {
    const id = `tap-${String(++this.#taps).padStart(8, '0')}`
    return { id, kind, orderId, stations: null, atMs: this.core.clock.now(), ...over }
  }

  send(...acts: KitchenAct[]): ActResult[] {
    return this.kitchen.act(this.display, acts)
  }

  /** The page is alive, has drawn these, and somebody stood before those. */
  here(rendered: string[], noticed: string[] = []): void {
    if (!this.kitchen.presence.isFed(this.#displayId)) this.kitchen.presence.attach(this.#displayId)
    this.kitchen.present(this.display, { rendered, noticed, onShift: true })
  }

  /** A job comes, and the board has heard of it. */
  async arrive(jobId: string, over: Parameters<GatewayCore['accept']>[1] = {}): Promise<void> {
    this.core.accept(jobId, over)
    await this.core.clock.advance(0)
  }

  /** What waits to be told to the relay, and may be. */
  facts(): string[] {
    const open = this.kitchen.facts.openFacts(this.core.clock.now(), 64)
    return open.map(({ orderId, fact }) => `${orderId} ${fact}`)
  }

  #open(): Kitchen {
    const { db, queue, jobs, intake, relayTime: time, clock, log } = this.core
    const site = { gatewayId: '', merchantName: 'Bistro', timeZone: 'America/New_York' }
    return openKitchen({ db, queue, jobs, intake, time, clock, log, app: 'test', site })
  }

  #addDisplay(): string {
    const display = { name: 'Expo', stations: [], language: 'en', backupPrinterId: null }
    const added = this.kitchen.displays.add(display, this.core.clock.now())
    if (!added.ok) throw new Error(added.reason)
    return added.display.displayId
  }
}
