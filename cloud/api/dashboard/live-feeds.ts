// The live feeds of the dashboard: who may open one, how many, and when one ends. Their contents come from the watches (live-watch.ts).
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '#cloud/api/app.ts'
import { authorize } from '#cloud/auth/authorize.ts'
import { checkedInput } from '#cloud/control/checked-input.ts'
import type { ControlContext } from '#cloud/control/context.ts'
import { ControlRefusal } from '#cloud/control/control-refusal.ts'
import { seesCustomers } from '#cloud/control/customer-mask.ts'
import { idField } from '#cloud/control/input-fields.ts'
import type { LiveTopic } from '#cloud/control/live-answers.ts'
import { LiveLook } from '#cloud/control/live-look.ts'
import { liveTopicsFor } from '#cloud/control/live-rights.ts'
import type { People } from '#cloud/people/people.ts'
import { findSignedIn, type SignedIn } from '#cloud/people/signed-in.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { type Cancel, type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { AccountId, MerchantKey, UserId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { storedTokenFrom } from '#shared/pages/cookies.ts'
import { EventStream, eventText } from '#shared/pages/event-stream.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import { merchantIdField } from '#shared/wire/api/fields.ts'
import { SESSION_COOKIE } from './browser.ts'
import { LiveWatch } from './live-watch.ts'
import { personOf } from './page-guard.ts'
import { PAGE_API, PageRefusal } from './page-refusal.ts'
import { placeOf } from './place.ts'

export interface LiveFeedDeps {
  control: ControlContext
  people: Pick<People, 'membership'>
  clock: Clock
  log: Logger
  /** Feeds at once; default: 1,000. */
  most?: number
  /** Streams of listeners that are open: they take places of the same. */
  otherFeeds?: () => number
}

interface Feed {
  stream: EventStream
  topics: readonly LiveTopic[]
  userId: UserId
  /** The session's token as it is kept. */
  kept: string
  accountId: AccountId
  /** The account had no live keys when the feed was opened. */
  isOfSandbox: boolean
  merchant: MerchantRecord
  /** Customers are hidden. */
  isMasked: boolean
  /** The tab that it belongs to; null: not sent. */
  tab: string | null
}

type Watch = LiveWatch<Feed>

/** The server cuts a connection on which nothing moves for 30 s, and the page calls it silent after 12. */
const BEAT_MS = 5_000
/** Many commits in a burst cause one read. */
const GATHER_MS = 250
/** Under load reads take a small part of the relay's time: the next waits this many times as long as the last one took. */
const REST_TIMES = 50
const LONGEST_REST_MS = 2_000
const MOST_OF_A_PERSON = 8
const MOST_OF_AN_ACCOUNT = 64
/** Of 4,096 connections that the server takes. */
const MOST = 1_000
/** Anybody can sign up: accounts with only the sandbox leave at least half for restaurants that take orders. */
const SANDBOX_PART = 0.5
const AGAIN_SECONDS = 5

const query = z.object({
  account: idField('acc', 'an account'),
  merchant: merchantIdField,
  environment: z.enum(['sandbox', 'live']).optional(),
  /** Made by the page for each tab: a new feed of a tab replaces its old one, whose connection may only look open. */
  tab: z.string().min(1).max(64).optional(),
  /** Id of the last event that came: what EventSource sends itself only when it connects again by itself. */
  after: z.string().max(64).optional(),
})

export class LiveFeeds implements Service {
  readonly #deps: LiveFeedDeps
  readonly #feeds = new Set<Feed>()
  /** By account and merchant, apart for those who see no customers. */
  readonly #watches = new Map<string, Watch>()
  readonly #byMerchant = new Map<MerchantKey, Set<Watch>>()
  /** They are read with the next pass. */
  readonly #due = new Set<Watch>()
  readonly #looks: Rounds
  readonly #checks: Rounds
  #stops: Cancel[] = []
  readonly #gathering = new Map<Watch, Cancel>()

  constructor(deps: LiveFeedDeps) {
    this.#deps = deps
    const failed = (error: unknown): void =>
      deps.log.error({ err: error }, 'the live feeds could not read the database')
    this.#looks = new Rounds({ clock: deps.clock, everyMs: null, pass: () => this.#look(), failed })
    this.#checks = new Rounds({ clock: deps.clock, everyMs: null, pass: () => this.#check(), failed })
  }

  /** How many are open. */
  get size(): number {
    return this.#feeds.size
  }

  async start(): Promise<void> {
    const { clock, control } = this.#deps
    await Promise.all([this.#looks.start(), this.#checks.start()])
    this.#stops = [
      control.orders.changed.subscribe((merchantKey) => this.#gather(merchantKey)),
      control.calls.changed.subscribe((merchantKey) => this.#gather(merchantKey)),
      clock.every(BEAT_MS, () => this.#beat()),
    ]
  }

  /** Ends every feed after what was sent. Before the server is closed, which waits for whatever runs. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop()
    for (const cancel of this.#gathering.values()) cancel()
    this.#gathering.clear()
    for (const { stream } of [...this.#feeds]) stream.close()
    await Promise.all([this.#looks.stop(), this.#checks.stop()])
  }

  routes(app: App): void {
    app.route({
      method: 'GET',
      url: `${PAGE_API}live`,
      config: { access: 'person', isFeed: true },
      handler: async (request, reply) => {
        await this.#open(request, reply)
        return reply
      },
    })
  }

  /** A session or membership may have ended: such feeds get `bye`, and are disconnected. The beat checks, too. */
  recheck(): void {
    if (this.#feeds.size > 0) this.#checks.wake()
  }

  async #open(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { control } = this.#deps
    const person = personOf(request)
    const { account, merchant: merchantId, environment, tab = null, after = '' } = checkedInput(query, request.query)
    const allowed = await this.#allowed(person, { accountId: account, merchantId, wanted: environment })
    if (allowed === null) throw new ControlRefusal('forbidden', NOT_A_MEMBER, { said: { key: 'right.member' } })
    const isOfSandbox = (await control.accounts.find(account))?.live_approved_at == null
    // Disconnected meanwhile: its end would not be noticed.
    if (reply.raw.destroyed) return void reply.hijack()
    const kept = request.browser === null ? null : storedTokenFrom(request.browser, SESSION_COOKIE)
    if (kept === null || !this.#looks.started) throw new ServiceError('service.unavailable')
    this.#makeRoom({ userId: person.userId, accountId: account, isOfSandbox, tab })
    const { merchant, topics, isMasked } = allowed
    const stream = new EventStream(reply, () => this.#left(feed, watch))
    const of = { userId: person.userId, kept, accountId: account, isOfSandbox, merchant, isMasked, tab }
    const feed: Feed = { stream, topics, ...of }
    const watch = this.#watchOf(control, feed)
    this.#feeds.add(feed)
    const sent = request.headers['last-event-id'] ?? after
    watch.add(feed, String(sent))
    this.#due.add(watch)
    this.#looks.wake()
  }

  /** The topics of this merchant that a person may see now; null: they are no member of the account. @throws ServiceError merchant.* */
  async #allowed(
    person: SignedIn,
    {
      accountId,
      merchantId,
      wanted,
    }: { accountId: AccountId; merchantId: string; wanted: 'sandbox' | 'live' | undefined },
  ): Promise<{ merchant: MerchantRecord; topics: LiveTopic[]; isMasked: boolean } | null> {
    const { control, people } = this.#deps
    const { role, isViewing } = await placeOf(accountId, person, { people, clock: control.clock })
    if (role === null && !isViewing) return null
    const environment = wanted ?? (merchantId.startsWith('M-TEST-') ? 'sandbox' : 'live')
    const merchant = await authorize(control, { accountId, environment, wanted: null }, merchantId)
    const isOwn = merchant.ownerAccountId === merchant.accountId
    const grant = isOwn ? null : await control.grants.find(control.db.read, { accountId, merchantKey: merchant.key })
    const topics = liveTopicsFor(role, { environment, scopes: grant?.scopes ?? null })
    const sees = environment === 'sandbox' || (await seesCustomers(control, { by: 'person', role, accountId }))
    return { merchant, topics, isMasked: !sees }
  }

  /** @throws PageRefusal busy */
  #makeRoom({ userId, accountId, isOfSandbox, tab }: Pick<Feed, 'userId' | 'accountId' | 'isOfSandbox' | 'tab'>): void {
    const { most = MOST, otherFeeds = () => 0 } = this.#deps
    const ofPerson = [...this.#feeds].filter((feed) => feed.userId === userId)
    const before = tab === null ? undefined : ofPerson.find((feed) => feed.tab === tab)
    before?.stream.cut()
    if (before) this.#feeds.delete(before)
    const limits = [
      [ofPerson.length - (before ? 1 : 0), MOST_OF_A_PERSON, 'person', 'You have the dashboard open too often'],
      [
        this.#count((feed) => feed.accountId === accountId),
        MOST_OF_AN_ACCOUNT,
        'account',
        'This account has the dashboard open too often',
      ],
      [
        isOfSandbox ? this.#count((feed) => feed.isOfSandbox) : 0,
        Math.floor(most * SANDBOX_PART),
        'sandbox',
        'Too many people try the sandbox',
      ],
      [this.#feeds.size + otherFeeds(), most, 'relay', 'Too many people have the dashboard open'],
    ] as const
    for (const [count, atMost, whose, words] of limits)
      if (count >= atMost)
        throw new PageRefusal('busy', `${words}: ${atMost} live views at most. ${AGAIN[whose]}`, {
          said: { key: `live.too-many-${whose}`, values: { most: atMost } },
          retryAfterSeconds: AGAIN_SECONDS,
        })
  }

  #count(fits: (feed: Feed) => boolean): number {
    let count = 0
    for (const feed of this.#feeds) if (fits(feed)) count++
    return count
  }

  #watchOf(control: ControlContext, feed: Feed): Watch {
    const { merchant } = feed
    const name = nameOf(feed)
    const known = this.#watches.get(name)
    if (known) return known
    const look = new LiveLook(control, feed)
    const watch: Watch = new LiveWatch(this.#deps.clock, async () => ({ ...(await look.now()) }))
    this.#watches.set(name, watch)
    const others = this.#byMerchant.get(merchant.key)
    if (others) others.add(watch)
    else this.#byMerchant.set(merchant.key, new Set([watch]))
    return watch
  }

  /** The last feed takes its watch with it. */
  #left(feed: Feed, watch: Watch): void {
    this.#feeds.delete(feed)
    watch.feeds.delete(feed)
    if (watch.feeds.size > 0) return
    const { merchant } = feed
    if (this.#watches.get(nameOf(feed)) === watch) this.#watches.delete(nameOf(feed))
    const others = this.#byMerchant.get(merchant.key)
    others?.delete(watch)
    if (others?.size === 0) this.#byMerchant.delete(merchant.key)
    this.#due.delete(watch)
    this.#gathering.get(watch)?.()
    this.#gathering.delete(watch)
  }

  /** Called after each commit of an order or a call: only a look-up in a map when no page watches. */
  #gather(merchantKey: MerchantKey): void {
    for (const watch of this.#byMerchant.get(merchantKey) ?? []) {
      if (this.#gathering.has(watch)) continue
      const look = (): void => {
        this.#gathering.delete(watch)
        this.#due.add(watch)
        this.#looks.wake()
      }
      const { clock } = this.#deps
      const { endedMs, tookMs } = watch.lastLook
      const restMs = Math.min(LONGEST_REST_MS, REST_TIMES * tookMs) - (clock.monotonicMs() - endedMs)
      this.#gathering.set(watch, clock.after(Math.max(GATHER_MS, restMs), look))
    }
  }

  #beat(): void {
    if (this.#feeds.size === 0) return
    const text = eventText('beat', { time: toIso(this.#deps.clock.now()) })
    for (const { stream } of this.#feeds) stream.write(text)
    for (const watch of this.#watches.values()) this.#due.add(watch)
    this.#looks.wake()
    this.#checks.wake()
  }

  /** One watch after the other: whatever else the relay does comes in between. */
  async #look(): Promise<void> {
    let failure: unknown = null
    for (const watch of [...this.#due]) {
      if (this.#looks.stopping) return
      this.#due.delete(watch)
      // The others are read all the same; however many fail, one is logged.
      await watch.look().catch((error: unknown) => {
        failure ??= error
      })
    }
    if (failure !== null) throw failure
  }

  /** Asks once for each session, however many feeds it has. */
  async #check(): Promise<void> {
    const { control, clock } = this.#deps
    const sessions = new Map<string, SignedIn | null>()
    for (const feed of [...this.#feeds]) {
      if (this.#checks.stopping) return
      const { kept } = feed
      if (!sessions.has(kept)) sessions.set(kept, await findSignedIn({ logins: control.logins, clock }, kept))
      const person = sessions.get(kept) ?? null
      const reason = person === null ? 'signed-out' : await this.#whyOver(feed, person)
      if (reason === null) continue
      feed.stream.send('bye', { reason })
      feed.stream.close()
    }
  }

  /** `changed`: the page opens another feed, which sees other topics. */
  async #whyOver(feed: Feed, person: SignedIn): Promise<'no-member' | 'no-merchant' | 'changed' | null> {
    const { accountId, merchant, topics, isMasked } = feed
    try {
      const allowed = await this.#allowed(person, {
        accountId,
        merchantId: merchant.publicId,
        wanted: merchant.environment,
      })
      if (allowed === null) return 'no-member'
      return allowed.topics.join() === topics.join() && allowed.isMasked === isMasked ? null : 'changed'
    } catch (error) {
      if (error instanceof ServiceError && error.code.startsWith('merchant.')) return 'no-merchant'
      throw error
    }
  }
}

const LATER = 'The page asks every few seconds until there is room.'
const AGAIN = { person: 'Close one.', account: 'Close one.', sandbox: LATER, relay: LATER } as const

const NOT_A_MEMBER = 'You are not a member of this account.'

const nameOf = ({ merchant: { accountId, key }, isMasked }: Pick<Feed, 'merchant' | 'isMasked'>): string =>
  `${accountId} ${key} ${isMasked}`
