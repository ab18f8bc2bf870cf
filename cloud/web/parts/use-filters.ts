// Filters of a list stand in the address: a link shows the same, and the way back too.
import { useNavigate, useSearch } from '@tanstack/react-router'

export type Filters<K extends string> = Readonly<Record<K, string>>

/** @param names of the filters in the address; what is not there is empty @returns the filters, and how to set some of them */
export function useFilters<K extends string>(names: readonly K[]): [Filters<K>, (to: Partial<Filters<K>>) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const filters = Object.fromEntries(names.map((name) => [name, textOf(search[name])])) as Filters<K>
  const set = (to: Partial<Filters<K>>) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...to }), replace: true })
  return [filters, set]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
