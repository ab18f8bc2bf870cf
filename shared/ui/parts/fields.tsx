// Fields that many forms have, as one row each: text, a choice, a password, a language; and how a form ends.
import {
  Button,
  Group,
  NativeSelect,
  type NativeSelectProps,
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import type { FormEvent, ReactNode } from 'react'
import type { ApiError } from '#shared/ui/api.ts'
import { LANGUAGES } from '#shared/ui/languages.ts'
import { useSpeech } from '#shared/ui/speech.tsx'
import { Problem } from './problem.tsx'

export interface Settable {
  value: string
  set: (value: string) => void
}

export function TextField({ set, ...input }: Omit<TextInputProps, 'onChange' | 'value'> & Settable) {
  return <TextInput {...input} onChange={(event) => set(event.currentTarget.value)} />
}

/** A name of a thing or a person. */
export function NameField(field: Omit<TextInputProps, 'onChange' | 'value'> & Settable) {
  return <TextField required maxLength={40} {...field} />
}

/** A code that somebody reads off something: no help from the keyboard. */
export function CodeField(field: Omit<TextInputProps, 'onChange' | 'value'> & Settable) {
  return <TextField autoComplete="off" autoCapitalize="characters" spellCheck={false} required {...field} />
}

/** Digits only; empty when it is not required. */
export function NumberField({
  digits = 3,
  ...field
}: Omit<TextInputProps, 'onChange' | 'value'> & Settable & { digits?: number }) {
  return <TextField inputMode="numeric" pattern={`[0-9]{0,${digits}}`} maxLength={digits} {...field} />
}

/** The browser's own list: right on phones and for screen readers. */
export function ChoiceField<V extends string>({
  set,
  choices,
  ...select
}: Omit<NativeSelectProps, 'onChange' | 'value' | 'data'> & {
  value: V
  set: (value: V) => void
  choices: readonly (readonly [value: V, label: string])[]
}) {
  return (
    <NativeSelect
      {...select}
      // Only what the list offers can be chosen.
      onChange={(event) => set(event.currentTarget.value as V)}
      data={choices.map(([value, label]) => ({ value, label }))}
    />
  )
}

export function LanguageField(field: Omit<NativeSelectProps, 'onChange' | 'value' | 'data'> & Settable) {
  return <ChoiceField {...field} choices={LANGUAGES.map(({ id, name }) => [id, name] as const)} />
}

export function PasswordField({ set, ...input }: Omit<PasswordInputProps, 'onChange' | 'value'> & Settable) {
  return <PasswordInput required {...input} onChange={(event) => set(event.currentTarget.value)} />
}

const SHORTEST_PASSWORD = 8
const SHORTEST_PASSPHRASE = 12

/** A password that somebody chooses: as long as the server wants it. */
export function NewPasswordField(field: Omit<PasswordInputProps, 'onChange' | 'value'> & Settable) {
  const { t } = useSpeech()
  return (
    <PasswordField
      description={t.settings.passwordHint(SHORTEST_PASSWORD)}
      autoComplete="new-password"
      minLength={SHORTEST_PASSWORD}
      {...field}
    />
  )
}

/** The password of whoever is signed in, typed again. */
export function OwnPasswordField(field: Omit<PasswordInputProps, 'onChange' | 'value'> & Settable) {
  const { t } = useSpeech()
  return (
    <PasswordField
      label={t.settings.ownPassword}
      description={t.settings.ownPasswordHint}
      autoComplete="current-password"
      {...field}
    />
  )
}

/** For a file that somebody locks. No browser shall put a password there. */
export function NewPassphraseField(field: Omit<PasswordInputProps, 'onChange' | 'value'> & Settable) {
  const { t } = useSpeech()
  return (
    <PasswordField
      label={t.care.passphrase}
      description={t.care.passphraseHint(SHORTEST_PASSPHRASE)}
      autoComplete="off"
      minLength={SHORTEST_PASSPHRASE}
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

interface FormProps {
  /** What the button says. */
  label: string
  act: () => void
  change: { error: ApiError | null; isPending: boolean }
  isWide?: boolean
  children: ReactNode
}

/** Fields, what went wrong, and the one button that sends them. */
export function Form({ label, act, change, isWide = false, children }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    act()
  }
  return (
    <form className={isWide ? 'stack' : 'stack narrow'} onSubmit={submit}>
      {children}
      <Problem error={change.error} />
      <Group>
        <Button type="submit" loading={change.isPending}>
          {label}
        </Button>
      </Group>
    </form>
  )
}
