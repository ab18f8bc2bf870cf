// What is made of stored texts and costs time to make, kept until its text is another one. Those that were used least recently are forgotten.

interface Made<V> {
  mark: string
  value: V
}

export class KeptValues<V> {
  readonly #most: number
  readonly #kept = new Map<string, Made<V>>()

  constructor(most: number) {
    this.#most = most
  }

  /** The value of this name, made anew when its mark is another one than before. @param mark changes with whatever the value is made of */
  of(name: string, mark: string, make: () => V): V {
    const before = this.#kept.get(name)
    const made = before?.mark === mark ? before : { mark, value: make() }
    this.#kept.delete(name)
    this.#kept.set(name, made)
    const [oldest] = this.#kept.size > this.#most ? this.#kept.keys() : []
    if (oldest !== undefined) this.#kept.delete(oldest)
    return made.value
  }

  /** As it was made last; undefined: it was not, or is forgotten. */
  last(name: string): V | undefined {
    return this.#kept.get(name)?.value
  }
}
