// What the live feed says, put together: a snapshot, then changes one key at a time. Pure.
import type { PrinterAnswer, RepairAnswer, StatusAnswer, TicketAnswer } from '#gateway/control/answers.ts'

export interface Topics {
  status: Readonly<Record<string, Omit<StatusAnswer, 'printers' | 'time'>>>
  printers: Readonly<Record<string, PrinterAnswer>>
  tickets: Readonly<Record<string, TicketAnswer>>
  repairs: Readonly<Record<string, RepairAnswer>>
  displays: Readonly<Record<string, unknown>>
}

export const NO_TOPICS: Topics = { status: {}, printers: {}, tickets: {}, repairs: {}, displays: {} }

interface Change {
  topic: string
  key: string
  /** Null: it is gone. */
  value: unknown
}

/** Topics of a newer box are passed over; those of an older one are empty. */
export function topicsOf(hello: unknown): Topics {
  const said = fieldsOf(fieldsOf(hello)['topics'])
  return Object.fromEntries(Object.keys(NO_TOPICS).map((topic) => [topic, fieldsOf(said[topic])])) as unknown as Topics
}

export function changed(topics: Topics, patch: unknown): Topics {
  const changes = fieldsOf(patch)['changes']
  if (!Array.isArray(changes)) return topics
  let next = topics as unknown as Record<string, Record<string, unknown>>
  for (const { topic, key, value } of changes as Change[]) {
    if (!Object.hasOwn(NO_TOPICS, topic)) continue
    const { [key]: _, ...others } = next[topic] ?? {}
    next = { ...next, [topic]: value === null ? others : { ...next[topic], [key]: value } }
  }
  return next as unknown as Topics
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
