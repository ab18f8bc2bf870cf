// A choice among many, which one finds by typing: only what the list offers can be chosen.
import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'
import { useFieldProblem } from '#shared/ui/parts/form.tsx'
import '@mantine/core/styles/Combobox.css'
import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/ScrollArea.css'

interface SearchChoiceProps extends Pick<SelectProps, 'label' | 'description' | 'required' | 'data'> {
  /** As the server calls it. */
  name: string
  value: string
  set: (value: string) => void
  /** Shown when nothing is found. */
  none: string
}

/** The most that is drawn at a time: typing a letter more finds the rest. */
const MOST_SHOWN = 60

export function SearchChoice({ name, set, none, ...select }: SearchChoiceProps) {
  const problem = useFieldProblem(name)
  const [isOpen, setOpen] = useState(false)
  return (
    <Select
      {...select}
      name={name}
      error={problem}
      searchable
      allowDeselect={false}
      limit={MOST_SHOWN}
      nothingFoundMessage={none}
      maxDropdownHeight={280}
      openOnFocus={false}
      // In the page itself: what belongs together is read together.
      comboboxProps={{ withinPortal: false }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      // Else Tab would go into the list, which scrolls, and be lost with it.
      onKeyDown={({ key }) => key === 'Tab' && setOpen(false)}
      onChange={(value) => value !== null && set(value)}
    />
  )
}
