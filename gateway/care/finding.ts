// Creates one finding: its key makes the id; severity and subject come from the caller.
import type { Finding, FindingAct, FindingCost, FindingSubject, FindingValues } from '#shared/health.ts'
import type { ActKey, CostKey, FindingKey } from '#shared/health-words.ts'

export const BOX: FindingSubject = { kind: 'box', id: '', name: '' }
export const RELAY: FindingSubject = { kind: 'relay', id: '', name: '' }

/** No finding without its action: what a button cannot fix has a link to the page where a person does it. */
type Rest = Pick<Finding, 'severity'> & { act: FindingAct } & Partial<Omit<Finding, 'key' | 'act'>>

/** @param key its id too, with the id of the subject, unless `rest` gives another one */
export function finding(key: FindingKey, { subject = BOX, ...rest }: Rest): Finding {
  const id = subject.id === '' ? key : `${key}:${subject.id}`
  return { id, key, subject, values: {}, sinceMs: null, cost: null, ...rest }
}

export function cost(key: CostKey, count = 0, values: FindingValues = {}): FindingCost {
  return { key, count, values }
}

/** One operation of the control list. */
export function doing(
  key: ActKey,
  { operation, input, values = {} }: { operation: string; input: Record<string, unknown>; values?: FindingValues },
): FindingAct {
  return { kind: 'do', key, values, operation, input }
}

/** A page of the box. */
export function opening(key: ActKey, to: string, values: FindingValues = {}): FindingAct {
  return { kind: 'open', key, values, to }
}
