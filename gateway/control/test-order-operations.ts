// The test order: made by a click, then how far it has come on paper and on the screens, the numbers that people read, and the verdict.
import { isDiskFull } from '#gateway/storage/database.ts'
import type { RecentTicket, TestOrderHistory } from '#gateway/storage/history-store.ts'
import { toIso } from '#shared/clock.ts'
import { fold } from '#shared/tickets/route.ts'
import type { PrinterAnswer, TestOrderAnswer } from './answers.ts'
import type { CheckAnswer } from './check-answers.ts'
import { type CheckPrinter, type CheckTicket, checkVerdict } from './check-verdict.ts'
import type { ControlContext, OrderStanding } from './context.ts'
import type { ControlHandlers } from './control.ts'
import { ControlRefusal } from './control-refusal.ts'
import type { FindingAnswer } from './health-answers.ts'
import { iso, ticketOf } from './job-operations.ts'
import { requirePrinter } from './printer-view.ts'
import { factsOf } from './setup-operations.ts'
import { readStations } from './station-operations.ts'
import { TestOrderProofs } from './test-order-proofs.ts'

type Operations = Pick<ControlHandlers, 'orders.test' | 'orders.progress' | 'orders.number'>
type Sources = Pick<ControlHandlers, 'printers.list' | 'displays.list' | 'health.list'>

export function testOrderOperations(context: ControlContext, handlers: Sources): Operations {
  const proofs = new TestOrderProofs()
  const desk = new TestOrderDesk(context, handlers, proofs)
  return {
    'orders.test': async () => await desk.progressOf(await desk.place()),
    'orders.progress': ({ printJobId }) => desk.progressOf(printJobId),
    'orders.number': ({ printJobId, printer, number }) => desk.type(printJobId, printer, number),
  }
}

class TestOrderDesk {
  readonly #context: ControlContext
  readonly #handlers: Sources
  readonly #proofs: TestOrderProofs

  constructor(context: ControlContext, handlers: Sources, proofs: TestOrderProofs) {
    this.#context = context
    this.#handlers = handlers
    this.#proofs = proofs
  }

  /** One line for each station, and a test ticket for each printer that gets none of them. @returns the id of its job */
  async place(): Promise<string> {
    const { stations } = await readStations(this.#context)
    const { lines, more } = TestOrderProofs.lines(stations.map(({ name }) => name))
    const jobId = placed(() => this.#context.testOrders.place(lines))
    const reached = new Set(this.#order(jobId).tickets.map(({ printerId }) => printerId))
    const own = new Map<string, { ticketId: string; number: string }>()
    for (const { printerId, state, settings } of await this.#handlers['printers.list']({})) {
      // The paper of a test is not wanted when its printer is switched on an hour later.
      if (reached.has(printerId) || state === 'offline' || settings.paused) continue
      const number = more()
      own.set(printerId, { ticketId: placed(() => this.#printNumber(printerId, number)), number })
    }
    this.#proofs.keep(jobId, { lines, own })
    return jobId
  }

  async progressOf(jobId: string): Promise<TestOrderAnswer> {
    const { kitchen } = this.#context
    const order = this.#order(jobId)
    const { number, receivedAtMs, serviceOrderId, tickets } = order
    // The screens let it go after a while.
    const standing = await kitchen.standingOf(serviceOrderId)
    return {
      printJobId: jobId,
      number,
      receivedAt: toIso(receivedAtMs),
      tickets: tickets.map((ticket) => {
        const isPrinted = ticket.state === 'printed' && ticket.settledAtMs !== null
        return { ...ticketOf(ticket), printedAfterMs: isPrinted ? (ticket.settledAtMs ?? 0) - receivedAtMs : null }
      }),
      displays: standing?.displays ?? [],
      readyAt: iso(standing?.readyAtMs ?? null),
      pickedUpAt: iso(standing?.pickedUpAtMs ?? null),
      canTypeNumbers: this.#proofs.of(jobId) !== null,
      check: await this.#check(jobId, order, standing),
    }
  }

  /** A person read a number at a printer: its own one proves it, another one shows which printer's paper is there. */
  async type(jobId: string, printer: string, number: string): Promise<TestOrderAnswer> {
    const order = this.#order(jobId)
    const proof = this.#proofs.of(jobId)
    if (!proof)
      throw new ControlRefusal('refused', 'The numbers of this test are no longer known: send another one.', {
        said: { key: 'test-order.numbers-gone' },
      })
    const { printerId } = requirePrinter(this.#context, printer)
    const numbers = this.#numbersByPrinter(jobId, order)
    const others = [...numbers].filter(([id, its]) => id !== printerId && its.includes(number))
    // Of a line that came out at several printers: the one that had least else on its paper.
    const [other] = others.sort(([, a], [, b]) => a.length - b.length)
    const isOwn = numbers.get(printerId)?.includes(number) === true
    if (!isOwn && other === undefined)
      throw new ControlRefusal('refused', 'This number is on no paper of this test. Check it again.', {
        said: { key: 'test-order.unknown-number' },
      })
    proof.typed.set(printerId, isOwn || other === undefined ? printerId : other[0])
    const testedAtMs = this.#context.time.now()
    if (isOwn) this.#context.queue.updatePrinter(printerId, { settings: { testedAtMs } })
    return await this.progressOf(jobId)
  }

  #order(jobId: string): TestOrderHistory {
    const order = this.#context.history.testOrder(jobId)
    if (order) return order
    throw new ControlRefusal('not-found', `There is no test order ${jobId}, or it is too old: send another one.`, {
      said: { key: 'test-order.numbers-gone' },
    })
  }

  #printNumber(printerId: string, code: string): string {
    const { queue, time, site } = this.#context
    const printer = requirePrinter(this.#context, printerId)
    const common = { queuedAtMs: time.now(), timeZone: site.timeZone }
    return queue.printLocal(printerId, { kind: 'test', ...common, code, facts: factsOf(printer) })
  }

  async #check(jobId: string, order: TestOrderHistory, standing: OrderStanding | null): Promise<CheckAnswer> {
    const { box, history, displays, screens } = this.#context
    const proof = this.#proofs.of(jobId)
    for (const { displayId, isSeen } of standing?.displays ?? []) if (isSeen) proof?.seen.add(displayId)
    const others = displays.all().filter(({ kind }) => kind !== 'kitchen')
    const drawn = others.filter(({ displayId }) => (screens.boardAtMs(displayId) ?? 0) >= order.receivedAtMs)
    for (const { displayId } of drawn) proof?.seen.add(displayId)
    const isSeenNow = (id: string): boolean =>
      proof?.seen.has(id) === true ||
      drawn.some(({ displayId }) => displayId === id) ||
      standing?.displays.some(({ displayId, isSeen }) => isSeen && displayId === id) === true
    const own = [...(proof?.own.values() ?? [])].flatMap(({ ticketId }) => history.ticket(ticketId)?.ticket ?? [])
    const { done, leftOut } = box.guide()
    const { findings } = await this.#handlers['health.list']({})
    return checkVerdict({
      stations: await readStations(this.#context),
      printers: (await this.#handlers['printers.list']({})).map((printer) => this.#checkPrinter(printer)),
      screens: (await this.#handlers['displays.list']({})).map(({ displayId, signedInAt, isAlive }) => ({
        ...{ displayId, isAlive, isSignedIn: signedInAt !== null, isSeen: isSeenNow(displayId) },
      })),
      others,
      tickets: [
        // Receipts and labels are about their printer, not about a station. Without a printer there is no paper to come.
        ...order.tickets
          .filter(({ printerId }) => printerId !== '')
          .map((ticket) => checkTicket(ticket, ticket.paper === 'kitchen' ? this.#stationsOn(ticket.ticketId) : [])),
        ...own.map((ticket) => checkTicket(ticket, [])),
      ],
      typed: proof?.typed ?? new Map(),
      leftOut,
      findings: findings.filter((finding) => this.#counts(finding, done)),
    })
  }

  /** Not what a person has gone on without, nor the samples of characters on a test ticket. */
  #counts({ key, subject }: FindingAnswer, passed: readonly string[]): boolean {
    if (key === 'not-paired') return !passed.includes('pairing')
    return subject.kind !== 'ticket' || this.#context.history.ticket(subject.id)?.ticket.kind !== 'test'
  }

  #checkPrinter({ printerId, name, state, reasons, settings }: PrinterAnswer): CheckPrinter {
    const writes = this.#context.printers.writes.of(printerId)
    // A number that was read before it got its name or its address does not show where the printer with this name is.
    const changedAtMs = Math.max(0, ...(['name', 'address'] as const).map((field) => writes.get(field)?.atMs ?? 0))
    const isIdentified = settings.testedAtMs !== null && settings.testedAtMs >= changedAtMs
    return { printerId, name, state, reasons, isPaused: settings.paused, isIdentified }
  }

  /** In lower case. */
  #stationsOn(ticketId: string): string[] {
    const { doc, part } = this.#context.contents.find(ticketId)?.content ?? {}
    if (!part || !doc || !('order' in doc)) return []
    return part.items.flatMap((index) => {
      const item = doc.order.items[index]
      return item ? [fold(item.station ?? '')] : []
    })
  }

  #numbersByPrinter(jobId: string, { tickets }: TestOrderHistory): Map<string, string[]> {
    const proof = this.#proofs.of(jobId)
    const numbers = new Map([...(proof?.own ?? [])].map(([printerId, { number }]) => [printerId, [number]]))
    for (const { printerId, ticketId } of tickets) {
      const on = this.#stationsOn(ticketId)
      const its = proof?.lines.filter(({ station }) => on.includes(fold(station ?? ''))) ?? []
      numbers.set(printerId, [...(numbers.get(printerId) ?? []), ...its.map(({ number }) => number)])
    }
    return numbers
  }
}

/** @throws ControlRefusal in words when the disk is full */
function placed(place: () => string): string {
  try {
    return place()
  } catch (error) {
    if (!isDiskFull(error)) throw error
    throw new ControlRefusal('refused', 'The disk of the box is full: repairs say what to do. Then try again.', {
      said: { key: 'box.disk-full' },
    })
  }
}

function checkTicket(ticket: RecentTicket, stations: readonly string[]): CheckTicket {
  const { printerId, movedFrom, state, reason, confirmation } = ticket
  return {
    printerId,
    meantFor: movedFrom ?? printerId,
    state,
    reason,
    isConfirmed: confirmation === 'confirmed',
    stations,
  }
}
