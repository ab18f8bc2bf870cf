// The pairing of the box: joining by a claim code, leaving; what the cloud has set up here.
import { Group } from '@mantine/core'
import { useState } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useNow } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { CodeField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { linkStanding } from './words.ts'

const ASK_EVERY_MS = 3_000

export function PairingForm() {
  const { t } = useSpeech()
  const now = useNow()
  const pairing = useRead('pairing.show', {}, { everyMs: ASK_EVERY_MS })
  if (!pairing.data) return <Problem error={pairing.error} />
  const { state, merchantName, gatewayId, link, cloud } = pairing.data
  if (state === 'unpaired') return <PairForm />
  const { tone, words, hint } = linkStanding(link, t, now)
  return (
    <div className="stack">
      <p>{t.pairing.belongsTo(merchantName || gatewayId)}</p>
      <Mark tone={tone}>{words}</Mark>
      {hint && <p>{hint}</p>}
      {cloud?.printers
        .filter((printer) => printer.words.length > 0)
        .map((printer) => (
          <p key={printer.name}>
            <strong>{printer.name}</strong> {printer.words.join(' ')}
          </p>
        ))}
      <Unpair />
    </div>
  )
}

function PairForm() {
  const { t } = useSpeech()
  const say = useNotice()
  const [code, setCode] = useState('')
  const [relayUrl, setRelayUrl] = useState('')
  const pair = useChange('pairing.pair', () => say(t.pairing.paired))
  const send = () => pair.mutate(relayUrl.trim() === '' ? { code } : { code, relayUrl: relayUrl.trim() })
  return (
    <Form label={t.pairing.pair} act={send} change={pair}>
      <p>{t.pairing.explain}</p>
      <CodeField label={t.pairing.code} description={t.pairing.codeHint} value={code} set={setCode} />
      <TextField
        name="relayUrl"
        label={t.pairing.relay}
        description={t.pairing.relayHint}
        type="url"
        value={relayUrl}
        set={setRelayUrl}
      />
    </Form>
  )
}

function Unpair() {
  const { t } = useSpeech()
  const unpair = useChange('pairing.unpair')
  return (
    <>
      <Group>
        <AskButton
          color="red"
          label={t.pairing.unpair}
          question={t.pairing.unpairQuestion}
          act={() => unpair.mutate({})}
        />
      </Group>
      <Problem error={unpair.error} />
    </>
  )
}
