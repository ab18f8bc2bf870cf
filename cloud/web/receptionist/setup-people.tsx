// People behind the receptionist, what is recorded, and what it takes: orders and requests for a table.
import { Checkbox } from '@mantine/core'
import { setupWords } from '#cloud/web/messages/receptionist-setup.ts'
import { useRead } from '#cloud/web/operations.ts'
import { TextAreaField } from '#cloud/web/parts/text-area-field.tsx'
import { usePlace } from '#cloud/web/place.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { ChoiceField, NumberField, TextField } from '#shared/ui/parts/fields.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import type { SectionProps } from './setup-draft.ts'

export function SetupPeople({ draft, set }: SectionProps) {
  const t = usePageWords(setupWords)
  return (
    <Part title={t.people}>
      <div className="card setup-fields">
        <TextField
          name="profile.transfer.to"
          type="tel"
          label={t.transferTo}
          description={t.transferHint}
          autoComplete="off"
          value={draft.transferTo}
          set={(transferTo) => set({ transferTo })}
        />
        {draft.transferTo !== '' && (
          <Checkbox
            label={t.onlyInHours}
            checked={draft.onlyInHours}
            onChange={({ currentTarget }) => set({ onlyInHours: currentTarget.checked })}
          />
        )}
        <TextField
          name="profile.notifyTo"
          type="tel"
          label={t.notifyTo}
          description={t.notifyHint}
          autoComplete="off"
          value={draft.notifyTo}
          set={(notifyTo) => set({ notifyTo })}
        />
        <TextAreaField
          name="profile.blocked"
          label={t.blocked}
          description={t.blockedHint}
          rows={2}
          autoComplete="off"
          value={draft.blocked}
          set={(blocked) => set({ blocked })}
        />
      </div>
    </Part>
  )
}

export function SetupOrders({ draft: { orders, tables }, set }: SectionProps) {
  const t = usePageWords(setupWords)
  const { merchantId } = usePlace()
  // Only the currency of the largest order is wanted.
  const wantsCurrency = merchantId !== null && orders.isOn
  const merchant = useRead('merchant.get', { merchantId: merchantId ?? '' }, { enabled: wantsCurrency })
  return (
    <Part title={t.ordering}>
      <div className="card setup-fields">
        <Checkbox
          label={t.ordersOn}
          description={t.ordersHint}
          checked={orders.isOn}
          onChange={({ currentTarget }) => set({ orders: { ...orders, isOn: currentTarget.checked } })}
        />
        {orders.isOn && (
          <div className="setup-pair">
            <TextField
              name="profile.orders.mostAmount"
              inputMode="decimal"
              pattern="[0-9]{1,5}([.][0-9]{1,2})?"
              label={t.mostAmount}
              description={t.mostAmountHint(merchant.data?.currency ?? '')}
              required
              value={orders.mostAmount}
              set={(mostAmount) => set({ orders: { ...orders, mostAmount } })}
            />
            <NumberField
              name="profile.orders.mostOfALine"
              label={t.mostOfALine}
              required
              digits={2}
              value={orders.mostOfALine}
              set={(mostOfALine) => set({ orders: { ...orders, mostOfALine } })}
            />
          </div>
        )}
        <Checkbox
          label={t.tables}
          description={t.tablesHint}
          checked={tables}
          onChange={({ currentTarget }) => set({ tables: currentTarget.checked })}
        />
      </div>
    </Part>
  )
}

export function SetupRecording({ draft: { recording }, set }: SectionProps) {
  const t = usePageWords(setupWords)
  return (
    <Part title={t.recording}>
      <div className="card setup-fields">
        <ChoiceField
          name="profile.recording.mode"
          label={t.recordingMode}
          description={t.recordingHint[recording.mode]}
          value={recording.mode}
          set={(mode) => set({ recording: { ...recording, mode } })}
          choices={(['off', 'voicemail', 'whole-call'] as const).map((mode) => [mode, t.recordings[mode]])}
        />
        {recording.mode === 'whole-call' && (
          <TextAreaField
            name="profile.recording.consent"
            label={t.consent}
            description={t.consentHint}
            required
            rows={2}
            maxLength={300}
            value={recording.consent}
            set={(consent) => set({ recording: { ...recording, consent: consent.replaceAll('\n', ' ') } })}
          />
        )}
      </div>
    </Part>
  )
}
