// The state of `listen` that survives a kill: its listener, and the deliveries that the target may have received without the relay having the result.
import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** The result of one attempt, as the relay accepts it. */
export type AttemptResult = { ms: number; response?: string } & ({ status: number } | { error: string })

/** For a delivery that was being sent when this program was killed: it may have arrived. */
const IN_DOUBT: AttemptResult = { error: 'reset', ms: 0 }

type Entry =
  | { listener: { webhookId: string; secret: string | null } }
  | { begun: string }
  | { answered: string; result: AttemptResult }
  | { recorded: string }

/** The file is rewritten at this length, since all but the last lines are obsolete. */
const MOST_LINES = 20_000

export class ListenJournal {
  readonly #file: string
  readonly #open = new Map<string, AttemptResult | null>()
  #lines = 0
  listener: { webhookId: string; secret: string | null } | null = null

  private constructor(file: string) {
    this.#file = file
  }

  /** Continues from the end of the last run, whether it was killed or not. */
  static open(file: string): ListenJournal {
    const journal = new ListenJournal(file)
    for (const line of linesOf(file)) journal.#take(line)
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    journal.#rewrite()
    return journal
  }

  /** Attempts of before this start that the relay has no result of, by delivery and number. */
  leftOver(): { key: string; result: AttemptResult }[] {
    return [...this.#open].map(([key, result]) => ({ key, result: result ?? IN_DOUBT }))
  }

  listens(listener: { webhookId: string; secret: string | null }): void {
    this.#open.clear()
    this.#write({ listener })
    this.#rewrite()
  }

  /** Called before the first byte is sent to the target. */
  begun(key: string): void {
    this.#write({ begun: key })
  }

  answered(key: string, result: AttemptResult): void {
    this.#write({ answered: key, result })
  }

  /** The relay has the result, or does not want it any more; or nothing of it has arrived at the target. */
  recorded(key: string): void {
    this.#write({ recorded: key })
  }

  #write(entry: Entry): void {
    this.#take(entry)
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`)
    if (++this.#lines > MOST_LINES) this.#rewrite()
  }

  #take(entry: Entry): void {
    if ('listener' in entry) this.listener = entry.listener
    else if ('begun' in entry) this.#open.set(entry.begun, null)
    else if ('answered' in entry) this.#open.set(entry.answered, entry.result)
    else this.#open.delete(entry.recorded)
  }

  #rewrite(): void {
    const entries: Entry[] = [
      ...(this.listener === null ? [] : [{ listener: this.listener }]),
      ...[...this.#open].map(([key, result]): Entry => (result === null ? { begun: key } : { answered: key, result })),
    ]
    const next = `${this.#file}.next`
    writeFileSync(next, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 })
    renameSync(next, this.#file)
    this.#lines = entries.length
  }
}

/** A line that was cut off by a kill is ignored. */
function linesOf(file: string): Entry[] {
  let text = ''
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line)
      return typeof entry === 'object' && entry !== null ? [entry as Entry] : []
    } catch {
      return []
    }
  })
}
