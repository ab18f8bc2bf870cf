// Runs an operation: finds it, checks its input, logs who changed what. Independent of sockets.
import type { z } from 'zod'
import { fieldMessage } from '#shared/field-message.ts'
import { fieldRule } from '#shared/field-rule.ts'
import type { Logger } from '#shared/log.ts'
import type { OperationAnswers } from './answers.ts'
import { ControlRefusal, type FieldRefusal } from './control-refusal.ts'
import { isOperation, OPERATIONS, type OperationInput, type OperationName } from './operations.ts'

/** The caller, for what is stored with a name; `signal` is aborted when the caller no longer waits for the answer. */
export interface Asking {
  by: string
  signal?: AbortSignal | undefined
}

/** One function for each operation; answers are JSON. */
export type ControlHandlers = {
  readonly [N in OperationName]: (
    input: OperationInput<N>,
    asking?: Asking,
  ) => OperationAnswers[N] | Promise<OperationAnswers[N]>
}

/** A signed-in person, or the interface: `control socket`. */
export type Asker = string | { name: string; role: string }

export class Control {
  readonly #handlers: ControlHandlers
  readonly #log: Logger

  constructor(handlers: ControlHandlers, log: Logger) {
    this.#handlers = handlers
    this.#log = log
  }

  /**
   * @param asker for the log, and for what is kept with a name
   * @throws ControlRefusal with words for that person
   */
  async perform(
    name: string,
    body: unknown,
    { asker, signal }: { asker: Asker; signal?: AbortSignal },
  ): Promise<unknown> {
    if (!isOperation(name)) throw new ControlRefusal('not-found', `There is no operation ${name}.`)
    const { changes } = OPERATIONS[name]
    // Before it is done: a display that is removed has no name any more.
    const subject = changes ? await this.#subjectOf(body) : {}
    const answer = await this.#run(name, body, { by: typeof asker === 'string' ? asker : asker.name, signal })
    const who = typeof asker === 'string' ? asker : `${asker.name} (${asker.role})`
    if (changes) this.#log.info({ who, operation: name, ...subject }, 'changed by a person')
    return answer
  }

  /** Ids, printers, displays and stations only: whatever else was sent may hold names of guests or the code of a test ticket. */
  async #subjectOf(body: unknown): Promise<Record<string, string | readonly string[]>> {
    const given: object = typeof body === 'object' && body !== null ? body : {}
    const subject = Object.entries(given).flatMap(([key, value]) => {
      const words: unknown[] = Array.isArray(value) ? value : [value]
      const isNamed = SUBJECTS.includes(key) && words.every((word) => typeof word === 'string')
      return isNamed ? [[key, value] as [string, string | string[]]] : []
    })
    if (!subject.some(([key]) => DISPLAY_SUBJECTS.includes(key))) return Object.fromEntries(subject)
    const all = await this.#handlers['displays.list']({})
    const nameOf = (id: string): string => all.find(({ displayId }) => displayId === id)?.name ?? id
    return Object.fromEntries(
      subject.flatMap(([key, value]) => {
        if (!DISPLAY_SUBJECTS.includes(key)) return [[key, value]]
        const names = typeof value === 'string' ? nameOf(value) : value.map(nameOf)
        return key === 'displayId'
          ? [
              [key, value],
              ['display', names],
            ]
          : [[key, names]]
      }),
    )
  }

  async #run<N extends OperationName>(name: N, body: unknown, asking: Asking): Promise<unknown> {
    const schema: z.ZodType = OPERATIONS[name].input
    // Checked by the schema of this very operation.
    return await this.#handlers[name](checkedInput(schema, body) as OperationInput<N>, asking)
  }
}

/** @throws ControlRefusal that names each wrong field */
export function checkedInput<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body ?? {}, { error: fieldMessage })
  if (!parsed.success) throw invalid(parsed.error)
  return parsed.data
}

/** Their values name displays by their ids. */
const DISPLAY_SUBJECTS: readonly string[] = ['displayId', 'by', 'displays']
const SUBJECTS: readonly string[] = [
  ...['printer', 'printers', 'name', 'host', 'from', 'to', 'moveTo', 'ticketId', 'printJobId', 'how', 'station'],
  ...DISPLAY_SUBJECTS,
]

function invalid(error: z.ZodError): ControlRefusal {
  const errors = error.issues.slice(0, 20).map((issue): FieldRefusal => {
    const { path, message } = issue
    const unknown = issue.code === 'unrecognized_keys' ? issue.keys : []
    if (unknown.length > 0)
      return { field: [...path, ...unknown].join('.'), message: 'is not a field of this operation: leave it out' }
    const rule = fieldRule(issue)
    return { field: path.map(String).join('.'), message, ...(rule && { rule }) }
  })
  const words = errors.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
  return new ControlRefusal('invalid', words.join('; '), { errors })
}
