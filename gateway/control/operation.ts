// One operation of the list: its words, the schema of its input, who may ask for it.
import type { z } from 'zod'

/** Who may ask for it: `console` is whoever may open the control socket, and nobody by the page. A technician may all that a manager may. */
export type OperationRole = 'manager' | 'technician' | 'console'

export function reads<S extends z.ZodType>(summary: string, input: S, role: OperationRole) {
  return { summary, input, changes: false, role }
}

/** It is logged with who asked for it. */
export function changes<S extends z.ZodType>(summary: string, input: S, role: OperationRole) {
  return { summary, input, changes: true, role }
}
