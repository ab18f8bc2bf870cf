// The tools that a chat model may call in an order, and what its calls become: commands for the draft, after checks. Pure.
import { z } from 'zod'
import { inSafeOrder, type OrderCommand } from './order-draft.ts'
import { wordsOf } from './voice-menu.ts'
import type { Understanding } from './words-driver.ts'

/** Of one answer: nobody orders more in a sentence. */
const MOST_CALLS = 20

const id = z.string().min(1).max(64)
const ids = z.array(id).max(10).default([])
const qty = z.number().int().min(1).max(999)
const note = z.string().max(200).nullable().default(null)
const line = z.number().int().min(1).max(100).describe('The number of the line in the order')

/** Strict: a model that sends a price, or anything else that was not asked for, is not believed at all. */
const TOOLS = {
  find_items: {
    does: 'Search the menu by words of a name',
    takes: z.strictObject({ words: z.string().min(1).max(120) }),
  },
  add_item: {
    does: 'Add an item of the menu to the order, or choose it as the answer to the question. Without qty it is one, or as many as the question says',
    takes: z.strictObject({ id, qty: qty.nullable().default(null), modifiers: ids, note }),
  },
  answer_no: {
    does: 'The caller does not want any of what the question asks about',
    takes: z.strictObject({}),
  },
  ask_which: {
    does: 'Ask the caller which of several items they mean',
    takes: z.strictObject({ ids: z.array(id).min(2).max(10), qty: qty.default(1), modifiers: ids, note }),
  },
  remove_item: {
    does: 'Remove a line, or only some pieces of it',
    takes: z.strictObject({ line, qty: qty.nullable().default(null) }),
  },
  set_quantity: { does: 'Change how many of a line', takes: z.strictObject({ line, qty }) },
  modify_item: { does: 'Add modifiers or a note to a line', takes: z.strictObject({ line, modifiers: ids, note }) },
  read_back: { does: 'Let the caller hear the order', takes: z.strictObject({}) },
  confirm: {
    does: 'Say that the caller agreed to the order. It is placed only if the caller did',
    takes: z.strictObject({}),
  },
} as const

type Tools = typeof TOOLS
type ToolName = keyof Tools

export type ChatWish = { [Name in ToolName]: { callId: string; tool: Name } & z.infer<Tools[Name]['takes']> }[ToolName]

/** In OpenAI's form. */
export const CHAT_TOOLS = Object.entries(TOOLS).map(([name, { does, takes }]) => {
  const { $schema: _, ...parameters } = z.toJSONSchema(takes, { io: 'input' })
  return { type: 'function', function: { name, description: does, parameters } }
})

const toolCall = z.object({
  id: z.string().max(200),
  type: z.literal('function').default('function'),
  function: z.object({ name: z.string().max(64), arguments: z.string().max(4_000) }),
})
export type ToolCall = z.infer<typeof toolCall>

export const chatAnswer = z.object({
  choices: z
    .tuple([z.object({ message: z.object({ tool_calls: z.array(toolCall).min(1).max(MOST_CALLS).nullish() }) })])
    .rest(z.unknown()),
})

/** Null: one of the calls is none of ours. */
export function wishesOf(calls: readonly ToolCall[]): ChatWish[] | null {
  const wishes: ChatWish[] = []
  for (const { id: callId, function: called } of calls) {
    const tool = Object.hasOwn(TOOLS, called.name) ? (called.name as ToolName) : null
    const takes = tool === null ? null : TOOLS[tool].takes.safeParse(readArguments(called.arguments))
    if (tool === null || !takes?.success) return null
    wishes.push({ callId, tool, ...takes.data } as ChatWish)
  }
  return wishes
}

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text === '' ? '{}' : text)
  } catch {
    return null
  }
}

/**
 * Null: something is not on the menu, or not in the order. Lines are those that the model was shown: what moves them comes last. A yes is
 * not among the commands: only the caller's own words are one.
 */
export function commandsOf(wishes: readonly ChatWish[], heard: Understanding): OrderCommand[] | null {
  const commands: OrderCommand[] = []
  for (const wish of wishes) {
    const command = commandOf(wish, heard)
    if (command === null) return null
    commands.push(command)
  }
  return inSafeOrder(commands)
}

function commandOf(wish: ChatWish, { draft, menu, words }: Understanding): OrderCommand | null {
  const isModifiers = (all: readonly string[]) => all.every((one) => menu.entry(one)?.kind === 'modifier')
  const isItem = (one: string) => menu.entry(one)?.kind === 'item'
  const hasLine = (number: number) => number <= draft.lines.length
  switch (wish.tool) {
    case 'add_item': {
      const { id: umsId, modifiers } = wish
      if (!isItem(umsId) || !isModifiers(modifiers)) return null
      const wanted = { umsId, modifiers, note: ownWords(wish.note, words) }
      const isAnswer = draft.questions.some(({ candidates }) => candidates.some((one) => one.umsId === umsId))
      return isAnswer ? { do: 'answer', ...wanted, qty: wish.qty } : { do: 'add', ...wanted, qty: wish.qty ?? 1 }
    }
    case 'ask_which': {
      const { ids: umsIds, modifiers } = wish
      if (!umsIds.every(isItem) || !isModifiers(modifiers)) return null
      return { do: 'which', umsIds, qty: wish.qty, modifiers, note: ownWords(wish.note, words) }
    }
    case 'answer_no':
      return draft.questions.length > 0 ? { do: 'decline', question: 0 } : null
    case 'remove_item':
      return hasLine(wish.line) ? { do: 'remove', line: wish.line - 1, qty: wish.qty } : null
    case 'set_quantity':
      return hasLine(wish.line) ? { do: 'quantity', line: wish.line - 1, qty: wish.qty } : null
    case 'modify_item': {
      const { modifiers } = wish
      if (!hasLine(wish.line) || !isModifiers(modifiers)) return null
      return { do: 'modify', line: wish.line - 1, modifiers, note: ownWords(wish.note, words), pieces: null }
    }
    default:
      return { do: 'read-back' }
  }
}

const ALWAYS = new Set(['no', 'without', 'sin', 'and', 'y'])

/** A note is printed in the kitchen: it has only words that the caller said. Null: it has others. */
function ownWords(text: string | null, said: string): string | null {
  const own = new Set(wordsOf(said))
  const words = wordsOf(text ?? '')
  return words.length > 0 && words.every((word) => own.has(word) || ALWAYS.has(word)) ? text : null
}
