// What people call a key, over its first and last letters; pressed, it is called otherwise.
import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { KeyAnswer } from '#cloud/control/key-list.ts'
import { keysWords } from '#cloud/web/messages/keys.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { NameField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'

/** As the relay has it. */
export const LONGEST_KEY_NAME = 60

export function KeyName({ apiKey }: { apiKey: KeyAnswer }) {
  const t = usePageWords(keysWords)
  const { name, environment, endsWith, state } = apiKey
  const isInUse = state === 'valid' || state === 'rotated'
  const mayRename = useMay('build') && isInUse
  const [isRenaming, setRenaming] = useState(false)
  return (
    <>
      {mayRename ? (
        <button
          type="button"
          className="word-button"
          title={t.renameOf(endsWith)}
          aria-label={`${name ?? t.giveName}, ${t.renameOf(endsWith)}`}
          onClick={() => setRenaming(true)}
        >
          {name === null ? <span className="soft">{t.giveName}</span> : <bdi>{name}</bdi>}
        </button>
      ) : (
        name !== null && <bdi>{name}</bdi>
      )}
      <code className="soft block">{`sk_${environment}_…${endsWith}`}</code>
      {isRenaming && <Rename apiKey={apiKey} close={() => setRenaming(false)} />}
    </>
  )
}

function Rename({ apiKey, close }: { apiKey: KeyAnswer; close: () => void }) {
  const t = usePageWords(keysWords)
  const { keyId, environment, endsWith } = apiKey
  const [name, setName] = useState(apiKey.name ?? '')
  const rename = useChange('keys.rename', close)
  return (
    <Modal opened onClose={close} title={t.renameOf(endsWith)}>
      <Form label={t.rename} act={() => rename.mutate({ keyId, environment, name })} change={rename} isWide>
        <NameField
          label={t.name}
          description={t.nameHint}
          maxLength={LONGEST_KEY_NAME}
          autoComplete="off"
          data-autofocus
          value={name}
          set={setName}
        />
      </Form>
    </Modal>
  )
}
