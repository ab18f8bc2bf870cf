// One item of the menu: its state, sold out in two taps, and more about it.
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SkuResource } from '#cloud/control/menu-list.ts'
import { useNow } from '#cloud/web/live.tsx'
import { menuWords } from '#cloud/web/messages/menu.ts'
import { useChange } from '#cloud/web/operations.ts'
import { moneyWords } from '#cloud/web/parts/orders/order-words.ts'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { toIso } from '#shared/clock.ts'
import { languageFacts } from '#shared/languages.ts'
import { nextTimeOfDay } from '#shared/time-zones.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { SkuMore, type SkuProps } from './sku-more.tsx'
import { notTold, skuStanding } from './sku-words.ts'

export function SkuRow(props: SkuProps) {
  const { sku, channels } = props
  const t = usePageWords(menuWords)
  const { formats } = useSpeech()
  /** What is open below the item. */
  const [open, setOpen] = useState<'silence' | 'more' | null>(null)
  const names = new Map(channels.map(({ channelId, name }) => [channelId, name]))
  const telling = { t, formats, names }
  const { tone, words } = skuStanding(sku, telling)
  const late = notTold(sku, telling)
  return (
    <li className="card sku">
      <SkuHead sku={sku} />
      <div className="sku-state">
        <Mark tone={tone}>{words}</Mark>
        {sku.stock.quantity !== null && sku.stock.quantity > 0 && (
          <span className="soft">{t.left(sku.stock.quantity)}</span>
        )}
        {late !== null && <span className="soft">{late}</span>}
      </div>
      <SkuButtons {...props} open={open} setOpen={setOpen} />
      {open === 'silence' && <HowLong {...props} close={() => setOpen(null)} />}
      {open === 'more' && <SkuMore {...props} names={names} />}
    </li>
  )
}

interface ButtonsProps extends SkuProps {
  open: 'silence' | 'more' | null
  setOpen: (open: ButtonsProps['open']) => void
}

function SkuButtons({ merchantId, sku, changed, open, setOpen }: ButtonsProps) {
  const t = usePageWords(menuWords)
  const say = useNotice()
  const mayServe = useMay('serve')
  const restore = useChange('sku.restore', (after) => {
    changed(after)
    say(t.restored(after.name))
  })
  const turn = (which: 'silence' | 'more') => setOpen(open === which ? null : which)
  return (
    <>
      <div className="row-actions">
        {mayServe && sku.state === 'silenced' && (
          <Button
            variant="default"
            aria-label={t.restoreOf(sku.name)}
            loading={restore.isPending}
            onClick={() => restore.mutate({ merchantId, umsId: sku.umsId })}
          >
            {t.restore}
          </Button>
        )}
        {mayServe && sku.channels.some(({ state }) => state === 'live') && (
          <Button
            variant="default"
            aria-label={t.silenceOf(sku.name)}
            aria-expanded={open === 'silence'}
            onClick={() => turn('silence')}
          >
            {t.silence}
          </Button>
        )}
        <Button
          variant="subtle"
          aria-label={t.moreOf(sku.name)}
          aria-expanded={open === 'more'}
          onClick={() => turn('more')}
        >
          {t.more}
        </Button>
      </div>
      <Problem error={restore.error} />
    </>
  )
}

function SkuHead({ sku: { name, umsId, price, kind, station, category } }: { sku: SkuResource }) {
  const { language } = useSpeech()
  const { merchant } = usePlace()
  const currency = merchant?.currency ?? 'USD'
  // The category of an item is the title of its section.
  const about = [kind === 'modifier' ? category : null, station].filter((one) => one !== null)
  return (
    <div className="sku-head">
      <strong>
        <bdi>{name}</bdi>
      </strong>
      <span className="soft">
        {price !== null && <span>{moneyWords(price, currency, languageFacts(language).locale)}</span>}
        {about.map((one) => (
          <bdi key={one}>{one}</bdi>
        ))}
        <code className="id">{umsId}</code>
      </span>
    </div>
  )
}

/** The second tap marks it as sold out: the time beside it is optional. */
function HowLong({ merchantId, sku, changed, close }: SkuProps & { close: () => void }) {
  const t = usePageWords(menuWords)
  const say = useNotice()
  const now = useNow()
  const { merchant } = usePlace()
  const [reason, setReason] = useState('')
  const [time, setTime] = useState('')
  const silence = useChange('sku.silence', (after) => {
    changed(after)
    say(t.silenced(after.name))
    close()
  })
  const act = (lasts: { lasts?: number | 'today'; until?: string }) =>
    silence.mutate({
      ...{ merchantId, umsId: sku.umsId, ...lasts },
      ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
    })
  const untilMs = time === '' ? null : nextTimeOfDay(now, time, merchant?.timeZone ?? 'UTC')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame of its own here
    <div className="how-long" role="group" aria-label={t.howLong(sku.name)}>
      <p>{t.howLong(sku.name)}</p>
      <div className="ways">
        <Button title={t.forTodayHint} loading={silence.isPending} onClick={() => act({ lasts: 'today' })}>
          {t.forToday}
        </Button>
        <Button variant="default" onClick={() => act({ lasts: 60 })}>
          {t.forHour}
        </Button>
        <Button variant="default" onClick={() => act({})}>
          {t.always}
        </Button>
      </div>
      <div className="filters">
        <TextInput type="time" label={t.time} value={time} onChange={(event) => setTime(event.currentTarget.value)} />
        <Button
          variant="default"
          disabled={untilMs === null}
          onClick={() => untilMs !== null && act({ until: toIso(untilMs) })}
        >
          {t.untilTime} {time}
        </Button>
      </div>
      <TextInput
        label={t.reason}
        description={t.reasonHint}
        maxLength={120}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Problem error={silence.error} />
    </div>
  )
}
