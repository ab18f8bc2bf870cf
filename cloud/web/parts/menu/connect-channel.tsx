// Connects a platform; its secret is shown in place of the form, once.
import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { menuWords } from '#cloud/web/messages/menu.ts'
import { useChange } from '#cloud/web/operations.ts'
import { CodeBlock } from '#cloud/web/parts/code-block.tsx'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'

export function ConnectChannel({ merchantId, close }: { merchantId: string; close: () => void }) {
  const t = usePageWords(menuWords)
  const { t: frame } = useSpeech()
  const { environment } = usePlace()
  const say = useNotice()
  const [draft, setDraft] = useState({ channelId: '', platform: '', url: '', isSimulated: false })
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const connect = useChange('channels.connect', ({ secret }) => {
    say(t.connected(draft.platform))
    if (secret === null) close()
  })
  const act = () => {
    const { channelId, platform, url, isSimulated } = draft
    const how = isSimulated ? { connector: 'simulated' as const } : { url: url.trim() }
    connect.mutate({ merchantId, channelId: channelId.trim(), platform: platform.trim(), ...how })
  }
  if (connect.data?.secret) return <ChannelSecret secret={connect.data.secret} close={close} />
  return (
    <Form
      label={t.connectNow}
      act={act}
      change={connect}
      buttons={
        <Button variant="default" onClick={close}>
          {frame.common.cancel}
        </Button>
      }
    >
      <TextField
        name="platform"
        label={t.platform}
        description={t.platformHint}
        required
        maxLength={64}
        value={draft.platform}
        set={(platform) => set({ platform })}
      />
      <TextField
        name="channelId"
        label={t.channelId}
        description={t.channelIdHint}
        required
        maxLength={64}
        autoCapitalize="none"
        spellCheck={false}
        value={draft.channelId}
        set={(channelId) => set({ channelId })}
      />
      {environment === 'sandbox' && (
        <Checkbox
          label={t.isSimulated}
          description={t.isSimulatedHint}
          checked={draft.isSimulated}
          onChange={(event) => set({ isSimulated: event.currentTarget.checked })}
        />
      )}
      {!draft.isSimulated && (
        <TextField
          name="url"
          type="url"
          label={t.url}
          description={t.urlHint}
          required
          value={draft.url}
          set={(url) => set({ url })}
        />
      )}
    </Form>
  )
}

function ChannelSecret({ secret, close }: { secret: string; close: () => void }) {
  const t = usePageWords(menuWords)
  return (
    <section className="card stack" role="status">
      <p>{t.secretHint}</p>
      <CodeBlock label={t.secret} text={secret}>
        <Button size="compact-sm" onClick={close}>
          {t.seenIt}
        </Button>
      </CodeBlock>
    </section>
  )
}
