// Search words for an order: its number, a guest, a dish, an id. Whether an order's document matches them. Pure.
import type { KitchenOrder } from '#shared/order.ts'
import { maskedGuest } from '#shared/tickets/guest-name.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'

/** The searched fields. Of the guest's name only the part that is on paper. */
export type WordsOf = Pick<
  KitchenOrder,
  | 'serviceOrderId'
  | 'orderId'
  | 'posOrderId'
  | 'source'
  | 'orderType'
  | 'table'
  | 'server'
  | 'customer'
  | 'addOnTo'
  | 'items'
>

export interface OrderWords {
  /** False: no order with this text can match, and it need not be parsed. Quick, because most do not. */
  mayFit(jobId: string, documentText: string): boolean
  fits(jobId: string, order: WordsOf): boolean
}

interface Word {
  text: string
  /** In the form of JSON. */
  inJson: string
  /** `#64`: the number alone. */
  isNumberOnly: boolean
  /** `64`: as a whole word, otherwise every id with these digits would match. */
  isWhole: boolean
}

/** Digits by which people call an order or a table. */
const SHORT_NUMBER = /^\d{1,4}$/
const ASCII = /^[\u0020-\u007e\s]*$/

/** @param search words in any order, all of which must match; null: no words */
export function orderWords(search: string): OrderWords | null {
  const words = folded(search)
    .split(/\s+/u)
    .map((word) => word.replace(/[.,;]+$/u, ''))
    .filter((word) => word !== '' && word !== '#')
    .map(wordOf)
  if (words.length === 0) return null
  return {
    mayFit(jobId, documentText) {
      const text = folded(documentText)
      return words.every(({ inJson }) => text.includes(inJson) || jobId.includes(inJson))
    },
    fits(jobId, order) {
      const number = folded(orderNumber(order))
      const texts = textsOf(jobId, order).map(folded)
      return words.every(({ text, isNumberOnly, isWhole }) => {
        if (number === text) return true
        if (isNumberOnly) return false
        return texts.some((one) => (isWhole ? wholesOf(one).includes(text) : one.includes(text)))
      })
    },
  }
}

/** Lower case without accents: a search for jalapeno finds it as the menu writes it. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  return ASCII.test(lower) ? lower : lower.normalize('NFD').replace(/\p{M}+/gu, '')
}

function wordOf(typed: string): Word {
  const isNumberOnly = typed.startsWith('#')
  const text = isNumberOnly ? typed.slice(1) : typed
  return { text, inJson: JSON.stringify(text).slice(1, -1), isNumberOnly, isWhole: SHORT_NUMBER.test(text) }
}

function textsOf(jobId: string, order: WordsOf): string[] {
  const { customer, items, orderType, table, server, addOnTo, posOrderId } = order
  const said = [orderType, table, server, addOnTo, posOrderId, maskedGuest(customer?.name ?? '')]
  const names = items.flatMap(({ name, modifiers }) => [name, ...modifiers.map((modifier) => modifier.name)])
  return [jobId, order.serviceOrderId, order.orderId, order.source, ...said, ...names].flatMap((text) => text || [])
}

/** The words and numbers of a text, and all of it. */
function wholesOf(text: string): string[] {
  return [text, ...text.split(/[^\p{L}\p{N}]+/u)]
}
