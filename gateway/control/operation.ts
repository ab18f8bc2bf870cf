// One operation of the list: its words, the schema of its input, who may ask for it.
import type { z } from 'zod'

/** Who may ask for it: `console` is whoever may open the control socket, and nobody by the page. A technician may all that a manager may. */
export type OperationRole = 'manager' | 'technician' | 'console'

/** `changes`: it is logged with who asked for it. */
export function operation<S extends z.ZodType>(
  summary: string,
  input: S,
  changes: 'changes' | 'reads',
  role: OperationRole,
) {
  return { summary, input, changes: changes === 'changes', role }
}
