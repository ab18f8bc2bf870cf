// More about an item: how many are left, where it is sold, and its ids on the platforms.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import type { SkuChannel, SkuResource } from '#cloud/control/menu-list.ts'
import { menuWords } from '#cloud/web/messages/menu.ts'
import { useChange } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { NumberField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { DIRECT, nameOf } from './sku-words.ts'

export interface SkuProps {
  merchantId: string
  sku: SkuResource
  channels: OperationAnswers['channels.list']
  changed: (sku: SkuResource) => void
}

interface MoreProps extends SkuProps {
  names: ReadonlyMap<string, string>
}

export function SkuMore(props: MoreProps) {
  const mayServe = useMay('serve')
  return (
    <div className="sku-more">
      {mayServe && <StockForm {...props} />}
      <Places {...props} />
    </div>
  )
}

function StockForm({ merchantId, sku, changed }: MoreProps) {
  const t = usePageWords(menuWords)
  const say = useNotice()
  const { quantity, lowThreshold } = sku.stock
  const [draft, setDraft] = useState({ left: quantity === null ? '' : String(quantity), low: String(lowThreshold) })
  const save = useChange('sku.stock', (after) => {
    changed(after)
    say(after.stock.quantity === 0 ? t.noneLeft : t.saveStock)
  })
  const act = () =>
    save.mutate({
      merchantId,
      umsId: sku.umsId,
      quantity: draft.left.trim() === '' ? null : Number(draft.left),
      ...(draft.low.trim() === '' ? {} : { lowThreshold: Number(draft.low) }),
    })
  return (
    <Form label={t.saveStock} act={act} change={save}>
      <NumberField
        name="quantity"
        label={t.stock}
        description={t.stockHint}
        digits={6}
        value={draft.left}
        set={(left) => setDraft({ ...draft, left })}
      />
      <NumberField
        name="lowThreshold"
        label={t.low}
        digits={6}
        value={draft.low}
        set={(low) => setDraft({ ...draft, low })}
      />
    </Form>
  )
}

function Places(props: MoreProps) {
  const t = usePageWords(menuWords)
  const { sku, channels } = props
  const sold = new Map(sku.channels.map((one) => [one.channelId, one]))
  return (
    <section className="stack">
      <h3>{t.channelsOf}</h3>
      {channels.length === 0 && <p className="soft">{t.noChannels}</p>}
      <ul className="sku-places">
        {[DIRECT, ...channels.map(({ channelId }) => channelId)].map((channelId) => (
          <PlaceLine key={channelId} {...props} channelId={channelId} place={sold.get(channelId) ?? null} />
        ))}
      </ul>
    </section>
  )
}

const TONES = { synced: 'ok', pending: 'idle', failed: 'warn' } as const satisfies Record<SkuChannel['sync'], Tone>

/** @param place null: it is not mapped there */
function PlaceLine({
  merchantId,
  sku,
  changed,
  names,
  ...props
}: MoreProps & { channelId: string; place: SkuChannel | null }) {
  const { channelId, place } = props
  const t = usePageWords(menuWords)
  const mayServe = useMay('serve')
  const mayMap = useMay('kitchen')
  const silence = useChange('sku.silence', changed)
  const restore = useChange('sku.restore', changed)
  const isOff = place?.state === 'silenced'
  const turn = () => (isOff ? restore : silence).mutate({ merchantId, umsId: sku.umsId, channels: [channelId] })
  return (
    <li>
      <strong>
        <bdi>{nameOf(channelId, t, names)}</bdi>
      </strong>
      <span>
        {place === null ? (
          <span className="soft">{t.notMapped}</span>
        ) : (
          <>
            <Mark tone={isOff ? 'bad' : 'ok'}>{isOff ? t.soldOut : t.sold}</Mark>{' '}
            {channelId !== DIRECT && <Mark tone={TONES[place.sync]}>{t.sync[place.sync]}</Mark>}
          </>
        )}
      </span>
      {mayServe && place !== null && (
        <Button variant="default" size="xs" loading={silence.isPending || restore.isPending} onClick={turn}>
          {isOff ? t.restoreHere : t.silenceHere}
        </Button>
      )}
      <Problem error={silence.error ?? restore.error} />
      {mayMap && channelId !== DIRECT && (
        <MapForm {...{ merchantId, channelId, umsId: sku.umsId, present: place?.externalId ?? '', names }} />
      )}
    </li>
  )
}

interface MapFormProps {
  merchantId: string
  channelId: string
  umsId: string
  present: string
  names: ReadonlyMap<string, string>
}

function MapForm({ merchantId, channelId, umsId, present, names }: MapFormProps) {
  const t = usePageWords(menuWords)
  const say = useNotice()
  const [seen, setSeen] = useState(present)
  const [externalId, setExternalId] = useState(present)
  const map = useChange('channels.map', () => {
    setSeen(externalId.trim())
    say(t.mapped)
  })
  const act = () =>
    map.mutate({ merchantId, channelId, umsId, externalId: externalId.trim(), seen: { externalId: seen } })
  return (
    <Form label={t.map} act={act} change={map}>
      <TextField
        name="externalId"
        label={t.externalId(nameOf(channelId, t, names))}
        required
        maxLength={128}
        autoComplete="off"
        value={externalId}
        set={setExternalId}
      />
    </Form>
  )
}
