// A printer's connection that does what the test says: for the rules of the queue, where sockets would only add noise.
import type { Stranger } from '#gateway/printers/identity-guard.ts'
import type {
  PreparePurpose,
  PrintDocument,
  PrinterHealth,
  PrinterTransport,
  Readiness,
  SendOutcome,
} from '#gateway/printers/transport.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { Signal } from '#shared/signal.ts'
import type { ManualClock } from './manual-clock.ts'

type Script = (signal: AbortSignal) => SendOutcome | Promise<SendOutcome>

export class ScriptedTransport implements PrinterTransport {
  /** What each call of `send` brought, in order. */
  readonly sent: { text: string; attemptId: string }[] = []
  readonly events = new Signal<'send' | 'prepare'>()
  /** Outcomes of the next sends; when empty, the ticket is printed and confirmed. */
  readonly outcomes: Script[] = []
  /** Answers of the next `prepare` calls; when empty, the printer is ready. */
  readonly readiness: Readiness[] = []
  /** Not null: it cannot print, however often it is asked, until the test says otherwise. */
  down: Exclude<Readiness, { kind: 'ready' }> | null = null
  /** Another device at its address. */
  stranger: Stranger | null = null
  /** For what each call of `prepare` asked. */
  readonly preparedFor: string[] = []
  closed = false
  health: PrinterHealth = { state: 'unknown', reasons: ['none'], hint: '', sinceMs: 0 }
  readonly #clock: ManualClock
  readonly #healthListeners: ((health: PrinterHealth) => void)[] = []
  #capabilityListener: (capability: PrinterCapability) => void = () => {}

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  get prepared(): number {
    return this.preparedFor.length
  }

  async prepare(_signal: AbortSignal, purpose: PreparePurpose = 'state'): Promise<Readiness> {
    this.preparedFor.push(purpose)
    this.events.notify('prepare')
    const readiness = this.readiness.shift() ?? this.down ?? ({ kind: 'ready' } as const)
    this.show(readiness.kind === 'ready' ? 'online' : 'offline')
    return readiness
  }

  async send(document: PrintDocument, attemptId: string, signal: AbortSignal): Promise<SendOutcome> {
    if (this.down) {
      this.show('offline')
      return { kind: 'not-sent', readiness: this.down }
    }
    this.sent.push({ text: Buffer.from(document.bytes).toString('latin1'), attemptId })
    this.events.notify('send')
    return (this.outcomes.shift() ?? (() => this.printed()))(signal)
  }

  /** Whether `discard` succeeds. */
  discards = false
  discarded = 0

  async discard(): Promise<boolean> {
    this.discarded++
    return this.discards
  }

  printed(): SendOutcome {
    const now = this.#clock.now()
    const times = { connectedAtMs: now, firstByteAtMs: now, lastByteAtMs: now, printedAtMs: now }
    return { kind: 'printed', confirmation: 'confirmed', method: 'gs-paren-h', ...times }
  }

  offline(): SendOutcome {
    return { kind: 'not-sent', readiness: OFFLINE }
  }

  uncertain(answering = true): SendOutcome {
    const firstByteAtMs = this.#clock.now()
    return { kind: 'uncertain', reason: 'timed-out', detail: '', firstByteAtMs, bytesWritten: 100, answering }
  }

  show(state: PrinterHealth['state']): void {
    if (this.health.state === state) return
    this.health = { state, reasons: [state === 'online' ? 'none' : 'offline'], hint: '', sinceMs: this.#clock.now() }
    for (const listener of this.#healthListeners) listener(this.health)
  }

  learn(capability: PrinterCapability): void {
    this.#capabilityListener(capability)
  }

  /** Resolves once `n` sends were made in all. */
  async sends(n: number): Promise<void> {
    while (this.sent.length < n) await this.events.next((event) => event === 'send')
  }

  onHealth(listener: (health: PrinterHealth) => void): void {
    this.#healthListeners.push(listener)
  }

  onCapability(listener: (capability: PrinterCapability) => void): void {
    this.#capabilityListener = listener
  }

  async close(): Promise<void> {
    this.closed = true
  }
}

export const OFFLINE: Exclude<Readiness, { kind: 'ready' }> = { kind: 'offline', reason: 'offline', detail: 'refused' }
