// The filters above a list: choices that begin with "any", and a button that clears all of them. On a phone they are behind one button.
import { Button, NativeSelect, type NativeSelectProps } from '@mantine/core'
import { type ReactNode, useId, useState } from 'react'
import { useWide } from '#shared/ui/use-wide.ts'
import type { Filters } from './use-filters.ts'

/** From this width on the filters fit in one row. */
const WIDE_REM = 44

interface FilterBarProps {
  label: string
  filters: Pick<Filters<string>, 'values' | 'isFiltered' | 'clear'>
  /** On the button. */
  clear: string
  children: ReactNode
}

export function FilterBar({ label, filters, clear, children }: FilterBarProps) {
  const isWide = useWide(WIDE_REM)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const chosen = Object.values(filters.values).filter((value) => value !== '').length
  const clearAll = filters.isFiltered && (
    <Button variant="subtle" onClick={filters.clear}>
      {clear}
    </Button>
  )
  if (isWide)
    return (
      <search className="filters" aria-label={label}>
        {children}
        {clearAll}
      </search>
    )
  return (
    <search className="folded-filters" aria-label={label}>
      <div className="filters">
        <Button variant="default" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          {chosen === 0 ? label : `${label} (${chosen})`}
        </Button>
        {clearAll}
      </div>
      <div id={id} className="fields" hidden={!isOpen}>
        {children}
      </div>
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
