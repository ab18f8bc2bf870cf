// The platforms that a restaurant is connected to: whether they have the current menu; a form to connect another.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ChannelAnswer } from '#cloud/control/channel-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { menuWords } from '#cloud/web/messages/menu.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { ConnectChannel } from './connect-channel.tsx'

interface ListProps {
  merchantId: string
  channels: readonly ChannelAnswer[]
}

export function ChannelList({ merchantId, channels }: ListProps) {
  const t = usePageWords(menuWords)
  const mayChange = useMay('kitchen')
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="stack">
      <p className="soft">{channels.length === 0 ? t.noChannels : t.channelsHint}</p>
      <ul className="sku-places">
        {channels.map((channel) => (
          <ChannelLine key={channel.channelId} {...{ merchantId, channel, mayChange }} />
        ))}
      </ul>
      {mayChange && !isOpen && (
        <p>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t.connect}
          </Button>
        </p>
      )}
      {isOpen && <ConnectChannel merchantId={merchantId} close={() => setOpen(false)} />}
    </div>
  )
}

const TONES = { connected: 'ok', disconnected: 'idle', failing: 'bad' } as const satisfies Record<
  ChannelAnswer['status'],
  Tone
>

interface LineProps {
  merchantId: string
  channel: ChannelAnswer
  mayChange: boolean
}

function ChannelLine({ merchantId, channel, mayChange }: LineProps) {
  const t = usePageWords(menuWords)
  const { formats } = useSpeech()
  const now = useNow()
  const say = useNotice()
  const { channelId, name, status, items, unconfirmed, lastConfirmedAt, site, connector } = channel
  const disconnect = useChange('channels.disconnect', () => say(t.disconnected(name)))
  const confirmed = lastConfirmedAt === null ? t.neverConfirmed : t.lastConfirmed(formats.ago(lastConfirmedAt, now))
  return (
    <li>
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span>
        <Mark tone={TONES[status]}>{t.channelStates[status]}</Mark>{' '}
        <span className="soft">
          {[connector === 'simulated' ? t.simulated : site, t.items(items)].filter(Boolean).join(' · ')}
        </span>
        {unconfirmed > 0 && status !== 'disconnected' && (
          <>
            {' '}
            <Mark tone="warn">{`${t.unconfirmed(unconfirmed)}, ${confirmed}`}</Mark>
          </>
        )}
      </span>
      {mayChange && status !== 'disconnected' && (
        <AskButton
          size="xs"
          label={t.disconnect}
          question={t.disconnectAsk(name)}
          act={() => disconnect.mutate({ merchantId, channelId })}
        />
      )}
      <Problem error={disconnect.error} />
    </li>
  )
}
