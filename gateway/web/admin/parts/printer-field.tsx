// A choice among the printers that are set up.
import type { NativeSelectProps } from '@mantine/core'
import { useLive } from '#gateway/web/admin/live.tsx'
import { ChoiceField, type Settable } from '#shared/ui/parts/fields.tsx'

/** One of the configured printers, or the empty choice for none. */
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
