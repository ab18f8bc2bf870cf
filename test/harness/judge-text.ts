// The judge of what stands on a ticket: letter for letter what the client ordered and what it was answered. It never asks our databases.
import { DUPLICATE_MARK } from './judge-paper.ts'

/** What a client ordered and what the relay has promised for it. */
export interface Promised {
  /** The client's own id, such as T-000001: it stands on paper. */
  token: string
  /** The note of its only line. */
  note: string
  posOrderId: string
  queuedAt: string
  estimatedReadyAt: string
  printJobId: string
  /** Of an order for later. */
  fireAt?: string | undefined
}

export interface WrongText {
  token: string
  /** What is not on paper, then what stands there instead. */
  wanted: string[]
  found: string[]
}

const TOKEN = /T-\d{6}/
/** Attempt and time are the printer's matter; the code is the job's. */
const JOB_LINE = /^job (\w{4})-\d+ kitchen try \d+ \d\d:\d\d:\d\d$/
/** Marks above a ticket's head. */
const MARKS = [
  new RegExp(`^\\*\\*\\* ${DUPLICATE_MARK} \\*\\*\\*$`),
  /^CHECK RAIL$/,
  /^LATE: sent (\d\d \w{3,4} )?\d\d:\d\d$/,
]

/** How tickets of one shape of order look, learnt from one that was printed while nothing failed. */
export class TicketText {
  readonly #lines: readonly string[]
  readonly #zone: string

  /**
   * @param paper the calm ticket's text
   * @param zone time zone of the merchant
   * @throws Error when the ticket does not say everything that was ordered: nothing could be judged by it
   */
  constructor(calm: Promised, paper: string, zone: string) {
    this.#zone = zone
    const lines = linesOf(paper)
    const words = this.#wordsOf(calm, lines)
    this.#lines = lines.map((line) => words.reduce((text, [name, word]) => text.replaceAll(word, name), line))
    const missing = words.filter(([name]) => !this.#lines.some((line) => line.includes(name)))
    if (missing.length > 0) throw new Error(`the calm ticket lacks ${missing.map(([, word]) => word)}:\n${paper}`)
  }

  /** What should stand on the order's ticket and does not, or stands there and should not; null: nothing. */
  faultOf(promised: Promised, paper: string): WrongText | null {
    const found = linesOf(paper)
    const words = this.#wordsOf(promised, found)
    const wanted = this.#lines.map((line) => words.reduce((text, [name, word]) => text.replaceAll(name, word), line))
    if (wanted.join('\n') === found.join('\n')) return null
    return {
      token: promised.token,
      wanted: wanted.filter((line) => !found.includes(line)),
      found: found.filter((line) => !wanted.includes(line)),
    }
  }

  /** @param lines of the paper: a moment of another day than that of printing stands there with its day */
  #wordsOf(promised: Promised, lines: readonly string[]): [string, string][] {
    const { token, note, posOrderId, queuedAt, estimatedReadyAt, printJobId, fireAt } = promised
    const clock = (at: string): string => {
      const { day, time } = this.#momentOf(at)
      return lines.some((line) => line.includes(`${day} ${time}`)) ? `${day} ${time}` : time
    }
    const fire = fireAt === undefined ? '' : ` FIRE ${clock(fireAt)}`
    return [
      ['{note}', note],
      ['{token}', token],
      ['{number}', `#${posOrderId.split('-').at(-1)} `],
      ['{queued}', `${clock(queuedAt)} ordered${fire}`],
      ['{ready}', `READY BY ${clock(estimatedReadyAt)}`],
      ['{job}', `job ${printJobId.slice(-4).toUpperCase()}`],
    ]
  }

  #momentOf(at: string): { day: string; time: string } {
    const [day = '', time = ''] = new Intl.DateTimeFormat('en-GB', {
      ...{ day: '2-digit', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: this.#zone },
    })
      .format(new Date(at))
      .split(', ')
    return { day, time }
  }
}

/**
 * Every ticket with a wrong text, and every ticket of an order that nobody was promised.
 * @param papers text of every complete ticket
 */
export function judgeTexts(text: TicketText, promised: readonly Promised[], papers: readonly string[]): WrongText[] {
  const byToken = new Map(promised.map((order) => [order.token, order]))
  return papers.flatMap((paper) => {
    const lines = linesOf(paper)
    // The line of the note is the first place that a flipped letter may be in: the order's own line decides.
    const own = lines.find((line) => line.startsWith('order ')) ?? ''
    const order = byToken.get(TOKEN.exec(own)?.[0] ?? TOKEN.exec(paper)?.[0] ?? '')
    if (!order) return [{ token: '', wanted: [], found: lines }]
    return text.faultOf(order, paper) ?? []
  })
}

/** Lines without marks, with single spaces; of the job's line only its code. */
function linesOf(paper: string): string[] {
  const lines = paper.split('\n').map((line) => line.trim().replaceAll(/\s+/g, ' '))
  const plain = lines.filter((line) => line !== '' && !MARKS.some((mark) => mark.test(line)))
  return plain.map((line) => line.replace(JOB_LINE, 'job $1'))
}
