// A choice among the printers that are set up.
import type { NativeSelectProps } from '@mantine/core'
import { useLive } from '#gateway/web/admin/live.tsx'
import { ChoiceField, type Settable } from '#shared/ui/parts/fields.tsx'

/** One of the printers that are set up, or the choice that stands for none of them: the empty one. */
export function PrinterField({
  none,
  except,
  ...field
}: Omit<NativeSelectProps, 'onChange' | 'value' | 'data'> &
  Settable & { name: string; none: string; except?: string }) {
  const printers = Object.values(useLive().topics.printers).filter(({ printerId }) => printerId !== except)
  return (
    <ChoiceField
      {...field}
      choices={[['', none] as const, ...printers.map(({ printerId, name }) => [printerId, name] as const)]}
    />
  )
}
