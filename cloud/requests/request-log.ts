// The log of requests for the dashboard: what accounts called here and what was answered, apart from the relay's database. It never fails a request.
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Cancel, Clock } from '#shared/clock.ts'
import { type AccountId, firstId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { keptBody, keptPath } from './hide-fields.ts'
import {
  RequestFile,
  type RequestGroup,
  type RequestPage,
  type RequestQuestion,
  type RequestRow,
} from './request-file.ts'

const DAY_MS = 86_400_000
const WRITE_MS = 500
const DELETE_MS = 3_600_000
/** Successful requests of one account that are kept in a second. */
const TAKEN_A_SECOND = 50
/** Requests that wait for the next write; more are left out. */
const RING = 512
/** Written in one turn of the loop that takes orders: two or three milliseconds. */
const PIECE = 64
/** Of bodies that wait, together; and of one that is kept at all. */
const WAITING_BYTES = 4_194_304
const LONGEST_BODY = 65_536
/** Characters of a body that are kept. */
export const KEPT_BODY = 4_096
const KEPT_PATH = 1_024
const IDS = 8

/** An answered request, from the server. */
export interface AnsweredRequest extends Omit<RequestRow, 'at' | 'merchantId' | 'fields' | 'ids' | 'body'> {
  fields: readonly string[]
  params: unknown
  query: unknown
  /** As it was read: kept by reference until the next write, and not changed. */
  body: unknown
}

interface Waiting extends AnsweredRequest {
  at: number
  /** Bytes of its body, if that is kept. */
  waits: number
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
  #ring: Waiting[] = []
  #waitingBytes = 0
  /** Successful requests of this second, by account. */
  #taken = new Map<AccountId, number>()
  #writes = 0
  #leftOut = 0
  /** There may be more requests past their retention. */
  #hasOld = false
  #undo: Cancel[] = []

  constructor(deps: RequestLogDeps) {
    this.#deps = deps
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
    this.#write()
    const file = this.#file
    this.#file = null
    file?.close()
  }

  /** Takes a request into the ring. It throws nothing and writes nothing: that is done twice a second, in pieces. */
  readonly answered = (request: AnsweredRequest): void => {
    if (this.#file === null) return
    const { account, status, bodyBytes } = request
    if (status < 400) {
      const taken = this.#taken.get(account) ?? 0
      if (taken >= TAKEN_A_SECOND) {
        this.#leftOut += 1
        return
      }
      this.#taken.set(account, taken + 1)
    }
    if (this.#ring.length >= RING) {
      this.#leftOut += 1
      return
    }
    const isKept = bodyBytes <= LONGEST_BODY && this.#waitingBytes + bodyBytes <= WAITING_BYTES
    const waits = isKept ? bodyBytes : 0
    this.#waitingBytes += waits
    this.#ring.push({ ...request, body: isKept ? request.body : undefined, waits, at: this.#deps.clock.now() })
  }

  list(question: RequestQuestion): RequestPage {
    return this.#ask((file) => file.list(question)) ?? { rows: [], below: null }
  }

  find(account: AccountId, environment: 'sandbox' | 'live', id: string): RequestRow | null {
    return this.#ask((file) => file.find(account, environment, id))
  }

  groups(account: AccountId, environment: 'sandbox' | 'live', sinceMs: number): RequestGroup[] {
    return this.#ask((file) => file.groups(account, environment, firstId('req', sinceMs))) ?? []
  }

  /** What was answered a moment ago is in the answer too. */
  #ask<T>(question: (file: RequestFile) => T): T | null {
    this.#write()
    let found: T | null = null
    this.#safely(() => {
      if (this.#file !== null) found = question(this.#file)
    })
    return found
  }

  /** Twice a second. One piece in each turn, so that no order waits for all of them. */
  #writePieces(): void {
    this.#writes += 1
    if (this.#writes % (1_000 / WRITE_MS) === 0) this.#taken.clear()
    this.#goOn()
  }

  #goOn(): void {
    this.#write(PIECE)
    if (this.#ring.length > 0) setImmediate(() => this.#goOn())
  }

  /** Those that have waited longest. @param most default: all */
  #write(most = RING): void {
    const piece = this.#ring.splice(0, most)
    if (piece.length === 0) return
    for (const { waits } of piece) this.#waitingBytes -= waits
    this.#safely(() => this.#file?.add(piece.map(rowOf)))
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
      this.#waitingBytes = 0
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

function rowOf({ params, query, fields, body, waits: _, ...request }: Waiting): RequestRow {
  const named = [...textsOf(params), ...idsIn(body), ...idsIn(query)].slice(0, IDS)
  return {
    ...request,
    path: keptPath(request.path).slice(0, KEPT_PATH),
    ms: Math.round(request.ms * 100) / 100,
    merchantId: merchantIn(body) ?? merchantIn(query),
    fields: fields.slice(0, 5).join(','),
    ids: ` ${named.join(' ')} `,
    body: body === undefined || body === null ? null : JSON.stringify(keptBody(body)).slice(0, KEPT_BODY),
  }
}

function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).filter((one) => typeof one === 'string' && one.length <= 128)
}

/** `orderId`, `umsId` and the like, at the top level. */
function idsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  const named = Object.entries(value).filter(([name]) => /Id$/.test(name) && name !== 'merchantId')
  return textsOf(Object.fromEntries(named))
}

function merchantIn(value: unknown): string | null {
  const merchantId = (value as { merchantId?: unknown } | null | undefined)?.merchantId
  return typeof merchantId === 'string' ? merchantId.slice(0, 64) : null
}
