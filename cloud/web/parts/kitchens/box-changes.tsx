// What can be changed about a box: its name, its place, its password, and that it ends.
import { useState } from 'react'
import type { KitchenAnswer, KitchenPlace } from '#cloud/control/kitchen-list.ts'
import { kitchensWords } from '#cloud/web/messages/kitchens.ts'
import { useChange } from '#cloud/web/operations.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { ChoiceField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

interface ChangesProps {
  merchantId: string
  kitchen: KitchenAnswer
  places: readonly KitchenPlace[]
  close: () => void
}

export function BoxChanges(props: ChangesProps) {
  return (
    <div className="stack">
      <Rename {...props} />
      {props.places.length > 1 && <Move {...props} />}
      <Endings {...props} />
    </div>
  )
}

/** What the person saw when the dialog was opened: the list goes on behind it. */
function useSeen<T>(value: T): T {
  const [seen] = useState(value)
  return seen
}

function Rename({ merchantId, kitchen: { gatewayId, name: present }, close }: ChangesProps) {
  const t = usePageWords(kitchensWords)
  const say = useNotice()
  const seen = useSeen(present)
  const [name, setName] = useState(present)
  const rename = useChange('gateways.rename', () => {
    say(t.renamed)
    close()
  })
  const act = () => rename.mutate({ merchantId, gatewayId, name: name.trim(), seen: { name: seen } })
  return (
    <Form label={t.rename} act={act} change={rename}>
      <TextField name="name" label={t.name} required maxLength={120} value={name} set={setName} />
    </Form>
  )
}

function Move({ merchantId, kitchen, places, close }: ChangesProps) {
  const t = usePageWords(kitchensWords)
  const say = useNotice()
  const { gatewayId } = kitchen
  const seen = useSeen<string>(kitchen.locationId)
  const [to, setTo] = useState<string>(kitchen.locationId)
  const move = useChange('gateways.move', () => {
    say(t.moved)
    close()
  })
  const place = places.find(({ locationId }) => locationId === to)
  const act = () =>
    place && move.mutate({ merchantId, gatewayId, locationId: place.locationId, seen: { locationId: seen } })
  return (
    <Form label={t.move} act={act} change={move}>
      <ChoiceField
        name="locationId"
        label={t.place}
        description={t.moveHint}
        value={to}
        set={setTo}
        choices={places.map(({ locationId, name }) => [locationId as string, name] as const)}
      />
    </Form>
  )
}

function Endings({ merchantId, kitchen: { gatewayId, name }, close }: ChangesProps) {
  const t = usePageWords(kitchensWords)
  const say = useNotice()
  const rotate = useChange('gateways.rotate', () => say(t.rotated))
  const retire = useChange('gateways.revoke', ({ requeued }) => {
    say(t.retired(t.tickets(requeued)))
    close()
  })
  return (
    <>
      <Problem error={rotate.error ?? retire.error} />
      <div className="row-actions">
        <AskButton label={t.rotate} question={t.rotateAsk(name)} act={() => rotate.mutate({ merchantId, gatewayId })} />
        <AskButton
          label={t.retire}
          question={t.retireAsk(name)}
          color="red"
          act={() => retire.mutate({ merchantId, gatewayId })}
        />
      </div>
    </>
  )
}
