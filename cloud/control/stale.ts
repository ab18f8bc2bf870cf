// Two people who change the same thing: a change contains what its person saw, and is refused when the stored value is different by now.
import { ControlRefusal } from './control-refusal.ts'

type Value = string | number | boolean | null

/**
 * Compares what was seen with the stored values. Call it inside the transaction that changes them.
 * @param present by the names of the input's fields
 * @param seen absent, or without a field: nothing is compared
 * @throws ControlRefusal stale; `said.values` has the present value of each field that differs, `''` for none
 */
export function refuseStale<K extends string>(
  present: Readonly<Record<K, Value>>,
  seen: Readonly<Partial<Record<K, Value | undefined>>> | undefined,
): void {
  const differs = (Object.keys(present) as K[]).filter(
    (name) => seen?.[name] !== undefined && seen[name] !== present[name],
  )
  if (differs.length === 0) return
  const values = Object.fromEntries(differs.map((name) => [name, shown(present[name])]))
  const words = differs.map((name) => `${name} is ${JSON.stringify(present[name])} now`).join(', ')
  throw new ControlRefusal('stale', `Somebody else has changed it meanwhile: ${words}. Nothing was saved.`, {
    said: { key: 'seen.stale', values },
  })
}

const shown = (value: Value): string | number => (typeof value === 'number' ? value : String(value ?? ''))
