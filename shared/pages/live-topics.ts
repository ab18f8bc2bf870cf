// The data of a page, by topic and key; the differences between two reads, numbered, and the last of them kept for pages that reconnect.

/** Topic to key to what it is. */
export type Topics = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface TopicChange {
  topic: string
  key: string
  /** Null: it is gone. */
  value: unknown
}

export interface TopicPatch {
  revision: number
  changes: TopicChange[]
}

const MOST_PATCHES = 200
const MOST_CHANGES = 4_000

/** Values are compared as JSON: that is what pages get. */
export class LiveTopics {
  #topics: Topics = {}
  #texts = new Map<string, string>()
  #revision = 0
  #patches: TopicPatch[] = []

  get revision(): number {
    return this.#revision
  }

  get topics(): Topics {
    return this.#topics
  }

  /** @returns null when nothing changed */
  look(topics: Topics): TopicPatch | null {
    const texts = new Map(
      Object.entries(topics).flatMap(([topic, values]) =>
        Object.entries(values).map(([key, value]): [string, string] => [nameOf(topic, key), JSON.stringify(value)]),
      ),
    )
    const set = Object.entries(topics).flatMap(([topic, values]) =>
      Object.entries(values)
        .filter(([key]) => texts.get(nameOf(topic, key)) !== this.#texts.get(nameOf(topic, key)))
        .map(([key, value]): TopicChange => ({ topic, key, value })),
    )
    const gone = Object.entries(this.#topics).flatMap(([topic, values]) =>
      Object.keys(values)
        .filter((key) => !texts.has(nameOf(topic, key)))
        .map((key): TopicChange => ({ topic, key, value: null })),
    )
    this.#topics = topics
    this.#texts = texts
    const changes = [...set, ...gone]
    return changes.length === 0 ? null : this.#keep(changes)
  }

  /** The patches after this revision; null when they are no longer all here. */
  since(revision: number): TopicPatch[] | null {
    if (revision === this.#revision) return []
    const first = this.#patches[0]
    if (!first || revision > this.#revision || revision < first.revision - 1) return null
    return this.#patches.filter((patch) => patch.revision > revision)
  }

  #keep(changes: TopicChange[]): TopicPatch {
    const patch = { revision: ++this.#revision, changes }
    this.#patches.push(patch)
    const size = (): number => this.#patches.reduce((sum, kept) => sum + kept.changes.length, 0)
    while (this.#patches.length > MOST_PATCHES || size() > MOST_CHANGES) this.#patches.shift()
    return patch
  }
}

function nameOf(topic: string, key: string): string {
  return `${topic} ${key}`
}
