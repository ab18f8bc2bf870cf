// The filters above a list: choices that begin with "any", and a button that clears all of them.
import { Button, NativeSelect, type NativeSelectProps } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Filters } from './use-filters.ts'

interface FilterBarProps {
  label: string
  filters: Pick<Filters<string>, 'isFiltered' | 'clear'>
  /** On the button. */
  clear: string
  children: ReactNode
}

export function FilterBar({ label, filters, clear, children }: FilterBarProps) {
  return (
    <search className="filters" aria-label={label}>
      {children}
      {filters.isFiltered && (
        <Button variant="subtle" onClick={filters.clear}>
          {clear}
        </Button>
      )}
    </search>
  )
}

interface FilterChoiceProps extends Pick<NativeSelectProps, 'label' | 'aria-label'> {
  /** Empty: any. */
  value: string
  set: (value: string) => void
  /** What the choice without a filter is called. */
  any: string
  choices: readonly (string | { value: string; label: string })[]
}

export function FilterChoice({ set, any, choices, ...select }: FilterChoiceProps) {
  return (
    <NativeSelect
      {...select}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      data={[{ value: '', label: any }, ...choices]}
    />
  )
}
