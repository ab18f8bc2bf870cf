// What a key is called, what it may do, and when it ends: for a new one, and for one that is there.
import { Checkbox, Modal } from '@mantine/core'
import { useState } from 'react'
import type { KeyAnswer } from '#cloud/control/key-list.ts'
import type { Environment } from '#cloud/web/api.ts'
import { keysWords } from '#cloud/web/messages/keys.ts'
import type { KeysWords } from '#cloud/web/messages/keys-en.ts'
import { useChange } from '#cloud/web/operations.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { ChoiceField, NameField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { LONGEST_KEY_NAME } from './key-name.tsx'

export type Scope = keyof KeysWords['scopes']
/** The scopes that a new live key has at first, as at the relay. */
const READING: readonly Scope[] = ['orders:read', 'menu:read']
const ENDS = ['0', '30', '90', '365'] as const

interface NewKeyProps {
  environment: Environment
  close: () => void
  made: (apiKey: string) => void
}

export function NewKey({ environment, close, made }: NewKeyProps) {
  const t = usePageWords(keysWords)
  const all = Object.keys(t.scopes) as Scope[]
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly Scope[]>(environment === 'sandbox' ? all : READING)
  const [ends, setEnds] = useState<(typeof ENDS)[number]>('0')
  const create = useChange('keys.create', ({ apiKey }) => {
    close()
    made(apiKey)
  })
  const act = () =>
    create.mutate({
      environment,
      ...(name.trim() === '' ? {} : { name }),
      scopes: [...scopes],
      ...(ends === '0' ? {} : { expiresInDays: Number(ends) }),
    })
  return (
    <Modal opened onClose={close} title={t.create}>
      <Form label={t.create} act={act} change={create} isWide>
        <p>{environment === 'sandbox' ? t.sandboxKey : t.liveKey}</p>
        <NameField
          label={t.name}
          description={t.nameHint}
          required={false}
          maxLength={LONGEST_KEY_NAME}
          autoComplete="off"
          value={name}
          set={setName}
        />
        <ScopeFields value={scopes} set={setScopes} />
        <ChoiceField
          name="expiresInDays"
          label={t.ends}
          value={ends}
          set={setEnds}
          choices={ENDS.map((days) => [days, days === '0' ? t.endsNever : t.endsAfter(Number(days))] as const)}
        />
      </Form>
    </Modal>
  )
}

export function ChangeScopes({ apiKey, close }: { apiKey: KeyAnswer; close: () => void }) {
  const t = usePageWords(keysWords)
  const { keyId, environment, endsWith } = apiKey
  const [scopes, setScopes] = useState<readonly Scope[]>(
    (Object.keys(t.scopes) as Scope[]).filter((scope) => apiKey.scopes.includes(scope)),
  )
  const change = useChange('keys.scopes', close)
  return (
    <Modal opened onClose={close} title={t.scopesOf(endsWith)}>
      <Form
        label={t.change}
        act={() => change.mutate({ keyId, environment, scopes: [...scopes] })}
        change={change}
        isWide
      >
        <ScopeFields value={scopes} set={setScopes} />
      </Form>
    </Modal>
  )
}

function ScopeFields({ value, set }: { value: readonly Scope[]; set: (scopes: readonly Scope[]) => void }) {
  const t = usePageWords(keysWords)
  return (
    <fieldset>
      <legend>{t.scopesTitle}</legend>
      {Object.entries(t.scopes).map(([scope, label]) => (
        <Checkbox
          key={scope}
          name="scopes"
          label={
            <>
              {label} <code className="soft">{scope}</code>
            </>
          }
          checked={value.includes(scope as Scope)}
          onChange={({ currentTarget }) =>
            set(currentTarget.checked ? [...value, scope as Scope] : value.filter((one) => one !== scope))
          }
        />
      ))}
    </fieldset>
  )
}
