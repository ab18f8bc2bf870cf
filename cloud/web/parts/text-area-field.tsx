// A field with several lines of text; its error is shown beside it.
import { Textarea, type TextareaProps } from '@mantine/core'
import type { Settable } from '#shared/ui/parts/fields.tsx'
import { useFieldProblem } from '#shared/ui/parts/form.tsx'

export function TextAreaField({
  set,
  ...field
}: Omit<TextareaProps, 'onChange' | 'value' | 'name'> & Settable & { name: string }) {
  const problem = useFieldProblem(field.name)
  return (
    <Textarea autosize={false} {...field} error={problem} onChange={({ currentTarget }) => set(currentTarget.value)} />
  )
}
