// Fields that many forms have, as one row each: text, a choice, a password, a language, a file. Each shows what is wrong with it.
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

/** By which the server calls the field: what is wrong with it stands there, and at no other field. */
interface Named {
  name: string
}

/** Where the field has a name already, which may be another one. */
export type Renamed<P> = Omit<P, 'onChange' | 'value' | 'data' | 'name'> & Partial<Named> & Settable

export function TextField({ set, error, ...input }: Omit<TextInputProps, 'onChange' | 'value'> & Settable & Named) {
  const problem = useFieldProblem(input.name)
  return <TextInput {...input} error={error || problem} onChange={(event) => set(event.currentTarget.value)} />
}

/** A name of a thing or a person. */
export function NameField(field: Renamed<TextInputProps>) {
  return <TextField name="name" required maxLength={40} {...field} />
}

/** A code that somebody reads off something: no help from the keyboard. */
export function CodeField(field: Renamed<TextInputProps>) {
  return <TextField name="code" autoComplete="off" autoCapitalize="characters" spellCheck={false} required {...field} />
}

/** Digits only; empty when it is not required. */
export function NumberField({
  digits = 3,
  ...field
}: Omit<TextInputProps, 'onChange' | 'value'> & Settable & Named & { digits?: number }) {
  return <TextField inputMode="numeric" pattern={`[0-9]{0,${digits}}`} maxLength={digits} {...field} />
}

/** The browser's own list: right on phones and for screen readers. */
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
      // Only what the list offers can be chosen.
      onChange={(event) => set(event.currentTarget.value as V)}
    >
      {choices.map(([value, label]) => (
        // Each in its own direction: of a model's name on a page that is read from the right its end is cut off, not its beginning.
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

/** A password that somebody chooses: as long as the server wants it. */
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
