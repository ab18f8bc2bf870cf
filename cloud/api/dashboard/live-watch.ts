// Watches one merchant for one account: all its feeds share each read, and get the differences since the last one.
import { randomBytes } from 'node:crypto'
import type { LiveTopic } from '#cloud/control/live-answers.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { type EventStream, eventText } from '#shared/pages/event-stream.ts'
import { LiveTopics, type TopicPatch, type Topics } from '#shared/pages/live-topics.ts'

/** The state of a feed in a watch. */
export interface WatchingFeed {
  stream: Pick<EventStream, 'write'>
  /** What the person may see, always in the same order. */
  topics: readonly LiveTopic[]
}

export class LiveWatch<F extends WatchingFeed> {
  readonly feeds = new Set<F>()
  /** When the last read ended, by the monotonic clock, and how long it took. */
  lastLook = { endedMs: 0, tookMs: 0 }
  readonly #clock: Pick<Clock, 'now' | 'monotonicMs'>
  readonly #lookNow: () => Promise<Topics>
  /** Revisions count from the first feed on. */
  readonly #boot = randomBytes(6).toString('hex')
  readonly #live = new LiveTopics()
  /** Feeds that wait for the next read. */
  #arriving: { feed: F; lastEventId: string }[] = []

  /** @param lookNow what is true of the merchant now, by topic and key */
  constructor(clock: Pick<Clock, 'now' | 'monotonicMs'>, lookNow: () => Promise<Topics>) {
    this.#clock = clock
    this.#lookNow = lookNow
  }

  /** It gets its first event with the next read. @param lastEventId the page's last event; empty: none */
  add(feed: F, lastEventId: string): void {
    this.feeds.add(feed)
    this.#arriving.push({ feed, lastEventId })
  }

  /** Reads once, and sends every feed the differences. */
  async look(): Promise<void> {
    const beganMs = this.#clock.monotonicMs()
    const patch = this.#live.look(await this.#lookNow())
    const arriving = this.#arriving.splice(0)
    if (patch) {
      const waiting = new Set(arriving.map(({ feed }) => feed))
      this.#tell(
        patch,
        [...this.feeds].filter((feed) => !waiting.has(feed)),
      )
    }
    for (const { feed, lastEventId } of arriving) if (this.feeds.has(feed)) this.#welcome(feed, lastEventId)
    const endedMs = this.#clock.monotonicMs()
    this.lastLook = { endedMs, tookMs: endedMs - beganMs }
  }

  /** The text of a patch is made once for all feeds with the same topics. */
  #tell(patch: TopicPatch, feeds: readonly F[]): void {
    const texts = new Map<string, string>()
    for (const { stream, topics } of feeds) {
      const sees = topics.join()
      const text = texts.get(sees) ?? this.#patchText(patch, topics)
      texts.set(sees, text)
      if (text !== '') stream.write(text)
    }
  }

  /** What it missed, or everything. */
  #welcome({ stream, topics }: F, lastEventId: string): void {
    const [, boot, revision] = /^([0-9a-f]{12})-(\d{1,15})$/.exec(lastEventId) ?? []
    const missed = boot === this.#boot ? this.#live.since(Number(revision)) : null
    if (missed === null) {
      const { revision: current, topics: all } = this.#live
      const seen = Object.fromEntries(topics.map((topic) => [topic, all[topic] ?? {}]))
      stream.write(eventText('hello', { revision: current, time: this.#time(), topics: seen }, this.#idOf(current)))
      return
    }
    for (const patch of missed) {
      const text = this.#patchText(patch, topics)
      if (text !== '') stream.write(text)
    }
    stream.write(eventText('beat', { time: this.#time() }))
  }

  /** Empty when nothing of it may be seen. */
  #patchText({ revision, changes }: TopicPatch, topics: readonly LiveTopic[]): string {
    const seen = changes.filter(({ topic }) => topics.some((one) => one === topic))
    if (seen.length === 0) return ''
    return eventText('patch', { revision, time: this.#time(), changes: seen }, this.#idOf(revision))
  }

  #idOf(revision: number): string {
    return `${this.#boot}-${revision}`
  }

  #time(): string {
    return toIso(this.#clock.now())
  }
}
