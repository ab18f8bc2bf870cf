// How a box joins: a code for a place, as text and picture, until the box that has typed it is there.
import { Button } from '@mantine/core'
import { useState } from 'react'
import type { OperationAnswers } from '#cloud/control/answers.ts'
import { useNow } from '#cloud/web/live.tsx'
import { kitchensWords } from '#cloud/web/messages/kitchens.ts'
import { useChange } from '#cloud/web/operations.ts'
import { usePageWords, useSpeech } from '#cloud/web/speech.tsx'
import { fromIso } from '#shared/clock.ts'
import { ChoiceField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { QrPicture } from '#shared/ui/parts/qr-picture.tsx'

type Fleet = OperationAnswers['kitchens.list']
type Code = OperationAnswers['gateways.code']

interface PairProps {
  merchantId: string
  fleet: Fleet
}

export function PairBox({ merchantId, fleet }: PairProps) {
  const t = usePageWords(kitchensWords)
  const { locations, kitchens } = fleet
  const [name, setName] = useState('Kitchen')
  const [place, setPlace] = useState<string>(locations[0]?.locationId ?? '')
  /** With the boxes that were there before. */
  const [made, setMade] = useState<{ code: Code; before: ReadonlySet<string> } | null>(null)
  const make = useChange('gateways.code', (code) =>
    setMade({ code, before: new Set(kitchens.map(({ gatewayId }) => gatewayId)) }),
  )
  const chosen = locations.find(({ locationId }) => locationId === place)
  const act = () => chosen && make.mutate({ merchantId, locationId: chosen.locationId, name: name.trim() })
  if (made !== null) return <Waiting {...made} fleet={fleet} again={() => setMade(null)} />
  return (
    <Form label={t.makeCode} act={act} change={make}>
      <p className="soft">{t.pairHint}</p>
      {locations.length > 1 && (
        <ChoiceField
          name="locationId"
          label={t.place}
          value={place}
          set={setPlace}
          choices={locations.map(({ locationId, name }) => [locationId as string, name] as const)}
        />
      )}
      <TextField name="name" label={t.name} required maxLength={120} value={name} set={setName} />
      {fleet.codes.length > 0 && <p className="soft">{t.openCodes(fleet.codes.length)}</p>}
    </Form>
  )
}

interface WaitingProps {
  code: Code
  before: ReadonlySet<string>
  fleet: Fleet
  again: () => void
}

/** The code turns into the box that was paired by it. */
function Waiting({ code, before, fleet, again }: WaitingProps) {
  const t = usePageWords(kitchensWords)
  const { formats } = useSpeech()
  const now = useNow()
  const here = fleet.kitchens.filter(({ locationId }) => locationId === code.locationId)
  const joined = here.find(({ gatewayId, simulated }) => !simulated && !before.has(gatewayId))
  const isOver = (fromIso(code.expiresAt) ?? 0) <= now
  const anew = (
    <Button variant="default" onClick={again}>
      {t.anotherCode}
    </Button>
  )
  if (joined)
    return (
      <div className="stack" role="status">
        <Mark tone="ok">{t.paired(joined.name)}</Mark>
        <p>{anew}</p>
      </div>
    )
  if (isOver)
    return (
      <div className="stack" role="status">
        <Mark tone="warn">{t.expired}</Mark>
        <p>{anew}</p>
      </div>
    )
  return (
    <div className="pairing">
      <QrPicture text={code.qr} label={t.codePicture} />
      <div className="stack">
        <p>
          <span className="soft">{t.code}</span> <output className="claim-code">{code.code}</output>
        </p>
        <p>{t.codeHint}</p>
        <p className="soft">{t.relay(location.origin)}</p>
        <p className="soft">{t.until(formats.time(code.expiresAt))}</p>
        {code.gateways.length > 0 && (
          <p>
            <Mark tone="warn">{t.beside(formats.list(code.gateways.map(({ name }) => name)))}</Mark>
          </p>
        )}
        <p role="status">
          <Mark tone="idle">{t.waiting}</Mark>
        </p>
        <p>{anew}</p>
      </div>
    </div>
  )
}
