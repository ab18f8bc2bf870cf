// The point of sale: the built-in register, or an external one that receives the orders, with a test message.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { MerchantDetail } from '#cloud/control/merchant-list.ts'
import { settingsWords } from '#cloud/web/messages/settings.ts'
import { useChange } from '#cloud/web/operations.ts'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

export function PosSettings({ merchant }: { merchant: MerchantDetail }) {
  const t = usePageWords(settingsWords)
  const mayChange = useMay('kitchen')
  const { merchantId, pos, posSite } = merchant
  return (
    <div className="settings">
      <p>{pos === 'http' ? t.posOutside(posSite ?? '') : t.posRegister}</p>
      {mayChange && pos === 'http' && <OutsidePos merchantId={merchantId} />}
      {mayChange && <ConnectPos merchantId={merchantId} isConnected={pos === 'http'} />}
    </div>
  )
}

function OutsidePos({ merchantId }: { merchantId: string }) {
  const t = usePageWords(settingsWords)
  const say = useNotice()
  const test = useChange('pos.test')
  const back = useChange('pos.register', () => say(t.posIsRegister))
  return (
    <div className="stack">
      <div className="row-actions">
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ merchantId })}>
          {t.posTest}
        </Button>
        <AskButton label={t.posBack} question={t.posBackAsk} act={() => back.mutate({ merchantId })} />
      </div>
      <div role="status">{test.data && <Tested tested={test.data} />}</div>
      <Problem error={test.error ?? back.error} />
    </div>
  )
}

function Tested({ tested: { error, status, response, ms } }: { tested: OperationAnswers['pos.test'] }) {
  const t = usePageWords(settingsWords)
  const { formats } = useSpeech()
  if (error === null) return <Mark tone="ok">{t.posTook(formats.duration(ms))}</Mark>
  const words = status === null ? (t.posErrors[error] ?? t.posFailed) : t.posStatus(String(status))
  return (
    <div className="stack">
      <Mark tone="bad">{words}</Mark>
      {response && <CodeBlock label={t.posSaid} text={response} />}
    </div>
  )
}

function ConnectPos({ merchantId, isConnected }: { merchantId: string; isConnected: boolean }) {
  const t = usePageWords(settingsWords)
  const say = useNotice()
  const [url, setUrl] = useState('')
  const connect = useChange('pos.connect', () => {
    say(t.posConnected)
    setUrl('')
  })
  if (connect.data)
    return (
      <section className="card stack" role="status">
        <p>{t.posSecretHint}</p>
        <CodeBlock label={t.posSecret} text={connect.data.secret}>
          <Button size="compact-sm" onClick={() => connect.reset()}>
            {t.seenIt}
          </Button>
        </CodeBlock>
      </section>
    )
  return (
    <div className="setting">
      <Form
        label={isConnected ? t.posReconnect : t.posConnect}
        act={() => connect.mutate({ merchantId, url: url.trim() })}
        change={connect}
        isQuiet={url.trim() === ''}
      >
        <TextField
          name="url"
          type="url"
          label={t.posUrl}
          description={t.posUrlHint}
          required
          autoComplete="off"
          value={url}
          set={setUrl}
        />
      </Form>
    </div>
  )
}
