// Takes an order in a call: words to commands by a driver, commands to the draft, the draft to an order of the relay, once.
import { isHashOf } from '#cloud/orders/body-hash.ts'
import { type InjectDeps, injectOrder } from '#cloud/orders/inject-order.ts'
import { keepOrderOfCall } from '#cloud/storage/call-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { FirstOrder } from '#cloud/storage/order-store.ts'
import { fromIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { asId, type ServiceOrderId } from '#shared/ids.ts'
import { type InjectOrder, injectOrder as injectBody, type OrderResult } from '#shared/wire/api/orders.ts'
import { answerMenu, type MenuAnswer, takenOf } from './menu-questions.ts'
import {
  afterPlacing,
  applyCommands,
  type DraftFact,
  isAgreedBy,
  isWithin,
  type OrderCommand,
  readBack,
  repriced,
  totalCents,
} from './order-draft.ts'
import { nextQuestion, type OrderTexts, orderTexts, readBackOf, spokenFacts } from './order-replies.ts'
import type { OrderDraft, OrderReply, OrderTaker, OrderTurn } from './order-taker.ts'
import { intends, isYes, withoutDone } from './order-words.ts'
import { type VoiceMenu, VoiceMenus } from './voice-menu.ts'
import { type Understanding, understand } from './words-driver.ts'

/** The name of the receptionist on tickets; agents of others are `voice:<vendor>`. */
export const VOICE_SOURCE = 'voice'
/** Turns in a row in which nothing was understood: then a person takes over. */
const MOST_MISUNDERSTOOD = 2
/** Longer than this nobody waits on the telephone. */
const LONGEST_WORDS = 1_000

/** Understands words. What it answers is only a wish: the draft prices and limits it. Null: it could not, and the words driver is asked. */
export interface OrderDriver {
  understand(heard: Understanding, signal: AbortSignal): Promise<OrderCommand[] | null>
}

export interface CallOrderDeps extends InjectDeps {
  /** Null: the words driver alone. */
  driver: OrderDriver | null
}

export class CallOrders implements OrderTaker {
  readonly #deps: CallOrderDeps
  readonly #menus: VoiceMenus

  constructor(deps: CallOrderDeps) {
    this.#deps = deps
    this.#menus = new VoiceMenus(deps.catalog)
  }

  async hints(merchant: MerchantRecord): Promise<readonly string[]> {
    return (await this.#menus.lately(merchant.key)).hints()
  }

  async turn(turn: OrderTurn, signal: AbortSignal): Promise<OrderReply> {
    const heard = { ...turn, words: turn.words.slice(0, LONGEST_WORDS) }
    try {
      return await this.#answer(heard, signal)
    } catch (err) {
      // Never the words, nor the draft: they are the caller's.
      this.#deps.log.error({ err, callId: turn.callId }, 'an order by voice could not be worked on')
      return { kind: 'transfer', draft: turn.draft, say: orderTexts(turn.language).transfer, reason: 'refused' }
    }
  }

  async #answer(turn: OrderTurn, signal: AbortSignal): Promise<OrderReply> {
    const { words, language, draft } = turn
    const texts = orderTexts(language)
    for (const reason of ['allergy', 'complaint', 'person', 'delivery', 'later'] as const) {
      if (!intends(reason, words, language)) continue
      const say = texts[reason === 'complaint' || reason === 'person' ? 'transfer' : reason]
      return { kind: 'transfer', draft, say, reason }
    }
    if (intends('cancel', words, language)) {
      if (isAboutPlaced(draft, words)) return { kind: 'transfer', draft, say: texts.cancelPlaced, reason: 'person' }
      const say = draft.placed > 0 ? texts.leftRest : texts.left
      return { kind: 'left', draft: emptied(draft), say }
    }
    const menu = await this.#menus.of(turn.merchant.key)
    // What stands behind the limit is not known: it may be a no.
    const isPlainYes = words.length < LONGEST_WORDS && isYes(words, language)
    const isAgreed = isAgreedBy(draft, isPlainYes)
    if (isAgreed) return this.#place(turn, menu)
    return this.#talk(turn, menu, signal)
  }

  /** Everything but a yes to what was read back. */
  async #talk(turn: OrderTurn, menu: VoiceMenu, signal: AbortSignal): Promise<OrderReply> {
    const { language, draft } = turn
    const texts = orderTexts(language)
    const qty = draft.offered === null ? null : takenOf(turn.words, language)
    if (draft.offered !== null && qty !== null) {
      const add: OrderCommand = { do: 'add', umsId: draft.offered, qty, modifiers: [], note: null }
      return this.#obey(turn, menu, { commands: [add], isComplete: false, before: '' })
    }
    const answer = answerMenu({ ...turn, menu, currency: turn.merchant.currency })
    if (answer?.rest === '') return answered(turn, answer)
    const words = answer?.rest ?? turn.words
    const isDone = intends('done', words, language)
    const isNo = intends('no', words, language)
    const isAsking = intends('repeat', words, language)
    if (isNo && draft.readBack !== null && draft.questions.length === 0)
      return { kind: 'asks', draft: { ...draft, readBack: null, misunderstood: 0 }, say: texts.whatToChange }
    const rest = isDone ? withoutDone(words, language) : words
    // Who only asked what something costs wants no order.
    if (draft.offered !== null && draft.lines.length === 0 && (isNo || (isDone && rest === '')))
      return { kind: 'left', draft: emptied(draft), say: texts.left }
    // It was read back just now: only the yes is missing.
    if (isDone && rest === '' && isAgreedBy(draft, true))
      return { kind: 'asks', draft: { ...draft, misunderstood: 0 }, say: texts.confirm }
    const isDeclined = isNo && draft.questions.length > 0
    const commands: OrderCommand[] = isDeclined
      ? [{ do: 'decline', question: 0 }]
      : await this.#commands({ draft, menu, language, words: isAsking ? '' : rest }, signal)
    const isComplete = isDone || isAsking || isYes(words, language)
    return this.#obey(turn, menu, { commands, isComplete, before: answer?.say ?? '' })
  }

  /** @param before what is said before what became of the commands */
  #obey(
    turn: OrderTurn,
    menu: VoiceMenu,
    { commands, isComplete, before }: { commands: readonly OrderCommand[]; isComplete: boolean; before: string },
  ): OrderReply {
    const { language, draft, limits } = turn
    const texts = orderTexts(language)
    const { draft: next, facts } = applyCommands({ ...draft, isNameAsked: false, offered: null }, commands, {
      menu,
      limits,
    })
    if (facts.some(({ is }) => is === 'too-much'))
      return { kind: 'transfer', draft: next, say: texts.tooMuch, reason: 'amount' }
    const isUnderstood = isComplete || before !== '' || facts.some(({ is }) => is !== 'unknown')
    const misunderstood = isUnderstood ? 0 : draft.misunderstood + 1
    if (misunderstood >= MOST_MISUNDERSTOOD)
      return { kind: 'transfer', draft: next, say: texts.transfer, reason: 'misunderstood' }
    const said: readonly DraftFact[] = isUnderstood || facts.length > 0 ? facts : [{ is: 'unknown', words: '' }]
    const reply = this.#next({ ...turn, draft: { ...next, misunderstood } }, said, { isComplete })
    return before === '' ? reply : { ...reply, say: `${before} ${reply.say}` }
  }

  /** What became of the words, and the next question. */
  #next(turn: OrderTurn, facts: readonly DraftFact[], { isComplete }: { isComplete: boolean }): OrderReply {
    const { draft, language, merchant, from } = turn
    const about = spokenFacts(facts, draft, language)
    const say = (question: string) => [about, question].filter((part) => part !== '').join(' ')
    const question = nextQuestion(draft, merchant.currency, { language, isComplete })
    // Without a number the name is all that the counter has.
    if (question.isReadBack && from === null && draft.name === null)
      return { kind: 'asks', draft: { ...draft, isNameAsked: true }, say: say(orderTexts(language).askName) }
    return { kind: 'asks', draft: question.isReadBack ? readBack(draft) : draft, say: say(question.say) }
  }

  async #commands(heard: Understanding, signal: AbortSignal): Promise<OrderCommand[]> {
    if (heard.words === '') return []
    const byDriver = await this.#deps.driver?.understand(heard, signal).catch(() => null)
    const commands = byDriver ?? understand(heard)
    const isAnswer = heard.draft.isNameAsked && commands.every((command) => command.do === 'unknown')
    return isAnswer ? [{ do: 'name', name: bareName(heard.words) }] : commands
  }

  async #place(turn: OrderTurn, menu: VoiceMenu): Promise<OrderReply> {
    const { merchant, draft, language, limits } = turn
    const texts = orderTexts(language)
    const orderId = orderIdOf(turn)
    // A repeated turn, or one after a crash: this order is on disk already, whatever the menu says since.
    const first = await this.#deps.orders.first(merchant, orderId)
    if (first !== null) return this.#placedBefore(turn, first)
    const now = repriced(draft, menu)
    if (now.draft !== draft) return this.#changed(turn, now)
    if (!isWithin(draft, limits)) return { kind: 'transfer', draft, say: texts.tooMuch, reason: 'amount' }
    try {
      const outcome = await injectOrder(this.#deps, merchant, {
        body: bodyOf(turn, orderId),
        // The caller may hang up before the turn is over: the call knows its order as soon as there is one.
        beside: (tx, result) =>
          keepOrderOfCall(tx, turn.callId, asId<'ord'>((JSON.parse(result) as OrderResult).serviceOrderId)),
      })
      return placedReply(turn, { id: outcome.serviceOrderId, result: outcome.result }, this.#said(texts))
    } catch (refusal) {
      if (!(refusal instanceof ServiceError)) throw refusal
      const { code } = refusal
      this.#deps.log.warn({ callId: turn.callId, code }, 'an order by voice was refused')
      // Between the look at the menu and the order: another order took the last ones.
      const later = repriced(draft, await this.#menus.of(merchant.key))
      if (later.draft !== draft) return this.#changed(turn, later)
      return { kind: 'transfer', draft, say: orderTexts(language).transfer, reason: 'refused' }
    }
  }

  /** What is on disk must be what this yes is for: else nobody but a person may say what the kitchen makes. */
  #placedBefore(turn: OrderTurn, first: FirstOrder): OrderReply {
    const { draft, language, callId } = turn
    const texts = orderTexts(language)
    if (isHashOf(first.body_hash, bodyOf(turn, orderIdOf(turn))))
      return placedReply(turn, { id: first.id, result: first.result }, this.#said(texts))
    this.#deps.log.warn({ callId }, 'an order by voice was placed before with other content')
    return { kind: 'transfer', draft, say: texts.transfer, reason: 'refused' }
  }

  /** The menu is another one than when it was read back: it is read back again. */
  #changed(turn: OrderTurn, { draft, facts }: { draft: OrderDraft; facts: readonly DraftFact[] }): OrderReply {
    const { changedSince, sayYes, empty } = orderTexts(turn.language)
    const about = [changedSince, spokenFacts(facts, draft, turn.language)].filter((part) => part !== '').join(' ')
    if (draft.lines.length === 0) return { kind: 'asks', draft, say: `${about} ${empty}` }
    const all = readBackOf(draft, turn.merchant.currency, turn.language)
    return { kind: 'asks', draft: readBack(draft), say: `${about} ${all} ${sayYes}` }
  }

  #said(texts: OrderTexts): Said {
    return { texts, nowMs: this.#deps.clock.now() }
  }
}

/** The answer, and what the caller may say next. Nothing is read back, so that a yes is one to what is asked last. */
function answered({ draft: before, language, merchant }: OrderTurn, { say, offered }: MenuAnswer): OrderReply {
  const texts = orderTexts(language)
  const draft = { ...before, isNameAsked: false, misunderstood: 0, readBack: null, offered }
  const asked =
    draft.questions.length > 0 && nextQuestion(draft, merchant.currency, { language, isComplete: false }).say
  const open = draft.lines.length === 0 ? texts.whatElse : texts.anythingElse
  return { kind: 'asks', draft, say: `${say} ${asked || (offered === null ? open : texts.offer)}` }
}

const emptied = (draft: OrderDraft): OrderDraft => ({
  ...draft,
  lines: [],
  readBack: null,
  questions: [],
  offered: null,
})

/** It cancels an order that is with the kitchen: of this call, or, where this call has ordered nothing, of an earlier one. */
function isAboutPlaced({ placed, lines }: OrderDraft, words: string): boolean {
  if (placed > 0) return /cancel|order|pedido|orden/i.test(words)
  return lines.length === 0 && /order|pedido|orden/i.test(words)
}

interface Said {
  texts: OrderTexts
  nowMs: number
}

function placedReply(
  { draft, merchant, from }: OrderTurn,
  { id, result }: { id: ServiceOrderId; result: string },
  { texts, nowMs }: Said,
): OrderReply {
  const { estimatedReadyAt, printPending, ways } = JSON.parse(result) as OrderResult
  const minutes = Math.max(1, Math.round(((fromIso(estimatedReadyAt) ?? nowMs) - nowMs) / 60_000))
  // A live order that nothing is known to print, such as where no gateway is: nobody has seen it yet.
  const isSeen = printPending !== true && (merchant.environment === 'sandbox' || ways !== undefined)
  const when = isSeen ? texts.placed(minutes) : texts.placedLater
  const say =
    draft.name === null && from !== null ? `${when} ${texts.pickUp(lastFour(from).split('').join(' '))}` : when
  return { kind: 'placed', draft: afterPlacing(draft), say, orderId: id }
}

const lastFour = (number: string): string => number.slice(-4)

/** `It's for Ana` is Ana. */
function bareName(words: string): string {
  return words.replace(
    /^\s*(?:uh |um )?(?:it['’]?s|it is|that['’]?s|that is|this is|i['’]?m|i am|for|es|soy|para)\s+(?:for |para )?/i,
    '',
  )
}

/** The same for every repetition of a turn; the next order of a call has the next number. */
function orderIdOf({ callId, draft }: OrderTurn): string {
  return `call:${callId}:${draft.placed + 1}`
}

/** Through the schema of the API: whatever a caller or a menu said, an order is one that a client could send. */
function bodyOf({ merchant, draft, from }: OrderTurn, orderId: string): InjectOrder {
  // The counter needs something to find the ticket by.
  const name = draft.name ?? (from === null ? null : `Tel. ${lastFour(from)}`)
  const customer = { ...(name === null ? {} : { name }), ...(from === null ? {} : { phone: from }) }
  const body = {
    merchantId: merchant.publicId,
    orderId,
    source: VOICE_SOURCE,
    orderType: 'takeaway',
    items: draft.lines.map(({ umsId, qty, priceCents, modifiers, note }) => ({
      ...{ umsId, qty, price: priceCents / 100 },
      ...(note === null ? {} : { note }),
      ...(modifiers.length === 0 ? {} : { modifiers: modifiers.map((one) => one.umsId) }),
    })),
    total: totalCents(draft.lines) / 100,
    ...(Object.keys(customer).length === 0 ? {} : { customer }),
  }
  return injectBody.parse(body)
}
