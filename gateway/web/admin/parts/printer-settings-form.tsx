// What a restaurant decides about one printer: name, address, family, stations, what it prints and how, what happens when it fails.
import { Checkbox, Switch } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange } from '#gateway/web/admin/operations.ts'
import { ChoiceField, NumberField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { DeviceFields } from './device-fields.tsx'
import { changeOf, draftOf, PAPERS, type PrinterDraft } from './printer-draft.ts'
import { PrinterField } from './printer-field.tsx'

const SECTIONS = ['device', 'takes', 'paper', 'failing'] as const
type Section = (typeof SECTIONS)[number]

/** @param sections those that are shown; the others stay as they are */
export function PrinterSettingsForm({
  printer,
  sections = SECTIONS,
}: {
  printer: PrinterAnswer
  sections?: readonly Section[]
}) {
  const { t } = useSpeech()
  const say = useNotice()
  const [draft, setDraft] = useState(() => draftOf(printer, t.common.comma))
  const [isBad, setBad] = useState(false)
  const update = useChange('printers.update', (answer) => {
    setDraft(draftOf(answer, t.common.comma))
    say(t.common.saved)
  })
  const set = (part: Partial<PrinterDraft>) => {
    setDraft((before) => ({ ...before, ...part }))
    if (part.codePages !== undefined) setBad(false)
  }
  const save = () => {
    const change = changeOf(draft, draftOf(printer, t.common.comma))
    setBad(change === null)
    if (change) update.mutate({ printer: printer.printerId, ...change })
  }
  const drawn: Readonly<Record<Section, ReactNode>> = {
    device: <Device draft={draft} set={set} />,
    takes: <Takes draft={draft} set={set} isDefault={printer.isDefault} />,
    paper: <OnPaper draft={draft} set={set} isBad={isBad} />,
    failing: <Failing draft={draft} set={set} printerId={printer.printerId} />,
  }
  return (
    <Form label={t.common.save} act={save} change={update} isWide>
      <div className="pairs">
        {sections.map((section) => (
          <fieldset key={section}>
            <legend>{t.printer.sections[section]}</legend>
            {drawn[section]}
          </fieldset>
        ))}
      </div>
    </Form>
  )
}

interface SectionProps {
  draft: PrinterDraft
  set: (part: Partial<PrinterDraft>) => void
}

function Device({ draft, set }: SectionProps) {
  const { t } = useSpeech()
  return (
    <>
      <DeviceFields draft={draft} set={set} />
      <ChoiceField
        name="connection"
        label={t.printer.connection}
        value={draft.connection}
        set={(connection) => set({ connection })}
        choices={(['shared', 'exclusive'] as const).map((one) => [one, t.printer.connections[one]] as const)}
      />
      <TextField
        name="mac"
        label={t.printer.mac}
        description={t.printer.macHint}
        pattern="([0-9a-fA-F]{2}[:\-]){5}[0-9a-fA-F]{2}"
        spellCheck={false}
        value={draft.mac}
        set={(mac) => set({ mac })}
      />
    </>
  )
}

function Takes({ draft, set, isDefault }: SectionProps & { isDefault: boolean }) {
  const { t } = useSpeech()
  return (
    <>
      <TextField
        name="stations"
        label={t.printer.stations}
        description={t.printer.stationsHint}
        value={draft.stations}
        set={(stations) => set({ stations })}
      />
      <Switch
        label={t.printer.isDefault}
        description={isDefault ? t.printer.defaultStays : t.printer.defaultHint}
        checked={draft.isDefault}
        disabled={isDefault}
        onChange={(event) => set({ isDefault: event.currentTarget.checked })}
      />
      <fieldset>
        <legend>{t.printer.papers}</legend>
        {PAPERS.map((paper) => (
          <Checkbox
            key={paper}
            label={t.paper[paper]}
            checked={draft.papers.includes(paper)}
            onChange={(event) =>
              set({
                papers: event.currentTarget.checked
                  ? [...draft.papers, paper]
                  : draft.papers.filter((one) => one !== paper),
              })
            }
          />
        ))}
      </fieldset>
      <ChoiceField
        name="split"
        label={t.printer.split}
        value={draft.split}
        set={(split) => set({ split })}
        choices={(['consolidated', 'per-item'] as const).map((one) => [one, t.printer.splits[one]] as const)}
      />
      <NumberField
        name="copies"
        label={t.printer.copies}
        digits={1}
        required
        value={draft.copies}
        set={(copies) => set({ copies })}
      />
    </>
  )
}

function OnPaper({ draft, set, isBad }: SectionProps & { isBad: boolean }) {
  const { t } = useSpeech()
  return (
    <>
      <NumberField
        name="columns"
        label={t.printer.columns}
        description={t.printer.columnsHint}
        digits={2}
        value={draft.columns}
        set={(columns) => set({ columns })}
      />
      <TextField
        name="codePages"
        label={t.printer.codePages}
        description={t.printer.codePagesHint}
        error={isBad ? t.printer.codePagesBad : null}
        spellCheck={false}
        value={draft.codePages}
        set={(codePages) => set({ codePages })}
      />
      <NumberField
        name="beeps"
        label={t.printer.beeps}
        digits={1}
        required
        value={draft.beeps}
        set={(beeps) => set({ beeps })}
      />
    </>
  )
}

function Failing({ draft, set, printerId }: SectionProps & { printerId: string }) {
  const { t } = useSpeech()
  return (
    <>
      <PrinterField
        name="backupPrinterId"
        label={t.printer.backup}
        none={t.printer.noBackup}
        except={printerId}
        value={draft.backupPrinterId}
        set={(backupPrinterId) => set({ backupPrinterId })}
      />
      <NumberField
        name="backupAfterMs"
        label={t.printer.backupAfter}
        required
        value={draft.backupAfterSeconds}
        set={(backupAfterSeconds) => set({ backupAfterSeconds })}
      />
      <NumberField
        name="backupWhenDoubtfulAfterMs"
        label={t.printer.backupDoubtful}
        description={t.printer.backupDoubtfulHint}
        required
        value={draft.backupDoubtfulSeconds}
        set={(backupDoubtfulSeconds) => set({ backupDoubtfulSeconds })}
      />
      <ChoiceField
        name="doubt"
        label={t.printer.doubt}
        value={draft.doubt}
        set={(doubt) => set({ doubt })}
        choices={(['reprint', 'hold'] as const).map((one) => [one, t.printer.doubts[one]] as const)}
      />
      <NumberField
        name="staleAfterMs"
        label={t.printer.staleAfter}
        description={t.printer.staleHint}
        digits={4}
        value={draft.staleAfterMinutes}
        set={(staleAfterMinutes) => set({ staleAfterMinutes })}
      />
      <NumberField
        name="staleAboveTickets"
        label={t.printer.staleAbove}
        digits={4}
        value={draft.staleAboveTickets}
        set={(staleAboveTickets) => set({ staleAboveTickets })}
      />
    </>
  )
}
