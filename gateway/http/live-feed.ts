// The live feed of the technician's page: while a page is open, reads the box when something may have changed, and sends every page the differences.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Cancel, type Clock, toIso } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { storedTokenFrom } from '#shared/pages/cookies.ts'
import { EventStream, eventText, oneTooMany } from '#shared/pages/event-stream.ts'
import { LiveTopics, type Topics } from '#shared/pages/live-topics.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import type { Signal } from '#shared/signal.ts'
import { SESSION_COOKIE } from './cookie-names.ts'
import { refuse } from './refusal.ts'
import type { Sessions } from './sessions.ts'

export interface LiveFeedOptions {
  clock: Clock
  log: Logger
  sessions: Sessions
  /** What pages show, as of now. It awaits `breathe` often, so that the event loop goes round meanwhile. */
  topics: (breathe: () => Promise<void>) => Promise<Topics>
  /** Each signals that `topics` may have changed. */
  changes: readonly Signal[]
  nowMs: () => number
}

interface Page {
  stream: EventStream
  token: string
}

const BEAT_MS = 5_000
/** Many commits in a burst cause one read. */
const GATHER_MS = 100
/** After a read the next one waits this many times as long as it took: open pages take a twentieth of the program's time at most. */
const PAUSES = 19
const MOST_PAGES = 32

export class LiveFeed implements Service {
  readonly #options: LiveFeedOptions
  /** Revisions count from the start of the program. */
  readonly #boot = randomBytes(6).toString('hex')
  readonly #live = new LiveTopics()
  readonly #rounds: Rounds
  readonly #pages = new Set<Page>()
  /** Pages that wait for the next read. */
  #arriving: { page: Page; lastEventId: string }[] = []
  #stops: Cancel[] = []
  #gathering: Cancel | null = null
  #pauseMs = GATHER_MS

  constructor(options: LiveFeedOptions) {
    this.#options = options
    this.#rounds = new Rounds({
      clock: options.clock,
      everyMs: null,
      pass: () => this.#look(),
      failed: (error) => options.log.error({ err: error }, 'the live feed could not read the box'),
    })
  }

  async start(): Promise<void> {
    const { clock, changes } = this.#options
    await this.#rounds.start()
    this.#stops = [
      ...changes.map((signal) => signal.subscribe(() => this.#gather())),
      clock.every(BEAT_MS, () => this.#beat()),
    ]
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop()
    this.#stopGathering()
    for (const { stream } of this.#pages) stream.close()
    await this.#rounds.stop()
  }

  routes(app: FastifyInstance): void {
    const options = { config: { openTo: 'manager' }, exposeHeadRoute: false } as const
    app.get('/api/v1/live', options, (request, reply) => this.#open(request, reply))
  }

  /** Pages whose session has ended get `bye`, and are disconnected. */
  recheck(): void {
    for (const { stream, token } of this.#pages) {
      if (this.#options.sessions.find(token)) continue
      stream.send('bye', { reason: 'signed-out' })
      stream.close()
    }
  }

  #open(request: FastifyRequest, reply: FastifyReply): void {
    const token = storedTokenFrom(request, SESSION_COOKIE)
    const oldest = oneTooMany(this.#pages, (page) => page.token === token)
    if (oldest) {
      this.#pages.delete(oldest)
      oldest.stream.cut()
    }
    if (this.#pages.size >= MOST_PAGES || token === null) {
      refuse(reply.code(503), 'busy', { message: 'Too many pages are open: close one.', retryAfterSeconds: 5 })
      return
    }
    const page: Page = { token, stream: new EventStream(reply, () => this.#left(page)) }
    this.#pages.add(page)
    const { after } = request.query as { after?: unknown }
    const sent = request.headers['last-event-id'] ?? after
    this.#arriving.push({ page, lastEventId: typeof sent === 'string' ? sent : '' })
    this.#rounds.wake()
  }

  #left(page: Page): void {
    this.#pages.delete(page)
    if (this.#pages.size === 0) this.#stopGathering()
  }

  #gather(): void {
    if (this.#pages.size === 0) return
    this.#gathering ??= this.#options.clock.after(this.#pauseMs, () => {
      this.#gathering = null
      this.#rounds.wake()
    })
  }

  #stopGathering(): void {
    this.#gathering?.()
    this.#gathering = null
  }

  #beat(): void {
    if (this.#pages.size === 0) return
    this.recheck()
    const text = eventText('beat', { time: this.#time() })
    for (const { stream } of this.#pages) stream.write(text)
    // What changes without a word, such as how long ago the relay was lost.
    this.#rounds.wake()
  }

  async #look(): Promise<void> {
    const { clock, topics } = this.#options
    let tookMs = 0
    let sinceMs = clock.monotonicMs()
    const breathe = async (): Promise<void> => {
      tookMs += clock.monotonicMs() - sinceMs
      await new Promise((resolve) => setImmediate(resolve))
      sinceMs = clock.monotonicMs()
    }
    const patch = this.#live.look(await topics(breathe))
    tookMs += clock.monotonicMs() - sinceMs
    this.#pauseMs = Math.max(GATHER_MS, PAUSES * tookMs)
    const arriving = this.#arriving.splice(0)
    if (patch) {
      const text = this.#patchText(patch)
      const waiting = new Set(arriving.map(({ page }) => page))
      for (const page of this.#pages) if (!waiting.has(page)) page.stream.write(text)
    }
    for (const { page, lastEventId } of arriving) this.#welcome(page, lastEventId)
  }

  /** What it missed, or everything. */
  #welcome({ stream }: Page, lastEventId: string): void {
    const [, boot, revision] = /^([0-9a-f]{12})-(\d{1,15})$/.exec(lastEventId) ?? []
    const missed = boot === this.#boot ? this.#live.since(Number(revision)) : null
    if (missed) {
      for (const patch of missed) stream.write(this.#patchText(patch))
      stream.send('beat', { time: this.#time() })
      return
    }
    const { revision: current, topics } = this.#live
    stream.send('hello', { revision: current, time: this.#time(), topics }, this.#idOf(current))
  }

  #patchText({ revision, changes }: { revision: number; changes: unknown }): string {
    return eventText('patch', { revision, time: this.#time(), changes }, this.#idOf(revision))
  }

  #idOf(revision: number): string {
    return `${this.#boot}-${revision}`
  }

  #time(): string {
    return toIso(this.#options.nowMs())
  }
}
