// The newest lines of the gateway's own log, kept in memory: what the page and the diagnostics bundle show. The card is not written to.

export interface LogLine {
  /** Counts from the start of the program: the cursor of `lines`. */
  position: number
  atMs: number
  /** Pino's number: 30 info, 40 warn, 50 error. */
  level: number
  message: string
  details: Record<string, unknown>
}

export interface LogQuery {
  leastLevel: number
  /** Found in the message or the details, without regard to case. */
  text: string
  limit: number
  before?: number | undefined
}

const MOST_LINES = 2_000
const MOST_BYTES = 512 * 1024
const LONGEST_LINE = 4_096

export class LogRing {
  #lines: { position: number; text: string }[] = []
  #bytes = 0
  #written = 0

  /** One JSON line as pino writes it. Parsed only when it is read: writing must cost nothing. */
  write(line: string): void {
    const text = line.length > LONGEST_LINE ? line.slice(0, LONGEST_LINE) : line
    this.#lines.push({ position: ++this.#written, text })
    this.#bytes += text.length
    while (this.#lines.length > MOST_LINES || this.#bytes > MOST_BYTES)
      this.#bytes -= this.#lines.shift()?.text.length ?? 0
  }

  /** Newest first. */
  lines({ leastLevel, text, limit, before = Number.POSITIVE_INFINITY }: LogQuery): LogLine[] {
    const wanted = text.toLowerCase()
    const found: LogLine[] = []
    for (let index = this.#lines.length - 1; index >= 0 && found.length < limit; index--) {
      const line = this.#lines[index]
      if (!line || line.position >= before || !line.text.toLowerCase().includes(wanted)) continue
      const read = readLine(line.position, line.text)
      if (read.level >= leastLevel) found.push(read)
    }
    return found
  }
}

const KEPT_OUT = new Set(['level', 'time', 'msg', 'program'])

function readLine(position: number, text: string): LogLine {
  try {
    const line = JSON.parse(text) as Record<string, unknown>
    const details = Object.fromEntries(Object.entries(line).filter(([key]) => !KEPT_OUT.has(key)))
    return {
      position,
      atMs: Number(line['time']) || 0,
      level: Number(line['level']) || 0,
      message: String(line['msg'] ?? ''),
      details,
    }
  } catch {
    // It was too long to be kept whole.
    return { position, atMs: 0, level: 30, message: text.slice(0, 500), details: {} }
  }
}
