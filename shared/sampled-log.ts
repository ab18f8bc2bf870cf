// Limits log lines that outside messages can cause: a few a minute of each subject and kind, not many of each kind, and in a program
// altogether no more than a disk can take. Omitted lines are counted, and the count is logged within a minute.
import { type Logger, stdSerializers } from 'pino'
import type { Clock } from './clock.ts'

const MINUTE_MS = 60_000
/** Of one subject and kind: enough to see what an honest one does. */
const LINES_A_MINUTE = 10
/** Of one kind, for all subjects: ten thousand gateways that lose their relay together are one event. A kind of which one subject may write more has that many in total. */
const OF_A_KIND = 100
/** Of all kinds of a program. */
const OF_ALL = 1_500
/** The same in bytes, as errors have stacks: with the lines about omitted ones, less than a megabyte. */
const BYTES_OF_ALL = 900_000
/** The fields of a line besides message and detail: level, time, program. */
const FRAME_BYTES = 100
const UNKNOWN_BYTES = 4_096
/** Subjects that are named where lines were left out: those with the most. */
const NAMED = 3

type SampledLevel = 'info' | 'warn' | 'error'
type SampledLogger = Pick<Logger, SampledLevel>
type SampledClock = Pick<Clock, 'monotonicMs' | 'after'>

interface Minute {
  sinceMs: number
  said: number
}

interface LeftOut {
  level: SampledLevel
  leftOut: number
  subjects: Map<string, number>
}

/** What all sampled lines that go to one logger share. */
class LogBudget {
  readonly #log: SampledLogger
  readonly #clock: SampledClock
  readonly #minutes = new Map<string, Minute>()
  readonly #leftOut = new Map<string, LeftOut>()
  #bytes: { minute: Minute | null; written: number } = { minute: null, written: 0 }
  #isArmed = false

  constructor(log: SampledLogger, clock: SampledClock) {
    this.#log = log
    this.#clock = clock
  }

  /** Whether this line may be written; counted either way. */
  admit(line: { level: SampledLevel; subject: string; message: string; detail: object; most: number }): boolean {
    const { level, subject, message, detail, most } = line
    this.#arm()
    const now = this.#clock.monotonicMs()
    const all = this.#minute('', now)
    const minutes = [
      { minute: this.#minute(`${subject} ${message}`, now), most },
      { minute: this.#minute(message, now), most: Math.max(most, OF_A_KIND) },
      { minute: all, most: OF_ALL },
    ]
    if (this.#bytes.minute !== all) this.#bytes = { minute: all, written: 0 }
    if (this.#bytes.written < BYTES_OF_ALL && minutes.every((one) => one.minute.said < one.most)) {
      for (const { minute } of minutes) minute.said++
      this.#bytes.written += FRAME_BYTES + message.length + bytesOf(detail)
      return true
    }
    const left = this.#leftOut.get(message) ?? { level, leftOut: 0, subjects: new Map<string, number>() }
    left.leftOut++
    left.subjects.set(subject, (left.subjects.get(subject) ?? 0) + 1)
    this.#leftOut.set(message, left)
    return false
  }

  #minute(key: string, now: number): Minute {
    const known = this.#minutes.get(key)
    if (known && now - known.sinceMs < MINUTE_MS) return known
    const minute = { sinceMs: now, said: 0 }
    this.#minutes.set(key, minute)
    return minute
  }

  /** Once a minute while anything is logged. */
  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    this.#clock.after(MINUTE_MS, () => {
      this.#isArmed = false
      this.#tell()
    })
  }

  #tell(): void {
    const now = this.#clock.monotonicMs()
    for (const [key, { sinceMs }] of this.#minutes) if (now - sinceMs >= MINUTE_MS) this.#minutes.delete(key)
    if (this.#minutes.size > 0) this.#arm()
    for (const [message, { level, leftOut, subjects }] of this.#leftOut) {
      const most = [...subjects].sort(([, a], [, b]) => b - a).slice(0, NAMED)
      this.#log[level](
        { line: message, leftOut, subjects: subjects.size, most: Object.fromEntries(most) },
        'lines were left out',
      )
    }
    this.#leftOut.clear()
  }
}

/** About as many as the log writes of it, which also writes what JSON has not: an object within itself, a number without an end. Never throws. */
function bytesOf(detail: object): number {
  for (const replacer of [written, onceEach()]) {
    try {
      return Buffer.byteLength(JSON.stringify(detail, replacer))
    } catch {
      // The next one, or a guess.
    }
  }
  return UNKNOWN_BYTES
}

function written(_: string, value: unknown): unknown {
  return value instanceof Error ? stdSerializers.err(value) : value
}

function onceEach(): (key: string, value: unknown) => unknown {
  const seen = new WeakSet<object>()
  return (key, value) => {
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'object' || value === null) return value
    if (seen.has(value)) return '[Circular]'
    seen.add(value)
    return written(key, value)
  }
}

/** Of loggers that write into no other: a program has one of these, so one budget. */
const budgets = new WeakMap<SampledLogger, LogBudget>()
/** Loggers that write into another one. */
const targets = new WeakMap<SampledLogger, SampledLogger>()

/** For code that makes a logger out of another one: sampled lines of the two are counted together from now on. */
export function writesInto(log: SampledLogger, target: SampledLogger): void {
  targets.set(log, target)
}

function budgetOf(log: SampledLogger, clock: SampledClock): LogBudget {
  const target = targets.get(log)
  if (target) return budgetOf(target, clock)
  const known = budgets.get(log)
  if (known) return known
  const budget = new LogBudget(log, clock)
  budgets.set(log, budget)
  return budget
}

/**
 * Messages are words of the program, or the memory of them would have no end. All that go to one logger, also by way of another
 * (`writesInto`), share its budget.
 */
export class SampledLog {
  readonly #log: SampledLogger
  readonly #budget: LogBudget
  readonly #mostAMinute: number

  /** @param mostAMinute lines of one subject and message */
  constructor(log: SampledLogger, clock: SampledClock, mostAMinute = LINES_A_MINUTE) {
    this.#log = log
    this.#budget = budgetOf(log, clock)
    this.#mostAMinute = mostAMinute
  }

  /** @param subject such as a gateway's id */
  info(subject: string, detail: object, message: string): void {
    this.#say('info', { subject, message }, detail)
  }

  /** @param subject such as a gateway's id */
  warn(subject: string, detail: object, message: string): void {
    this.#say('warn', { subject, message }, detail)
  }

  /** @param subject such as a gateway's id */
  error(subject: string, detail: object, message: string): void {
    this.#say('error', { subject, message }, detail)
  }

  #say(level: SampledLevel, { subject, message }: { subject: string; message: string }, detail: object): void {
    const line = { level, subject, message, detail, most: this.#mostAMinute }
    if (this.#budget.admit(line)) this.#log[level](detail, message)
  }
}
