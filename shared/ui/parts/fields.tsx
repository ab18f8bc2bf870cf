// Form fields: text, choice, password, language, file. Each shows its own problem.
import {
  NativeSelect,
  type NativeSelectProps,
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { LANGUAGES } from '#shared/languages.ts'
import { useSpeech } from '#shared/ui/speech.tsx'
import { useFieldProblem } from './form.tsx'

export interface Settable {
  value: string
  set: (value: string) => void
}

/** The server's name of the field. Its problems are shown at the field of this name only. */
interface Named {
  name: string
}

/** For fields with a default name, which can be changed. */
export type Renamed<P> = Omit<P, 'onChange' | 'value' | 'data' | 'name'> & Partial<Named> & Settable

export function TextField({ set, error, ...input }: Omit<TextInputProps, 'onChange' | 'value'> & Settable & Named) {
  const problem = useFieldProblem(input.name)
  return <TextInput {...input} error={error || problem} onChange={(event) => set(event.currentTarget.value)} />
}

/** A name of an object or a person. */
export function NameField(field: Renamed<TextInputProps>) {
  return <TextField name="name" required maxLength={40} {...field} />
}

/** A code that the user reads from somewhere: no autocorrection or suggestions. */
export function CodeField(field: Renamed<TextInputProps>) {
  return <TextField name="code" autoComplete="off" autoCapitalize="characters" spellCheck={false} required {...field} />
}

/** Digits only. May be empty if it is not required. */
export function NumberField({
  digits = 3,
  ...field
}: Omit<TextInputProps, 'onChange' | 'value'> & Settable & Named & { digits?: number }) {
  return <TextField inputMode="numeric" pattern={`[0-9]{0,${digits}}`} maxLength={digits} {...field} />
}

/** The browser's native select, which works best on phones and with screen readers. */
export function ChoiceField<V extends string>({
  set,
  choices,
  error,
  ...select
}: Omit<NativeSelectProps, 'onChange' | 'value' | 'data'> &
  Named & {
    value: V
    set: (value: V) => void
    choices: readonly (readonly [value: V, label: string])[]
  }) {
  const problem = useFieldProblem(select.name)
  return (
    <NativeSelect
      {...select}
      error={error || problem}
      // Only listed values can be chosen.
      onChange={(event) => set(event.currentTarget.value as V)}
    >
      {choices.map(([value, label]) => (
        // Each option has its own direction: otherwise a right-to-left page cuts a model name at its beginning.
        <option key={value} value={value} dir="auto">
          {label}
        </option>
      ))}
    </NativeSelect>
  )
}

export function LanguageField(field: Renamed<NativeSelectProps>) {
  return <ChoiceField name="language" {...field} choices={LANGUAGES.map(({ id, name }) => [id, name] as const)} />
}

export function PasswordField({
  set,
  error,
  ...input
}: Omit<PasswordInputProps, 'onChange' | 'value'> & Settable & Named) {
  const problem = useFieldProblem(input.name)
  return (
    <PasswordInput
      required
      aria-invalid={error || problem ? true : undefined}
      {...input}
      error={error || problem}
      onChange={(event) => set(event.currentTarget.value)}
    />
  )
}

const SHORTEST_PASSWORD = 8

/** A new password, with the minimum length of the server. */
export function NewPasswordField(field: Renamed<PasswordInputProps>) {
  const { t } = useSpeech()
  return (
    <PasswordField
      name="password"
      description={t.settings.passwordHint(SHORTEST_PASSWORD)}
      autoComplete="new-password"
      minLength={SHORTEST_PASSWORD}
      {...field}
    />
  )
}

export function FileField({
  label,
  accept,
  choose,
}: {
  label: string
  accept?: string
  choose: (file: File | null) => void
}) {
  return (
    <label className="file">
      {label}
      <input
        type="file"
        {...(accept === undefined ? {} : { accept })}
        onChange={(event) => choose(event.currentTarget.files?.[0] ?? null)}
      />
    </label>
  )
}
