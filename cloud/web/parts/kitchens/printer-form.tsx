// A printer by its address: proposed to the box, changed, or taken away.
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { ProposalAnswer } from '#cloud/control/printer-list.ts'
import { kitchensWords } from '#cloud/web/messages/kitchens.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { usePageWords } from '#cloud/web/speech.tsx'
import type { GatewayId } from '#shared/ids.ts'
import { type PlaceTrouble, placeTrouble } from '#shared/printer-places.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { ChoiceField, NameField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { useSettled } from '#shared/ui/use-settled.ts'
import { addressOf, familyName, stationsOf } from './kitchen-words.ts'

const GENERIC = 'generic-80'

interface PrinterFormProps {
  merchantId: string
  gatewayId: GatewayId
  /** Null: a new one. */
  proposal: ProposalAnswer | null
  close: () => void
}

export function PrinterForm({ merchantId, gatewayId, proposal, close }: PrinterFormProps) {
  const t = usePageWords(kitchensWords)
  const say = useNotice()
  // What the person saw when the form was opened: the list goes on behind it.
  const [seen] = useState(proposal)
  const [draft, setDraft] = useState({
    name: seen?.name ?? '',
    address: addressShown(seen),
    stations: seen?.stations.replaceAll(',', ', ') ?? '',
    profile: seen?.profile ?? GENERIC,
  })
  const [isWrong, setWrong] = useState(false)
  const [isAllowed, setAllowed] = useState(false)
  const typed = addressOf(draft.address)
  const trouble = typed === null || draft.address === addressShown(seen) ? null : placeTrouble(typed)
  // While the port is typed, its first digits are not judged.
  const isTyping = useSettled(draft.address) !== draft.address
  const set = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const done = ({ name }: { name: string }) => {
    say(t.proposed(name))
    close()
  }
  const add = useChange('printers.add', done)
  const change = useChange('printers.set', done)
  const remove = useChange('printers.remove', () => {
    say(t.removed)
    close()
  })
  const act = () => {
    setWrong(typed === null)
    if (typed === null || (trouble !== null && !isAllowed)) return
    const { name, profile } = draft
    const values = { name: name.trim(), address: typed, profile, stations: stationsOf(draft.stations) }
    if (seen === null) add.mutate({ merchantId, gatewayId, ...values })
    else change.mutate({ merchantId, gatewayId, printerId: seen.id, ...values, seen: seenOf(seen) })
  }
  return (
    <Form
      label={seen === null ? t.addPrinter : t.change}
      act={act}
      change={{ error: add.error ?? change.error ?? remove.error, isPending: add.isPending || change.isPending }}
      buttons={
        seen && (
          <AskButton
            label={t.removePrinter}
            question={t.removeAsk(seen.name)}
            color="red"
            act={() => remove.mutate({ merchantId, gatewayId, printerId: seen.id })}
          />
        )
      }
    >
      <DraftFields
        {...{ draft, set, isWrong, isAllowed, setAllowed }}
        trouble={isTyping ? null : trouble}
        mended={() => {
          setWrong(false)
          setAllowed(false)
        }}
      />
      <FamilyField merchantId={merchantId} value={draft.profile} set={(profile) => set({ profile })} />
      <p className="soft">{t.backupHint}</p>
    </Form>
  )
}

interface DraftFieldsProps {
  draft: { name: string; address: string; stations: string }
  set: (part: Partial<DraftFieldsProps['draft']>) => void
  /** True: the text in the field is no address. */
  isWrong: boolean
  /** Why the box will refuse the address. */
  trouble: PlaceTrouble | null
  /** True: the person has confirmed that the box's settings allow it. */
  isAllowed: boolean
  setAllowed: (isAllowed: boolean) => void
  mended: () => void
}

function DraftFields({ draft, set, isWrong, trouble, isAllowed, setAllowed, mended }: DraftFieldsProps) {
  const t = usePageWords(kitchensWords)
  return (
    <>
      <NameField label={t.printerName} value={draft.name} set={(name) => set({ name })} />
      <TextField
        name="host"
        label={t.address}
        description={t.addressHint}
        required
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        value={draft.address}
        set={(address) => {
          mended()
          set({ address })
        }}
        error={isWrong ? t.addressWrong : trouble !== null && !isAllowed ? t.addressRefused[trouble] : null}
      />
      {trouble !== null && (
        <Checkbox
          label={t.addressAllowed}
          checked={isAllowed}
          onChange={({ currentTarget: { checked } }) => setAllowed(checked)}
        />
      )}
      <TextField
        name="stations"
        label={t.stationsField}
        description={t.stationsHint}
        value={draft.stations}
        set={(stations) => set({ stations })}
      />
    </>
  )
}

/** As it is typed: the usual port is left out. */
function addressShown(proposal: ProposalAnswer | null): string {
  return proposal?.address.replace(/:9100$/, '') ?? ''
}

function seenOf({ name, address, profile, stations }: ProposalAnswer) {
  return { name, address, profile, stations }
}

function FamilyField({ merchantId, ...field }: { merchantId: string; value: string; set: (value: string) => void }) {
  const t = usePageWords(kitchensWords)
  const families = useRead('printers.profiles', { merchantId })
  const known = families.data ?? [{ id: field.value, vendor: '', models: [] }]
  return (
    <ChoiceField
      name="profile"
      label={t.family}
      description={t.familyHint}
      {...field}
      choices={known.map((family) => [family.id, familyName(family)])}
    />
  )
}
