// The state of a live feed: a snapshot, then changes, one key at a time. Pure.

/** Values by topic and key. */
export type AnyTopics = Readonly<Record<string, Readonly<Record<string, unknown>>>>

interface Change {
  topic: string
  key: string
  /** Null: deleted. */
  value: unknown
}

/** @param names of the topics that the page uses */
export function noTopics(names: readonly string[]): AnyTopics {
  return Object.fromEntries(names.map((name) => [name, {}]))
}

/** Topics of a newer server are ignored; topics that an older one lacks are empty. */
export function topicsOf(names: readonly string[], hello: unknown): AnyTopics {
  const said = fieldsOf(fieldsOf(hello)['topics'])
  return Object.fromEntries(names.map((topic) => [topic, fieldsOf(said[topic])]))
}

export function changed(topics: AnyTopics, patch: unknown): AnyTopics {
  const changes = fieldsOf(patch)['changes']
  if (!Array.isArray(changes)) return topics
  let next = topics
  for (const { topic, key, value } of changes as Change[]) {
    if (!Object.hasOwn(topics, topic)) continue
    const { [key]: _, ...others } = next[topic] ?? {}
    next = { ...next, [topic]: value === null ? others : { ...next[topic], [key]: value } }
  }
  return next
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
