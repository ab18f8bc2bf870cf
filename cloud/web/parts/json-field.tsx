// A field for a JSON object.
import { Textarea, type TextareaProps } from '@mantine/core'
import type { Settable } from '#shared/ui/parts/fields.tsx'

type JsonFieldProps = Pick<TextareaProps, 'name' | 'label' | 'minRows' | 'error' | 'aria-invalid'> & Settable

export function JsonField({ set, ...field }: JsonFieldProps) {
  return (
    <Textarea
      className="json-field"
      autosize
      maxRows={24}
      spellCheck={false}
      {...field}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    />
  )
}
