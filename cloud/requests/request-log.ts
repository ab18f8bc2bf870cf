// The log of requests for the dashboard: what accounts called here and what was answered, apart from the relay's database. It never fails a request.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import type { Rates } from '#cloud/limits/token-bucket.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { type AccountId, firstId, type KeyId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { keptField, keptJson, keptPath, keptText } from './hide-fields.ts'
import {
  type ListedRow,
  type Piece,
  RequestFile,
  type RequestFilter,
  type RequestGroup,
  type RequestRow,
  type RowsOf,
} from './request-file.ts'

const DAY_MS = 86_400_000
const WRITE_MS = 500
const DELETE_MS = 3_600_000
/** Successful requests of one account that are kept in a second. */
const TAKEN_A_SECOND = 50
/** Of a key that is called too fast one refusal is kept in this time: the others say the same. */
const TOO_FAST_MS = 10_000
/** Requests that wait for the next write; more are left out. */
const RING = 512
/** Of one account among them, so that its refusals leave room for the calls of others. */
const RING_OF_ACCOUNT = 128
/** Written in one turn of the event loop, which takes orders: two or three milliseconds. */
const PIECE = 64
const PIECE_CHARACTERS = 65_536
/** A body with more bytes is not kept. */
const LONGEST_BODY = 65_536
/** Characters of a body that are kept. */
export const KEPT_BODY = 4_096
const KEPT_PATH = 1_024
const KEPT_FIELDS = 512
const IDS = 8
/** Fields of a body or of a query in which ids are looked for. */
const LOOKED_FOR_IDS = 64

/** Rows that are looked at in one turn of the event loop. */
const LOOKED_AT_ONCE = 200
/** Rows that one question looks at, if it does not say. */
const LOOKED_AT = 5_000
/** Refusals that are put together. */
const GROUPED = 5_000
const GROUPS = 50
/** What questions of one account may look at; each counts as one piece at least. A minute of it is 0.1 s of the relay's time, with the widest rows 1 s. */
const LOOKING: Rates = { steadyPerMinute: 150_000, burstPerMinute: 450_000 }

/** An answered request, from the server. */
export interface AnsweredRequest extends Omit<RequestRow, 'at' | 'merchantId' | 'fields' | 'ids' | 'body'> {
  fields: readonly string[]
  params: unknown
  query: unknown
  body: unknown
}

export interface RequestQuestion extends RequestFilter {
  /** Rows of the answer. */
  limit: number
  /** Rows that are looked at for it; default: 5,000. */
  looks?: number
}

export interface RequestPage {
  rows: ListedRow[]
  /** Rows that were looked at. */
  looked: number
  /** Where to go on, also when nothing was found so far; null: there is no more. */
  below: string | null
}

export interface RequestLogDeps {
  file: string
  /** How long a request is kept, 1 to 30. */
  days: number
  clock: Clock
  log: Logger
}

export class RequestLog implements Service {
  readonly #deps: RequestLogDeps
  #file: RequestFile | null = null
  #ring: RequestRow[] = []
  /** How many of each account are in the ring. */
  #waiting = new Map<AccountId, number>()
  /** How many came into the ring since the start. */
  #put = 0
  /** Successful requests of this second, by account. */
  #taken = new Map<AccountId, number>()
  /** Keys whose refusal for being too fast is kept already. */
  #tooFast = new Set<KeyId>()
  #writes = 0
  #leftOut = 0
  /** There may be more requests past their retention. */
  #hasOld = false
  #undo: Cancel[] = []
  readonly #looks: KeyedBuckets
  /** The turn of the event loop that was given out last. */
  #turn: Promise<void> = Promise.resolve()

  constructor(deps: RequestLogDeps) {
    this.#deps = deps
    this.#looks = new KeyedBuckets({ clock: deps.clock, rates: LOOKING })
  }

  /** Null: it is off, because its file cannot be written. `leftOut`: requests that found no place since the start. */
  get state(): { isOn: boolean; days: number; leftOut: number } {
    return { isOn: this.#file !== null, days: this.#deps.days, leftOut: this.#leftOut }
  }

  async start(): Promise<void> {
    if (this.#file !== null) return
    const { file, clock } = this.#deps
    this.#safely(() => {
      mkdirSync(dirname(file), { recursive: true })
      this.#file = new RequestFile(file)
    })
    this.#undo = [
      clock.every(WRITE_MS, () => {
        this.#writePieces()
        if (this.#hasOld) this.#deleteOld()
      }),
      clock.every(DELETE_MS, () => this.#deleteOld()),
    ]
    this.#deleteOld()
  }

  async stop(): Promise<void> {
    for (const undo of this.#undo.splice(0)) undo()
    while (this.#ring.length > 0) this.#write()
    const file = this.#file
    this.#file = null
    file?.close()
  }

  /**
   * Takes a request into the ring, as it will be written: no body is held, and no more of it is read than is kept. It throws nothing and writes
   * nothing: that is done twice a second, in pieces.
   */
  readonly answered = (request: AnsweredRequest): void => {
    if (this.#file === null) return
    const { account } = request
    const waiting = this.#waiting.get(account) ?? 0
    if (this.#ring.length >= RING || waiting >= RING_OF_ACCOUNT || !this.#isWanted(request)) {
      this.#leftOut += 1
      return
    }
    this.#waiting.set(account, waiting + 1)
    this.#put += 1
    this.#ring.push(rowOf(request, this.#deps.clock.now()))
  }

  #isWanted({ account, keyId, status, code }: AnsweredRequest): boolean {
    if (code === 'rate_limit.exceeded') {
      if (this.#tooFast.has(keyId)) return false
      this.#tooFast.add(keyId)
    }
    if (status >= 400) return true
    const taken = this.#taken.get(account) ?? 0
    if (taken >= TAKEN_A_SECOND) return false
    this.#taken.set(account, taken + 1)
    return true
  }

  /**
   * Newest first. What was answered a moment ago is in it, too. It stops when the page is full or `looks` rows were looked at, and reads 200 rows
   * in a turn of the event loop, whoever else asks.
   * @throws ServiceError rate_limit.exceeded (429): the account has looked at too many rows
   */
  async list({ limit, looks = LOOKED_AT, ...filter }: RequestQuestion): Promise<RequestPage> {
    const rows: ListedRow[] = []
    const wanted = { most: looks, isEnough: () => rows.length > limit }
    // One more than wanted shows that there is more.
    const { looked, below } = await this.#ask(filter, wanted, (file) => {
      const read = file.reading(filter)
      return (most) => {
        const piece = read(most, limit + 1 - rows.length)
        rows.push(...piece.found)
        return piece
      }
    })
    const page = rows.slice(0, limit)
    return { rows: page, looked, below: rows.length > limit ? (page.at(-1)?.id ?? null) : below }
  }

  async find(account: AccountId, environment: 'sandbox' | 'live', id: string): Promise<RequestRow | null> {
    let found: RequestRow | null = null
    await this.#ask({ account, environment }, { most: 1, isEnough: () => true }, (file) => () => {
      found = file.find(account, environment, id)
      return { looked: 1, below: null }
    })
    return found
  }

  /** The newest 5,000 refusals since then, the most frequent first. @throws ServiceError rate_limit.exceeded (429), as `list` does */
  async groups(account: AccountId, environment: 'sandbox' | 'live', sinceMs: number): Promise<RequestGroup[]> {
    const groups = new Map<string, RequestGroup>()
    const of = { account, environment }
    await this.#ask(of, { most: GROUPED, isEnough: () => false }, (file) => {
      const read = file.grouping(of, firstId('req', sinceMs))
      return (most) => {
        const piece = read(most)
        for (const group of piece.found) addGroup(groups, group)
        return piece
      }
    })
    const found = [...groups.values()].sort(
      (one, other) => other.count - one.count || (other.newestId > one.newestId ? 1 : -1),
    )
    return found.slice(0, GROUPS)
  }

  /**
   * Reads piece by piece, each in a turn of its own, until there is enough, no more, or the account has looked at its share.
   * @throws ServiceError rate_limit.exceeded (429), before anything is read
   */
  async #ask(
    { account }: RowsOf,
    { most, isEnough }: { most: number; isEnough: () => boolean },
    question: (file: RequestFile) => (most: number) => Pick<Piece<unknown>, 'looked' | 'below'>,
  ): Promise<{ looked: number; below: string | null }> {
    const waitMs = this.#looks.charge(account, 0)
    if (waitMs > 0) throw lookedTooMuch(waitMs)
    for (const last = this.#put; this.#put - this.#ring.length < last; this.#write()) await this.#nextTurn()
    const file = this.#file
    let read: ReturnType<typeof question> | null = null
    let [looked, below]: [number, string | null] = [0, null]
    do {
      await this.#nextTurn()
      if (file === null || this.#file !== file) break
      let piece: { looked: number; below: string | null } = { looked: 0, below: null }
      this.#safely(() => {
        read ??= question(file)
        piece = read(Math.min(LOOKED_AT_ONCE, most - looked))
      })
      const cost = looked === 0 ? Math.max(piece.looked, LOOKED_AT_ONCE) : piece.looked
      looked += piece.looked
      below = piece.below
      if (this.#looks.charge(account, cost) > 0) break
    } while (below !== null && looked < most && !isEnough())
    return { looked, below }
  }

  /** Of all questions together one piece is read in a turn of the event loop. */
  #nextTurn(): Promise<void> {
    this.#turn = this.#turn.then(() => setImmediate())
    return this.#turn
  }

  /** Twice a second. One piece in each turn, so that no order waits for all of them. */
  #writePieces(): void {
    this.#writes += 1
    if (this.#writes % (1_000 / WRITE_MS) === 0) this.#taken.clear()
    if (this.#writes % (TOO_FAST_MS / WRITE_MS) === 0) this.#tooFast.clear()
    void this.#goOn()
  }

  async #goOn(): Promise<void> {
    for (this.#write(); this.#ring.length > 0; this.#write()) await this.#nextTurn()
  }

  /** One piece of those that have waited longest. */
  #write(): void {
    let characters = 0
    let most = 0
    for (; most < Math.min(PIECE, this.#ring.length) && characters < PIECE_CHARACTERS; most++)
      characters += sizeOf(this.#ring[most] as RequestRow)
    const piece = this.#ring.splice(0, most)
    if (piece.length === 0) return
    for (const { account } of piece) {
      const left = (this.#waiting.get(account) ?? 1) - 1
      if (left > 0) this.#waiting.set(account, left)
      else this.#waiting.delete(account)
    }
    this.#safely(() => this.#file?.add(piece))
  }

  /** One piece: the next goes after the next write, so that no request waits for all of them. */
  #deleteOld(): void {
    const { clock, days } = this.#deps
    this.#hasOld = false
    this.#safely(() => {
      this.#hasOld = this.#file?.deleteOlder(clock.now() - days * DAY_MS) ?? false
    })
  }

  /** A full or broken disk turns the log off until the next start. */
  #safely(work: () => void): void {
    try {
      work()
    } catch (error) {
      const file = this.#file
      this.#file = null
      this.#ring = []
      this.#waiting.clear()
      this.#deps.log.warn(
        { err: error, file: this.#deps.file },
        'the log of requests cannot be written and is off until the next start; requests are answered as before',
      )
      try {
        file?.close()
      } catch {
        // It has logged the problem.
      }
    }
  }
}

/** Roughly the characters that are written of it. */
function sizeOf({ path, fields, ids, body }: RequestRow): number {
  return path.length + fields.length + ids.length + (body?.length ?? 0) + 256
}

function lookedTooMuch(waitMs: number): ServiceError {
  return new ServiceError('rate_limit.exceeded', {
    message:
      'The log of requests was read too fast for this account. Wait for Retry-After seconds, ask less often, and narrow what you ask for.',
    retryAfterSeconds: Math.ceil(waitMs / 1_000),
  })
}

/** Equal errors of another piece, which are older. */
function addGroup(groups: Map<string, RequestGroup>, group: RequestGroup): void {
  const { method, route, status, code, fields } = group
  const name = JSON.stringify([method, route, status, code, fields])
  const known = groups.get(name)
  if (known === undefined) groups.set(name, group)
  else {
    known.count += group.count
    known.oldestAt = Math.min(known.oldestAt, group.oldestAt)
    known.newestAt = Math.max(known.newestAt, group.newestAt)
  }
}

function rowOf({ params, query, fields, body, ...request }: AnsweredRequest, at: number): RequestRow {
  const isKept = body !== undefined && body !== null && request.bodyBytes <= LONGEST_BODY
  const said = isKept ? topOf(body) : []
  const asked = topOf(query)
  const named = [...topOf(params).map(([, text]) => text), ...idsAmong(said), ...idsAmong(asked)]
  return {
    ...request,
    at,
    path: keptPath(request.path.slice(0, KEPT_PATH)),
    ms: Math.round(request.ms * 100) / 100,
    merchantId: merchantAmong(said) ?? merchantAmong(asked),
    fields: fields.slice(0, 5).map(keptField).join(',').slice(0, KEPT_FIELDS),
    ids: ` ${named
      .filter((id) => ID.test(id))
      .slice(0, IDS)
      .map(keptText)
      .join(' ')} `,
    body: isKept ? keptJson(body, KEPT_BODY) : null,
  }
}

/** A blank would end it. */
const ID = /^[\x21-\x7e]{1,128}$/

/** The texts among the first fields of a body, a query or parameters. */
function topOf(value: unknown): [name: string, text: string][] {
  const found: [string, string][] = []
  if (typeof value !== 'object' || value === null) return found
  let looked = 0
  for (const name in value) {
    if (looked++ === LOOKED_FOR_IDS) break
    const text: unknown = (value as Record<string, unknown>)[name]
    if (typeof text === 'string') found.push([name, text])
  }
  return found
}

/** `orderId`, `umsId` and the like. */
function idsAmong(fields: readonly [name: string, text: string][]): string[] {
  return fields.filter(([name]) => name.endsWith('Id') && name !== 'merchantId').map(([, text]) => text)
}

function merchantAmong(fields: readonly [name: string, text: string][]): string | null {
  const merchantId = fields.find(([name]) => name === 'merchantId')?.[1]
  return merchantId === undefined ? null : keptText(merchantId.slice(0, 64))
}
