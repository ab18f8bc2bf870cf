// One operation of the list: its words, the schema of its input, the required role.
import type { z } from 'zod'

/** The required role: `console` is anybody who may open the control socket, and nobody by the page. A technician may do everything that a manager may. */
export type OperationRole = 'manager' | 'technician' | 'console'

export function reads<S extends z.ZodType>(summary: string, input: S, role: OperationRole) {
  return { summary, input, changes: false, role }
}

/** It is logged with its caller. */
export function changes<S extends z.ZodType>(summary: string, input: S, role: OperationRole) {
  return { summary, input, changes: true, role }
}
