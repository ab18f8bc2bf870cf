// Does what a technician asks: finds the operation, checks its input, logs who changed what. Knows nothing of sockets.
import type { z } from 'zod'
import { fieldMessage } from '#shared/field-message.ts'
import type { Logger } from '#shared/log.ts'
import type { OperationAnswers } from './answers.ts'
import { ControlRefusal, type FieldRefusal } from './control-refusal.ts'
import { fieldRule } from './field-rule.ts'
import { isOperation, OPERATIONS, type OperationInput, type OperationName } from './operations.ts'

/** One function for each operation; answers are JSON. */
export type ControlHandlers = {
  readonly [N in OperationName]: (input: OperationInput<N>) => OperationAnswers[N] | Promise<OperationAnswers[N]>
}

export class Control {
  readonly #handlers: ControlHandlers
  readonly #log: Logger

  constructor(handlers: ControlHandlers, log: Logger) {
    this.#handlers = handlers
    this.#log = log
  }

  /**
   * @param who who asks, for the log: `control socket`
   * @throws ControlRefusal with words for that person
   */
  async perform(name: string, body: unknown, who: string): Promise<unknown> {
    if (!isOperation(name)) throw new ControlRefusal('not-found', `There is no operation ${name}.`)
    const answer = await this.#run(name, body)
    if (OPERATIONS[name].changes) this.#log.info({ who, operation: name, ...subjectOf(body) }, 'changed by a person')
    return answer
  }

  async #run<N extends OperationName>(name: N, body: unknown): Promise<unknown> {
    const schema: z.ZodType = OPERATIONS[name].input
    // Checked by the schema of this very operation.
    return await this.#handlers[name](checkedInput(schema, body) as OperationInput<N>)
  }
}

/** @throws ControlRefusal that names each wrong field */
export function checkedInput<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body ?? {}, { error: fieldMessage })
  if (!parsed.success) throw invalid(parsed.error)
  return parsed.data
}

const SUBJECTS = ['printer', 'name', 'host', 'from', 'to', 'moveTo', 'ticketId', 'how']

/** Ids and printers only: whatever else was sent may hold names of guests or the code of a test ticket. */
function subjectOf(body: unknown): Record<string, string> {
  const given: object = typeof body === 'object' && body !== null ? body : {}
  const subject = Object.entries(given).filter(([key]) => SUBJECTS.includes(key))
  return Object.fromEntries(subject.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

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
  return new ControlRefusal('invalid', words.join('; '), errors)
}
