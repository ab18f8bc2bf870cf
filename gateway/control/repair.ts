// One entry of the repairs list: its words, and the operation behind its button. Pure.
import type { RepairAnswer } from './answers.ts'
import { OPERATIONS, type OperationName } from './operations.ts'

export type Repair = Pick<RepairAnswer, 'severity' | 'title' | 'text'> &
  Partial<Omit<RepairAnswer, 'fix'>> & {
    fix?: { operation: OperationName; input: Record<string, unknown>; label: string }
  }

/** @param key stable; its id too, unless `rest` gives another one */
export function repair(key: string, { severity, title, text, fix, ...rest }: Repair): RepairAnswer {
  const mended = fix ? { ...fix, role: roleFor(fix.operation) } : null
  return { id: key, key, severity, title, text, values: {}, since: null, ...rest, fix: mended }
}

/** Nothing that only the console may do mends anything by a button. */
function roleFor(operation: OperationName): 'manager' | 'technician' {
  return OPERATIONS[operation].role === 'manager' ? 'manager' : 'technician'
}
