// The filters of a list are kept in the address: a link shows the same list, and so does the Back button.
import { useNavigate, useSearch } from '@tanstack/react-router'

export interface Filters<K extends string> {
  /** What is not in the address is empty. */
  values: Readonly<Record<K, string>>
  /** Sets some of them. */
  set: (to: Partial<Filters<K>['values']>) => void
  isFiltered: boolean
  clear: () => void
}

/** @param names of the filters in the address */
export function useFilters<K extends string>(names: readonly K[]): Filters<K> {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const each = (value: (name: K) => string) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as Record<K, string>
  const set = (to: Partial<Record<K, string>>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...to }), replace: true })
  return {
    values: each((name) => textOf(search[name])),
    set,
    isFiltered: names.some((name) => textOf(search[name]) !== ''),
    clear: () => set(each(() => '')),
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
