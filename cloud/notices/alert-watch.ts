// Checks every minute for new and ended problems, at one relay for all: stores them, and writes one mail and one event when one
// begins and when it ends, in the same transaction. Never on the path of an order.
import type { AlertFactStore } from '#cloud/storage/alert-fact-store.ts'
import type { AlertStore, OpenAlert } from '#cloud/storage/alert-store.ts'
import type { BacklogStore } from '#cloud/storage/backlog-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { NoticeStore } from '#cloud/storage/notice-store.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import { type AccountId, type AlertId, newId, type WebhookId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Sweeps } from '#shared/rounds.ts'
import { type AlertChange, alertChanges, type FoundAlert } from './alert-changes.ts'
import { recordAlertEvents } from './alert-events.ts'
import type { AlertLook } from './alert-look.ts'
import { alertLooks } from './alert-looks.ts'
import type { Notice } from './notice-kinds.ts'
import { writeNotice } from './write-notice.ts'

export interface AlertWatchDeps {
  db: RelayDatabase
  alerts: AlertStore
  alertFacts: AlertFactStore
  backlog: Pick<BacklogStore, 'oldestDelivery'>
  notices: NoticeStore
  deliveries: Pick<DeliveryStore, 'announce'>
  secretBox: SecretBox
  /** Of the dashboard; null: it has no public address. */
  link: string | null
  clock: Clock
  log: Logger
}

const MINUTE_MS = 60_000
/** Changes in one commit: a few milliseconds. */
const PIECE = 50
/** Alerts of one account that are mailed in one check: a power cut in a whole region must not send hundreds of mails. All are shown. */
export const MOST_MAILED = 10

export class AlertWatch extends Sweeps<AlertWatchDeps> {
  readonly #looks: readonly AlertLook[]
  /** When each check was last run, on the monotonic clock. */
  readonly #lookedMs = new Map<AlertLook, number>()

  constructor(deps: AlertWatchDeps) {
    super(deps, { everyMs: MINUTE_MS, failed: 'alerts could not be checked; tried again in a minute' })
    this.#looks = alertLooks(deps)
  }

  override async start(): Promise<void> {
    this.#lookedMs.clear()
    await super.start()
  }

  /** One pass over all checks that are due. A check that fails does not stop the others. */
  override async sweep(): Promise<void> {
    const { clock, log, notices } = this.deps
    let mails = 0
    for (const look of this.#looks) {
      const lookedMs = this.#lookedMs.get(look)
      const nowMs = clock.monotonicMs()
      // A timer may be a little early.
      if (lookedMs !== undefined && nowMs - lookedMs < look.everyMinutes * MINUTE_MS - MINUTE_MS / 2) continue
      if (this.stopping) return
      this.#lookedMs.set(look, nowMs)
      try {
        mails += await this.#follow(look)
      } catch (error) {
        log.error(
          { err: error, kinds: look.kinds },
          'alerts could not be checked of these kinds; tried again in a minute',
        )
      }
    }
    if (mails > 0) notices.changed.notify()
  }

  /** @returns how many mails were written */
  async #follow(look: AlertLook): Promise<number> {
    const { db, alerts, deliveries, clock } = this.deps
    const nowMs = clock.now()
    const { alerts: found, isWhole } = await look.find(nowMs)
    const open = await alerts.open(look.kinds)
    if (found.length === 0 && open.length === 0) return 0
    const foundKeys = new Set(found.map(({ fact, subject }) => `${fact.kind} ${subject}`))
    const missing = open.filter(({ kind, subject }) => !foundKeys.has(`${kind} ${subject}`))
    const unknown = isWhole
      ? await (look.unknown?.(missing) ?? new Set<OpenAlert['id']>())
      : new Set(missing.map(({ id }) => id))
    const rules = await alerts.rules([...accountsOf(found, open)])
    const changes = notTooMany(alertChanges({ found, open, rules, unknown, nowMs }))
    let mails = 0
    for (let from = 0; from < changes.length; from += PIECE) {
      const piece = changes.slice(from, from + PIECE)
      const done = await db.unit(async (tx) => {
        const told: { change: AlertChange; mails: number; endpointIds: WebhookId[] }[] = []
        for (const change of piece) {
          const id = await this.#write(tx, change, nowMs)
          if (id === null) continue
          const mails = await this.#mail(tx, change, nowMs)
          told.push({ change, mails, endpointIds: await this.#event(tx, id, { change, nowMs }) })
        }
        return told
      })
      for (const { change, mails: written, endpointIds } of done) {
        mails += written
        deliveries.announce(endpointIds)
        this.#tell(change)
      }
    }
    return mails
  }

  /** @returns the alert; null: another relay has done it */
  async #write(tx: Tx, change: AlertChange, nowMs: number): Promise<AlertId | null> {
    const { alerts } = this.deps
    switch (change.do) {
      case 'open': {
        const row = rowOf(change, nowMs)
        return (await alerts.insert(tx, row)) ? row.id : null
      }
      case 'begin': {
        const isFirst = await alerts.begin(tx, change.id, { details: change.details, nowMs, isMailed: change.mails })
        return isFirst ? change.id : null
      }
      case 'restate':
        await alerts.restate(tx, change.id, change.details)
        return change.id
      case 'end':
        return (await alerts.end(tx, change.id, nowMs)) ? change.id : null
      case 'drop':
        await alerts.drop(tx, change.id)
        return change.id
    }
  }

  async #event(tx: Tx, id: AlertId, { change, nowMs }: { change: AlertChange; nowMs: number }): Promise<WebhookId[]> {
    if (!isTold(change)) return []
    const { fact, accountId, merchantKey, subject, sinceMs } = change
    const times = change.do === 'end' ? { begunMs: change.begunMs, endedMs: nowMs } : { begunMs: nowMs, endedMs: null }
    return recordAlertEvents(tx, this.deps, { id, fact, accountId, merchantKey, subject, sinceMs, ...times })
  }

  /** @returns how many mails were written */
  async #mail(tx: Tx, change: AlertChange, nowMs: number): Promise<number> {
    const { alerts, link } = this.deps
    if (!(isTold(change) && change.mails)) return 0
    const { accountId, recipients, fact, sinceMs } = change
    const to = await (accountId === null ? alerts.operators(tx) : alerts.recipients(tx, accountId, recipients))
    const about = { alert: fact, sinceMs, link }
    const notice: Notice =
      change.do === 'end'
        ? { kind: 'alert-ended', values: { ...about, endedMs: nowMs } }
        : { kind: 'alert-began', values: about }
    for (const { email, language } of to) await writeNotice(tx, this.deps, { to: email, language, accountId, notice })
    return to.length
  }

  /** Names of people and restaurants stay out of the log. */
  #tell(change: AlertChange): void {
    if (!isTold(change)) return
    const { fact, accountId } = change
    const facts = { kind: fact.kind, accountId }
    const isOver = change.do === 'end'
    const { log } = this.deps
    if (accountId !== null) log.info(facts, isOver ? 'an alert is over' : 'an alert began')
    else if (isOver) log.info({ ...facts, ...fact.values }, 'an alert is over, of this relay itself')
    else log.warn({ ...facts, ...fact.values }, 'an alert began, of this relay itself')
  }
}

type Told = Extract<AlertChange, { fact: unknown }>

/** Whether it is reported: it begins, or it has ended. */
function isTold(change: AlertChange): change is Told {
  return change.do === 'begin' || change.do === 'end' || (change.do === 'open' && change.begins)
}

/** Limits the mails of one check to what a person can read. */
function notTooMany(changes: readonly AlertChange[]): AlertChange[] {
  const mailed = new Map<AccountId | null, number>()
  return changes.map((change) => {
    if (!isTold(change) || !change.mails || change.do === 'end') return change
    const count = (mailed.get(change.accountId) ?? 0) + 1
    mailed.set(change.accountId, count)
    return count > MOST_MAILED ? { ...change, mails: false } : change
  })
}

function rowOf({ found, sinceMs, begins, mails }: Extract<AlertChange, { do: 'open' }>, nowMs: number) {
  return {
    id: newId('alr', nowMs),
    account_id: found.accountId,
    merchant_id: found.merchantKey,
    kind: found.fact.kind,
    subject: found.subject,
    details: JSON.stringify(found.fact.values),
    since: sinceMs,
    begun_at: begins ? nowMs : null,
    mailed: begins && mails ? 1 : 0,
    ended_at: null,
    created_at: nowMs,
  }
}

function accountsOf(found: readonly FoundAlert[], open: readonly OpenAlert[]): Set<AccountId> {
  const ids = [...found.map(({ accountId }) => accountId), ...open.map(({ account_id }) => account_id)]
  return new Set(ids.flatMap((id) => (id === null ? [] : [id])))
}
