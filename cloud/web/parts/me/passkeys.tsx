// One's passkeys: add, rename, remove.
import { Button, Modal } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PasskeyAnswer } from '#cloud/control/me-list.ts'
import { perform } from '#cloud/web/api.ts'
import { useNow } from '#cloud/web/live.tsx'
import { meWords } from '#cloud/web/messages/me.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { Empty } from '#cloud/web/parts/empty.tsx'
import { useSession } from '#cloud/web/session.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { useStepUp } from '#cloud/web/step-up.tsx'
import type { ApiError } from '#shared/ui/api.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { NameField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { useAgentWords } from './use-agent-words.ts'

export function Passkeys() {
  const t = usePageWords(meWords)
  const { door } = useSession()
  const passkeys = useRead('passkeys.list', {})
  const add = door.passkeys && <AddPasskey />
  return (
    <Part title={t.passkeys} actions={add}>
      <p>{t.passkeysHint}</p>
      {!door.passkeys && <p className="soft">{t.noPasskeysHere}</p>}
      <Answer of={passkeys} rows={2}>
        {(all) =>
          all.length === 0 ? (
            <Empty words={t.noPasskeys} />
          ) : (
            <ul className="row-cards">
              {all.map((passkey) => (
                <Passkey key={passkey.passkeyId} passkey={passkey} />
              ))}
            </ul>
          )
        }
      </Answer>
    </Part>
  )
}

function AddPasskey() {
  const t = usePageWords(meWords)
  const say = useNotice()
  const stepUp = useStepUp()
  const queries = useQueryClient()
  const agentWords = useAgentWords()
  const add = useMutation<boolean, ApiError>({
    mutationFn: async () => {
      const ask = { accountId: null, environment: 'sandbox' } as const
      const { ticket, options } = await stepUp(() => perform('passkeys.add.begin', {}, ask))
      const { startRegistration } = await import('@simplewebauthn/browser')
      // The types of the relay's half are separate from the browser's: the JSON is the same.
      const optionsJSON = options as Parameters<typeof startRegistration>[0]['optionsJSON']
      const response = await startRegistration({ optionsJSON }).catch(() => null)
      if (response === null) return false
      const name = agentWords(navigator.userAgent)
      const made = {
        ...response,
        clientExtensionResults: { ...response.clientExtensionResults },
        response: { ...response.response },
      }
      await stepUp(() => perform('passkeys.add', { ticket, response: made, name }, ask))
      return true
    },
    onSuccess: (isMade) => {
      say(isMade ? t.passkeyAdded : t.passkeyNotMade)
      void queries.invalidateQueries({ queryKey: ['passkeys'] })
      void queries.invalidateQueries({ queryKey: ['session'] })
    },
  })
  return (
    <>
      <Button loading={add.isPending} onClick={() => add.mutate()}>
        {t.addPasskey}
      </Button>
      <Problem error={add.error} />
    </>
  )
}

function Passkey({ passkey: { passkeyId, name, isBackedUp, createdAt, lastUsedAt } }: { passkey: PasskeyAnswer }) {
  const t = usePageWords(meWords)
  const { formats } = useSpeech()
  const now = useNow()
  const [isRenaming, setRenaming] = useState(false)
  const remove = useChange('passkeys.remove')
  const facts = [
    t.added(formats.date(createdAt)),
    ...(lastUsedAt === null ? [] : [t.used(formats.ago(lastUsedAt, now))]),
    ...(isBackedUp ? [t.backedUp] : []),
  ]
  return (
    <li className="card">
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <p className="soft">{facts.join(' · ')}</p>
      <div className="row-actions">
        <Button variant="default" size="xs" aria-label={t.renameOf(name)} onClick={() => setRenaming(true)}>
          {t.rename}
        </Button>
        <AskButton
          size="xs"
          color="red"
          label={t.remove}
          aria-label={t.removeOf(name)}
          question={t.removeQuestion(name)}
          loading={remove.isPending}
          act={() => remove.mutate({ passkeyId })}
        />
      </div>
      <Problem error={remove.error} />
      {isRenaming && <Rename passkeyId={passkeyId} before={name} close={() => setRenaming(false)} />}
    </li>
  )
}

function Rename({
  passkeyId,
  before,
  close,
}: {
  passkeyId: PasskeyAnswer['passkeyId']
  before: string
  close: () => void
}) {
  const t = usePageWords(meWords)
  const [name, setName] = useState(before)
  const rename = useChange('passkeys.rename', close)
  return (
    <Modal opened onClose={close} title={t.renameOf(before)}>
      <Form label={t.rename} act={() => rename.mutate({ passkeyId, name })} change={rename} isWide>
        <NameField label={t.passkeyName} autoComplete="off" data-autofocus value={name} set={setName} />
      </Form>
    </Modal>
  )
}
