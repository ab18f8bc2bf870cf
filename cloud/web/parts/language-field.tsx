// The language of mail to a person.
import { useSpeech } from '#cloud/web/speech.tsx'
import type { LanguageId } from '#shared/languages.ts'
import { ChoiceField } from '#shared/ui/parts/fields.tsx'

interface LanguageFieldProps {
  label: string
  value: LanguageId
  set: (language: LanguageId) => void
}

export function LanguageField(props: LanguageFieldProps) {
  const { languages } = useSpeech()
  return <ChoiceField name="language" {...props} choices={languages.map(({ id, name }) => [id, name] as const)} />
}
