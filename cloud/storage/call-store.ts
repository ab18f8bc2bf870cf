// Telephone calls: their state, what was said in them, the hooks that were answered, and the tables that callers asked for. Texts are sealed by the caller.
import type { CallId, KnowledgeId, MerchantKey, PhoneNumberId, ServiceOrderId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { holdCallsOf, holding } from './hold.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { CallInputsTable, CallsTable, CallTurnsTable, PhoneNumbersTable } from './schema-receptionist.ts'

/** One hook of a provider; a repetition has the same. */
export type InputKey = Pick<CallInputsTable, 'provider_id' | 'step' | 'sequence'>

/** A number with what a hook of it needs, in one read. */
export interface HookLook {
  numberId: PhoneNumberId
  merchantKey: MerchantKey
  e164: string | null
  /** JSON as it is stored; null: nothing was set. */
  profile: string | null
  provider: PhoneNumbersTable['provider']
  /** Null: it is not known yet, or is one of another number. */
  call: { id: CallId; stateEnc: string; fromEnc: string | null } | null
  /** The sealed answer to a repetition; null: it is none. */
  answerEnc: string | null
}

/** What a turn changes of a call. */
export type CallChange = Pick<
  CallsTable,
  'status' | 'step' | 'state_enc' | 'answered_at' | 'ended_at' | 'last_at' | 'outcome' | 'transferred_to' | 'order_id'
>

/** A call that goes on, as lists of active calls show it. */
export type ActiveCall = Pick<
  CallsTable,
  'id' | 'from_enc' | 'to_e164' | 'status' | 'step' | 'state_enc' | 'started_at' | 'answered_at' | 'transferred_to'
>

/** A call that goes on, with the company of its number; null: the number was given up. */
export type QuietCall = Pick<CallsTable, 'id' | 'merchant_id' | 'provider_id' | 'last_at'> & {
  provider: PhoneNumbersTable['provider'] | null
}

const DAY_MS = 86_400_000
/** A conversation has a turn every few seconds, and a message takes at most two minutes. */
const HEARD_MS = 600_000
/** While a person speaks nothing is told. The company ends such a call after two hours. */
const SPOKEN_MS = 7_200_000

/** Of an input that says that a call which is not known is over. */
const overOf = (numberId: PhoneNumberId) => ({ step: 'status', sequence: `over at ${numberId}` })

const lookUp = prepared((p) =>
  queryBuilder
    .selectFrom('phone_numbers as n')
    .leftJoin('receptionist_profiles as r', 'r.merchant_id', 'n.merchant_id')
    .leftJoin('calls as c', (join) => join.on('c.provider_id', '=', p('call')).onRef('c.number_id', '=', 'n.id'))
    .leftJoin('call_inputs as i', (join) =>
      join
        .onRef('i.provider_id', '=', 'c.provider_id')
        .on('i.step', '=', p('step'))
        .on('i.sequence', '=', p('sequence')),
    )
    .select(['n.id', 'n.merchant_id', 'n.e164', 'n.provider', 'r.profile'])
    .select(['c.id as call_id', 'c.state_enc', 'c.from_enc', 'i.answer_enc'])
    .where('n.id', '=', p('number')),
)

const answers = prepared((p) =>
  queryBuilder
    .selectFrom('call_inputs')
    .select(['step', 'sequence', 'answer_enc'])
    .where('provider_id', '=', p('call'))
    .where((e) =>
      e.or([
        e.and([e('step', '=', p('step')), e('sequence', '=', p('sequence'))]),
        e.and([e('step', '=', p('overStep')), e('sequence', '=', p('over'))]),
      ]),
    ),
)

const held = holding((p) => queryBuilder.selectFrom('calls').selectAll().where('provider_id', '=', p('call')))

const goingOn = prepared((p) =>
  queryBuilder
    .selectFrom('calls')
    .select(['id', 'from_enc', 'to_e164', 'status', 'step', 'state_enc', 'started_at', 'answered_at', 'transferred_to'])
    .where('merchant_id', '=', p('merchant'))
    .where('ended_at', 'is', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p('limit')),
)

/** Of those that go on, one of which nothing was heard for long does not count: the news of its end was lost. */
const loadOf = prepared((p) =>
  queryBuilder.selectNoFrom((e) => [
    e
      .selectFrom('calls')
      .select((of) => of.fn.countAll().as('count'))
      .where('merchant_id', '=', p('merchant'))
      .where('ended_at', 'is', null)
      .where((of) =>
        of.or([
          of('last_at', '>=', p('heardSince')),
          of.and([of('status', '=', p('spoken')), of('last_at', '>=', p('spokenSince'))]),
        ]),
      )
      .as('live'),
    e
      .selectFrom('calls')
      .select((of) => of.fn.countAll().as('count'))
      .where('merchant_id', '=', p('merchant'))
      .where('answered_at', '>=', p('answeredSince'))
      .as('answered'),
    e
      .selectFrom('calls')
      .select((of) => of.fn.countAll().as('count'))
      .where('merchant_id', '=', p('merchant'))
      .where('answered_at', '>=', p('answeredSince'))
      .where('from_mac', 'is not distinct from', p('from'))
      .as('ofCaller'),
  ]),
)

const insertion = prepared((p) =>
  queryBuilder.insertInto('calls').values({
    ...{ id: p('id'), merchant_id: p('merchant_id'), number_id: p('number_id'), provider_id: p('provider_id') },
    ...{ from_enc: p('from_enc'), from_mac: p('from_mac'), to_e164: p('to_e164'), started_at: p('started_at') },
    ...{ text_deleted_at: p('text_deleted_at'), ...changedBy(p) },
  }),
)

const changing = prepared((p) => queryBuilder.updateTable('calls').set(changedBy(p)).where('id', '=', p('id')))

// biome-ignore lint/suspicious/noExplicitAny: a parameter stands for a value of any column type
function changedBy(p: (name: string) => any): CallChange {
  return {
    ...{ status: p('status'), step: p('step'), state_enc: p('state_enc'), answered_at: p('answered_at') },
    ...{ ended_at: p('ended_at'), last_at: p('last_at'), outcome: p('outcome'), order_id: p('order_id') },
    transferred_to: p('transferred_to'),
  }
}

const turnAdded = prepared((p) =>
  queryBuilder.insertInto('call_turns').values({
    ...{ call_id: p('call_id'), ordinal: p('ordinal'), who: p('who'), text_enc: p('text_enc') },
    ...{ confidence: p('confidence'), at: p('at') },
  }),
)

const answerKept = prepared((p) =>
  queryBuilder.insertInto('call_inputs').values({
    ...{ provider_id: p('provider_id'), step: p('step'), sequence: p('sequence') },
    ...{ answer_enc: p('answer_enc'), at: p('at') },
  }),
)

const hitAgain = prepared((p) =>
  queryBuilder
    .updateTable('knowledge_entries')
    .set((e) => ({ hits: e('hits', '+', 1) }))
    .where('id', '=', p('id')),
)

/** Of a call that ended without a message, as far as was known: it has left one where its recording is there. */
export async function markMessage(tx: Tx, id: CallId): Promise<void> {
  await tx
    .updateTable('calls')
    .set({ outcome: 'voicemail' })
    .where('id', '=', id)
    .where('outcome', '=', 'no-message')
    .where((e) =>
      e.exists(
        e
          .selectFrom('voicemails')
          .select('id')
          .where('call_id', '=', id)
          .where('kind', '=', 'voicemail')
          .where('seconds', '>', 0),
      ),
    )
    .execute()
}

export class CallStore {
  /** Something of a call of this merchant was committed; fired by the code that committed it, after the commit. */
  readonly changed = new Signal<MerchantKey>()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** One read. @param input null: the hook is about no call. @returns null: there is no such number */
  async look(numberId: string, input: InputKey | null): Promise<HookLook | null> {
    const { provider_id: call, step, sequence } = input ?? { provider_id: '', step: '', sequence: '' }
    const [row] = await lookUp(this.#db.read, { number: numberId, call, step, sequence })
    if (row === undefined) return null
    const { call_id: id, state_enc: stateEnc, from_enc: fromEnc } = row
    return {
      ...{
        numberId: row.id,
        merchantKey: row.merchant_id,
        e164: row.e164,
        provider: row.provider,
        profile: row.profile,
      },
      call: id === null || stateEnc === null ? null : { id, stateEnc, fromEnc },
      answerEnc: row.answer_enc,
    }
  }

  /**
   * @returns `answer`: the sealed answer to a repetition; null: it is none. `isOver`: the call was said to be over before it was known
   */
  async answered(tx: Tx, key: InputKey, numberId: PhoneNumberId): Promise<{ answer: string | null; isOver: boolean }> {
    const { provider_id: call, step, sequence } = key
    const over = overOf(numberId)
    const rows = await answers(tx, { call, step, sequence, overStep: over.step, over: over.sequence })
    const isOf = (one: Pick<InputKey, 'step' | 'sequence'>) => (row: Pick<InputKey, 'step' | 'sequence'>) =>
      row.step === one.step && row.sequence === one.sequence
    return { answer: rows.find(isOf(key))?.answer_enc ?? null, isOver: rows.some(isOf(over)) }
  }

  /** @throws a unique violation when it was answered meanwhile: the unit runs again, and finds it */
  async keepAnswer(tx: Tx, key: InputKey, answer: Pick<CallInputsTable, 'answer_enc' | 'at'>): Promise<void> {
    await answerKept(tx, { ...key, ...answer })
  }

  /** A call that is not known at this number is over: if its first hook comes after this, it is over from the beginning. */
  async rememberOver(
    tx: Tx,
    { provider_id, numberId }: { provider_id: string; numberId: PhoneNumberId },
    nowMs: number,
  ): Promise<void> {
    await tx
      .insertInto('call_inputs')
      .values({ provider_id, ...overOf(numberId), answer_enc: '', at: nowMs })
      .onConflict((conflict) => conflict.columns(['provider_id', 'step', 'sequence']).doNothing())
      .execute()
  }

  /** Held in a unit. */
  async byProvider(providerCallId: string, on: Db | Tx = this.#db.read): Promise<CallsTable | null> {
    const [row] = await held(on, { call: providerCallId })
    return row ?? null
  }

  /**
   * How many calls a restaurant has. Other calls of it begin before this unit or after it.
   * @returns `live`: that go on now; `answered`: that were answered in the last 24 hours; `ofCaller`: those of them from
   *   this number, or from none
   */
  async load(
    tx: Tx,
    { merchantKey, fromMac, nowMs }: { merchantKey: MerchantKey; fromMac: string | null; nowMs: number },
  ): Promise<{ live: number; answered: number; ofCaller: number }> {
    await holdCallsOf(tx, merchantKey)
    const [row] = await loadOf(tx, {
      ...{ merchant: merchantKey, heardSince: nowMs - HEARD_MS, answeredSince: nowMs - DAY_MS, from: fromMac },
      ...{ spoken: 'transferring', spokenSince: nowMs - SPOKEN_MS },
    })
    const { live = 0, answered = 0, ofCaller = 0 } = row ?? {}
    return { live: Number(live), answered: Number(answered), ofCaller: Number(ofCaller) }
  }

  async insert(tx: Tx, call: NewRow<'calls'>): Promise<void> {
    await insertion(tx, call)
  }

  async change(tx: Tx, id: CallId, change: CallChange): Promise<void> {
    await changing(tx, { ...change, id })
    // Whoever hangs up at the tone and whoever does so after a message end alike: the recording, told before or after, makes the difference.
    if (change.outcome === 'no-message') await markMessage(tx, id)
  }

  async addTurns(tx: Tx, turns: readonly CallTurnsTable[]): Promise<void> {
    for (const turn of turns) await turnAdded(tx, { ...turn })
  }

  /** In order. */
  async turns(callId: CallId): Promise<CallTurnsTable[]> {
    return this.#db.read.selectFrom('call_turns').selectAll().where('call_id', '=', callId).orderBy('ordinal').execute()
  }

  async addTableRequest(tx: Tx, request: NewRow<'appointment_requests'>): Promise<void> {
    await tx.insertInto('appointment_requests').values(request).execute()
  }

  /** A caller was answered with it. */
  async hit(tx: Tx, id: KnowledgeId): Promise<void> {
    await hitAgain(tx, { id })
  }

  /** Calls that go on, newest first. */
  active(merchantKey: MerchantKey, limit: number): Promise<ActiveCall[]> {
    return goingOn(this.#db.read, { merchant: merchantKey, limit })
  }

  /** Calls that go on and of which nothing was heard since then, the quietest first. @param after the last one of the piece before */
  async quiet(
    sinceMs: number,
    { after, limit }: { after: Pick<CallsTable, 'id' | 'last_at'> | null; limit: number },
  ): Promise<QuietCall[]> {
    let query = this.#db.read
      .selectFrom('calls as c')
      .leftJoin('phone_numbers as n', 'n.id', 'c.number_id')
      .select(['c.id', 'c.merchant_id', 'c.provider_id', 'c.last_at', 'n.provider'])
      .where('c.ended_at', 'is', null)
      .where('c.last_at', '<', sinceMs)
      .orderBy('c.last_at')
      .orderBy('c.id')
      .limit(limit)
    if (after !== null)
      query = query.where((e) =>
        e.or([
          e('c.last_at', '>', after.last_at),
          e.and([e('c.last_at', '=', after.last_at), e('c.id', '>', after.id)]),
        ]),
      )
    return query.execute()
  }

  /** Answers that no provider asks for any more. @returns how many were deleted */
  async forgetAnswers(tx: Tx, { beforeMs, limit }: { beforeMs: number; limit: number }): Promise<number> {
    const old = tx.selectFrom('call_inputs').select('provider_id').where('at', '<', beforeMs).orderBy('at').limit(limit)
    const gone = await tx
      .deleteFrom('call_inputs')
      .where('at', '<', beforeMs)
      .where('provider_id', 'in', old)
      .executeTakeFirst()
    return Number(gone.numDeletedRows)
  }
}

/** In the unit of the order: whatever becomes of the call meanwhile, also when it is over, it is one that ordered. */
export async function keepOrderOfCall(tx: Tx, callId: CallId, orderId: ServiceOrderId): Promise<void> {
  await tx
    .updateTable('calls')
    .set((e) => ({
      order_id: orderId,
      outcome: e.case().when('ended_at', 'is not', null).then('ordered').else(e.ref('outcome')).end(),
    }))
    .where('id', '=', callId)
    .execute()
}

/** As it is stored: PostgreSQL keeps whole numbers. @param part from 0 to 1 */
export function percentOf(part: number | null): number | null {
  return part === null ? null : Math.round(part * 100)
}

export function ofPercent(percent: number | null): number | null {
  return percent === null ? null : percent / 100
}
