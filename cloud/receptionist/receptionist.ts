// The receptionist: takes what a telephone company tells of a call and gives what the caller hears. A turn is a few reads and one transaction; a repetition gets the same answer.

import { type CallStore, type HookLook, type InputKey, percentOf } from '#cloud/storage/call-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { MerchantRecord, MerchantStore } from '#cloud/storage/merchant-store.ts'
import type { ReceptionistStore } from '#cloud/storage/receptionist-store.ts'
import type { CallsTable } from '#cloud/storage/schema-receptionist.ts'
import type { VoicemailStore } from '#cloud/storage/voicemail-store.ts'
import type { CallStep, HookAnswer, HookCall, Speech, Telephony } from '#cloud/telephony/telephony.ts'
import { numberMac } from '#cloud/texts/write-text.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import { type CallId, newId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { transferNumber, withCallableTransfer } from './allowed-numbers.ts'
import {
  type CallFacts,
  type CallState,
  isFinal,
  LOST_CALL,
  type MachineEvent,
  type Move,
  NEW_CALL,
  openedOrNull,
  stateOfCall,
  storedState,
} from './call-state.ts'
import { KeptValues } from './kept-values.ts'
import { Knowledge } from './knowledge.ts'
import { sorry } from './moves.ts'
import { hoursNow, isOpen } from './opening-hours.ts'
import type { OrderReply, OrderTaker } from './order-taker.ts'
import { OrderThoughts } from './order-thoughts.ts'
import { DEFAULT_PROFILE, type ReceptionistProfile, readableProfile } from './profile.ts'
import { keepRecorded } from './take-recording.ts'
import { askedOf, isStale, moved, withoutCards } from './turn-rules.ts'
import { wordsIn } from './words/words-in.ts'

export interface ReceptionistDeps {
  db: RelayDatabase
  calls: CallStore
  merchants: Pick<MerchantStore, 'byKey'>
  receptionist: Pick<ReceptionistStore, 'knowledge'>
  voicemails: VoicemailStore
  secretBox: SecretBox
  clock: Clock
  log: Logger
  /** Codes such as `+1`: CLOUD_SMS_COUNTRIES. */
  countries: readonly string[]
  /** Of each restaurant: calls that go on at once, and that are answered in 24 hours. */
  callLimits: { atOnce: number; aDay: number }
  /** Null: nobody takes orders by voice. */
  orderTaker: OrderTaker | null
}

/** A hook of a call, verified and read. */
export interface CallHook {
  /** The last part of its path. */
  step: string
  call: HookCall
  /** The number that it came to, with what `CallStore.look` found of it. */
  look: HookLook
  /** The address of the number's hooks, without the step. */
  hooks: string
  telephony: Pick<Telephony, 'render'>
}

/** A turn before its transaction: what is known of the call, and what a slow part has answered. */
interface Prepared {
  hook: CallHook
  merchant: MerchantRecord
  event: MachineEvent
  facts: CallFacts
  key: InputKey
  speech: Speech
  /** Of the part that takes orders; undefined: it was not asked, or takes longer. */
  reply: OrderReply | null | undefined
}

interface Turned {
  answer: HookAnswer
  /** Null: nothing changed. */
  call: { id: CallId; state: CallState } | null
}

const NO_ANSWER = { answer: null, isOver: false }
/** Whose checked form is kept: to check one takes longer than all of its turn's reads. */
const MOST_PROFILES = 500
/** In 24 hours, and of all callers without a number together: one alone does not use up what a restaurant may have. */
const MOST_OF_A_CALLER = 50

export class Receptionist {
  readonly #deps: ReceptionistDeps
  readonly #knowledge = new Knowledge()
  readonly #profiles = new KeptValues<ReceptionistProfile>(MOST_PROFILES)
  readonly #thoughts: OrderThoughts | null

  constructor(deps: ReceptionistDeps) {
    this.#deps = deps
    const { orderTaker: taker } = deps
    this.#thoughts = taker === null ? null : new OrderThoughts({ ...deps, taker })
  }

  /** @returns what the caller hears. It is on disk what became of the call. @throws StorageRefusal */
  async take(hook: CallHook): Promise<HookAnswer> {
    const { db, calls, voicemails } = this.#deps
    if (hook.look.answerEnc !== null) return this.#repeated(hook, hook.look.answerEnc)
    const prepared = await this.#prepare(hook)
    const turned = await db.unit((tx) => this.#turn(tx, prepared), {
      name: 'voice_turn',
      sharesSavepoint: true,
      againOnConflict: true,
    })
    if (prepared.event.kind === 'recorded') voicemails.changed.notify(prepared.merchant.key)
    if (turned.call !== null) {
      calls.changed.notify(prepared.merchant.key)
      if (turned.call.state.thinking === null) this.#thoughts?.forget(turned.call.id)
    }
    return turned.answer
  }

  /** Everything that is looked up, and the part that takes orders asked: outside of the transaction, which others wait for. */
  async #prepare(hook: CallHook): Promise<Prepared> {
    const { merchants, clock } = this.#deps
    const { look, call, step } = hook
    const merchant = await merchants.byKey(look.merchantKey)
    const profile = this.#profileOf(look)
    const state = look.call === null ? NEW_CALL : (this.#stateOf(look.call.stateEnc) ?? LOST_CALL)
    const { event, hasCard } = withoutCards(call.event)
    const key = inputKeyOf(step, call)
    const facts = await this.#facts({ look, merchant, profile, state, event, hasCard, nowMs: clock.now() })
    const { tag } = wordsIn(profile.language)
    const prepared = { hook, merchant, event, facts, key, speech: { language: tag, voice: profile.voice } }
    const asked = isStale(call, state) ? null : askedOf(state, event, facts)
    if (asked === null || look.call === null || this.#thoughts === null) return { ...prepared, reply: undefined }
    const { language, orders } = profile
    const reply = await this.#thoughts.reply({
      ...{ merchant, callId: look.call.id, from: facts.from, language, words: asked.words },
      limits: { mostAmountCents: Math.round(orders.mostAmount * 100), mostOfALine: orders.mostOfALine },
      draft: asked.draft,
    })
    return { ...prepared, reply }
  }

  async #facts(at: {
    look: HookLook
    merchant: MerchantRecord
    profile: ReceptionistProfile
    state: CallState
    event: MachineEvent
    hasCard: boolean
    nowMs: number
  }): Promise<CallFacts> {
    const { look, merchant, profile, state, event, hasCard, nowMs } = at
    const { language } = profile
    const hours = { profile, timeZone: merchant.timeZone, nowMs }
    const takesOrders = profile.orders.isOn && this.#deps.orderTaker !== null
    const isIncoming = event.kind === 'incoming'
    const isSaid = look.call !== null && event.kind === 'speech'
    const items = takesOrders && isSaid ? ((await this.#deps.orderTaker?.hints(merchant)) ?? []) : []
    return {
      ...{ nowMs, language, profile, name: merchant.name, takesOrders, hasCard, isFull: false },
      isOpen: isOpen(hours),
      hours: hoursNow(hours, language),
      from: isIncoming ? event.from : this.#numberOf(look.call),
      to: isIncoming ? event.to : (look.e164 ?? ''),
      answer: event.kind === 'speech' && state.place === 'menu' ? await this.#answer(event.text, at) : null,
      hints: [...wordsIn(language).hints, ...profile.menu.map(({ label }) => label), ...items],
      items,
    }
  }

  async #answer(
    text: string,
    { merchant, profile, nowMs }: { merchant: MerchantRecord; profile: ReceptionistProfile; nowMs: number },
  ): Promise<CallFacts['answer']> {
    const entries = await this.#deps.receptionist.knowledge(merchant.key)
    return this.#knowledge.answer(text, { merchant, profile, entries, nowMs })
  }

  async #turn(tx: Tx, prepared: Prepared): Promise<Turned> {
    const { calls, clock } = this.#deps
    const { hook, key, event, reply, speech } = prepared
    // Held before the answers are read: a repetition waits here for the first, and then finds its answer.
    const row = await calls.byProvider(key.provider_id, tx)
    const isNew = row === null && event.kind === 'incoming'
    const facts = isNew
      ? { ...prepared.facts, isFull: await this.#isFull(tx, hook.look, prepared.facts.from) }
      : prepared.facts
    // The same id at another number is no call of this one.
    const isOthers = row !== null && row.number_id !== hook.look.numberId
    const { answer, isOver } = isOthers ? NO_ANSWER : await calls.answered(tx, key, hook.look.numberId)
    if (answer !== null) return { answer: this.#repeated(hook, answer), call: null }
    const render = (steps: readonly CallStep[], turn: number): HookAnswer =>
      hook.telephony.render(steps, { hooks: hook.hooks, speech, turn })
    if (isOthers) return { answer: render(faultOf(facts), 0), call: null }
    if (row === null && event.kind !== 'incoming') {
      const isEnd = event.kind === 'status' && isFinal(event.status)
      if (isEnd) await calls.rememberOver(tx, { ...key, numberId: hook.look.numberId }, clock.now())
      return { answer: render(event.kind === 'status' ? [] : faultOf(facts), 0), call: null }
    }
    if (row !== null) await this.#keepRecording(tx, row, prepared)
    const before = row === null ? NEW_CALL : stateOfCall(row, (sealed) => this.#deps.secretBox.open(sealed))
    if (row !== null && before === null) {
      await this.#endLost(tx, row)
      const isNews = event.kind === 'status'
      return { answer: render(isNews ? [] : faultOf(facts), 0), call: { id: row.id, state: LOST_CALL } }
    }
    if (before === null) throw new Error('a new call has a state')
    const move = moved(before, { event: isOver ? { kind: 'status', status: 'completed' } : event, facts, reply })
    if (isFinal(before.status) || isStale(hook.call, before))
      return { answer: render(move.steps, before.turn), call: null }
    const given = render(isOver ? [{ do: 'hangup' }] : move.steps, move.state.turn)
    const id = row?.id ?? newId('call', clock.now())
    await this.#keep(tx, { prepared, row, id, before, move })
    await calls.keepAnswer(tx, key, { answer_enc: this.#deps.secretBox.seal(JSON.stringify(given)), at: facts.nowMs })
    return { answer: given, call: { id, state: move.state } }
  }

  /** Counted beside no other call that begins: those of one moment are not all let in. */
  async #isFull(tx: Tx, { merchantKey }: HookLook, from: string | null): Promise<boolean> {
    const { calls, callLimits, clock, secretBox } = this.#deps
    const fromMac = from === null ? null : numberMac(secretBox, from)
    const { live, answered, ofCaller } = await calls.load(tx, { merchantKey, fromMac, nowMs: clock.now() })
    return live >= callLimits.atOnce || answered >= callLimits.aDay || ofCaller >= MOST_OF_A_CALLER
  }

  /** Also of a call that is over: the caller may have hung up before it was told. What was erased is not brought back. */
  async #keepRecording(
    tx: Tx,
    { provider_id: providerCallId, text_deleted_at: deletedAt }: CallsTable,
    { event, hook: { look } }: Prepared,
  ): Promise<void> {
    if (event.kind !== 'recorded' || event.recordingId === null || event.seconds === 0 || deletedAt !== null) return
    const { recordingId, seconds } = event
    await keepRecorded(tx, this.#deps, {
      number: { id: look.numberId, merchantKey: look.merchantKey, e164: look.e164 },
      recording: { providerCallId, recordingId, seconds, kind: 'voicemail', text: null },
    })
  }

  /** It can be nothing but over, and whoever looks at it sees so. */
  async #endLost(tx: Tx, row: CallsTable): Promise<void> {
    if (row.ended_at !== null) return
    const { calls, clock, log } = this.#deps
    const { status, place: step, outcome } = LOST_CALL
    const at = clock.now()
    const known = row.order_id === null ? outcome : 'ordered'
    await calls.change(tx, row.id, { ...row, status, step, outcome: known, ended_at: at, last_at: at })
    log.error({ callId: row.id }, 'the state of a call could not be read, and the call was ended')
  }

  async #keep(
    tx: Tx,
    {
      prepared,
      row,
      id,
      before,
      move,
    }: { prepared: Prepared; row: CallsTable | null; id: CallId; before: CallState; move: Move },
  ): Promise<void> {
    const { calls, secretBox } = this.#deps
    const { hook, merchant, event, facts } = prepared
    const { state, effects } = move
    const { status, place, outcome, transferredTo, orderId } = state
    const change = {
      ...{ status, step: place, outcome, last_at: facts.nowMs, transferred_to: transferredTo, order_id: orderId },
      state_enc: secretBox.seal(JSON.stringify(state)),
      answered_at: row?.answered_at ?? (status === 'ringing' || status === 'missed' ? null : facts.nowMs),
      ended_at: isFinal(status) ? facts.nowMs : null,
    }
    if (row === null) {
      const { numberId, merchantKey } = hook.look
      await calls.insert(tx, {
        ...{ id, merchant_id: merchantKey, number_id: numberId, provider_id: hook.call.providerCallId },
        from_enc: facts.from === null ? null : secretBox.seal(facts.from),
        from_mac: facts.from === null ? null : numberMac(secretBox, facts.from),
        ...{ to_e164: facts.to, started_at: facts.nowMs, text_deleted_at: null, ...change },
      })
    } else await calls.change(tx, id, change)
    if (state.turn > before.turn) await calls.addTurns(tx, this.#turnsOf({ id, event, move, nowMs: facts.nowMs }))
    for (const effect of effects) {
      if (effect.do === 'hit') await calls.hit(tx, effect.id)
      if (effect.do !== 'table') continue
      const { do: _, ...details } = effect
      await calls.addTableRequest(tx, {
        ...{ id: newId('apt', facts.nowMs), merchant_id: merchant.key, call_id: id, state: 'new' as const },
        details_enc: secretBox.seal(JSON.stringify(details)),
        phone_mac: numberMac(secretBox, details.phone),
        ...{ done_by: null, done_at: null, created_at: facts.nowMs },
      })
    }
  }

  #turnsOf({ id, event, move, nowMs }: { id: CallId; event: MachineEvent; move: Move; nowMs: number }) {
    const { secretBox } = this.#deps
    const { turn } = move.state
    const heard = event.kind === 'speech' ? event.text : event.kind === 'digits' ? event.digits : ''
    const said = move.steps
      .flatMap((step) => (step.do === 'say' ? [step.text] : step.do === 'gather' ? step.say : []))
      .join(' ')
    const turns = [
      {
        who: 'caller',
        text: heard,
        confidence: event.kind === 'speech' ? percentOf(event.confidence) : null,
        ordinal: 2 * turn,
      },
      { who: 'receptionist', text: said, confidence: null, ordinal: 2 * turn + 1 },
    ] as const
    return turns
      .filter(({ text }) => text !== '')
      .map(({ text, ...rest }) => ({ ...rest, call_id: id, text_enc: secretBox.seal(text), at: nowMs }))
  }

  #profileOf({ merchantKey, profile }: Pick<HookLook, 'merchantKey' | 'profile'>): ReceptionistProfile {
    if (profile === null) return DEFAULT_PROFILE
    return this.#profiles.of(merchantKey, profile, () => {
      const read = readableProfile(profile)
      // Without what is in it. Once, until it is another one.
      if (!read.isWhole)
        this.#deps.log.error(
          { merchantKey },
          'settings of a receptionist cannot be read: those are as if they were not set',
        )
      const allowed = withCallableTransfer(read.profile, this.#deps.countries)
      if (allowed !== read.profile)
        this.#deps.log.warn(
          { merchantKey },
          'a transfer number is not allowed any more: calls go on as if it was not set',
        )
      return allowed
    })
  }

  /** Null: what was said in it was deleted, or it cannot be read. */
  #stateOf(sealed: string): CallState | null {
    return storedState(sealed, (text) => this.#deps.secretBox.open(text))
  }

  /** Null: it is withheld, or cannot be read, and the call goes on as if it was withheld. */
  #numberOf(call: HookLook['call']): string | null {
    if (call === null || call.fromEnc === null) return null
    const number = openedOrNull(call.fromEnc, (sealed) => this.#deps.secretBox.open(sealed))
    if (number === null)
      this.#deps.log.error({ callId: call.id }, 'the number of a caller could not be read: it is as if it was withheld')
    return number
  }

  /** The answer that was given before. Where it cannot be read the caller still hears one: what happened has happened. */
  #repeated({ look, call, hooks, telephony }: CallHook, sealed: string): HookAnswer {
    try {
      return JSON.parse(this.#deps.secretBox.open(sealed)) as HookAnswer
    } catch {
      const { numberId } = look
      this.#deps.log.error({ numberId, callId: look.call?.id }, 'a stored answer to a hook could not be read')
      const profile = this.#profileOf(look)
      const { language, voice } = profile
      const steps = call.event.kind === 'status' ? [] : sorry(language, transferNumber(profile, look.e164))
      return telephony.render(steps, { hooks, speech: { language: wordsIn(language).tag, voice }, turn: 0 })
    }
  }
}

/** @param step the last part of the hook's path */
export function inputKeyOf(step: string, { providerCallId, sequence, event }: HookCall): InputKey {
  return { provider_id: providerCallId, step, sequence: `${event.kind} ${sequence}` }
}

/** A caller whose call is not known, such as after a restored backup. */
function faultOf({ language }: CallFacts): CallStep[] {
  return [{ do: 'say', text: wordsIn(language).fault }, { do: 'hangup' }]
}
