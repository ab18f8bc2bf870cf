// What a restaurant decides about one printer: name, address, family, stations, what it prints, what happens when it fails.
import { Button, Checkbox, Group, NativeSelect, Switch, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { useNotice } from './notices.tsx'
import { changeOf, draftOf, PAPERS, type PrinterDraft } from './printer-draft.ts'
import { Problem } from './problem.tsx'

const SECTIONS = ['device', 'takes', 'failing'] as const
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
  const [draft, setDraft] = useState(() => draftOf(printer))
  const update = useChange('printers.update', (answer) => {
    setDraft(draftOf(answer))
    say(t.common.saved)
  })
  const set = (part: Partial<PrinterDraft>) => setDraft((before) => ({ ...before, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    update.mutate({ printer: printer.printerId, ...changeOf(draft) })
  }
  return (
    <form className="stack narrow" onSubmit={submit}>
      {sections.includes('device') && <Device draft={draft} set={set} />}
      {sections.includes('takes') && <Takes draft={draft} set={set} isDefault={printer.isDefault} />}
      {sections.includes('failing') && <Failing draft={draft} set={set} printerId={printer.printerId} />}
      <Problem error={update.error} />
      <Group>
        <Button type="submit" loading={update.isPending}>
          {t.common.save}
        </Button>
      </Group>
    </form>
  )
}

interface SectionProps {
  draft: PrinterDraft
  set: (part: Partial<PrinterDraft>) => void
}

function Device({ draft, set }: SectionProps) {
  const { t } = useSpeech()
  const profiles = useRead('profiles', {})
  return (
    <fieldset>
      <legend>{t.printer.device}</legend>
      <TextInput
        label={t.printer.name}
        required
        maxLength={40}
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t.printer.address}
        description={t.printer.addressHint}
        required
        value={draft.host}
        onChange={(event) => set({ host: event.currentTarget.value })}
      />
      <TextInput
        label={t.printer.port}
        inputMode="numeric"
        pattern="[0-9]{1,5}"
        required
        value={draft.port}
        onChange={(event) => set({ port: event.currentTarget.value })}
      />
      <NativeSelect
        label={t.printer.profile}
        value={draft.profileId}
        onChange={(event) => set({ profileId: event.currentTarget.value })}
        data={(profiles.data ?? [{ id: draft.profileId, models: [] }]).map(({ id, models }) => ({
          value: id,
          label: `${id}: ${models.join(', ')}`.slice(0, 90),
        }))}
      />
      <TextInput
        label={t.printer.columns}
        description={t.printer.columnsHint}
        inputMode="numeric"
        pattern="[0-9]{0,2}"
        value={draft.columns}
        onChange={(event) => set({ columns: event.currentTarget.value })}
      />
      <TextInput
        label={t.printer.beeps}
        inputMode="numeric"
        pattern="[0-9]"
        required
        value={draft.beeps}
        onChange={(event) => set({ beeps: event.currentTarget.value })}
      />
    </fieldset>
  )
}

function Takes({ draft, set, isDefault }: SectionProps & { isDefault: boolean }) {
  const { t } = useSpeech()
  return (
    <fieldset>
      <legend>{t.printer.takes}</legend>
      <TextInput
        label={t.printer.stations}
        description={t.printer.stationsHint}
        value={draft.stations}
        onChange={(event) => set({ stations: event.currentTarget.value })}
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
      <NativeSelect
        label={t.printer.split}
        value={draft.split}
        onChange={(event) => set({ split: event.currentTarget.value as PrinterDraft['split'] })}
        data={(['consolidated', 'per-item'] as const).map((value) => ({ value, label: t.printer.splits[value] }))}
      />
      <TextInput
        label={t.printer.copies}
        inputMode="numeric"
        pattern="[1-5]"
        required
        value={draft.copies}
        onChange={(event) => set({ copies: event.currentTarget.value })}
      />
    </fieldset>
  )
}

function Failing({ draft, set, printerId }: SectionProps & { printerId: string }) {
  const { t } = useSpeech()
  const others = Object.values(useLive().topics.printers).filter((other) => other.printerId !== printerId)
  return (
    <fieldset>
      <legend>{t.printer.failing}</legend>
      <NativeSelect
        label={t.printer.backup}
        value={draft.backupPrinterId}
        onChange={(event) => set({ backupPrinterId: event.currentTarget.value })}
        data={[
          { value: '', label: t.printer.noBackup },
          ...others.map((other) => ({ value: other.printerId, label: other.name })),
        ]}
      />
      <TextInput
        label={t.printer.backupAfter}
        inputMode="numeric"
        pattern="[0-9]{1,3}"
        required
        value={draft.backupAfterSeconds}
        onChange={(event) => set({ backupAfterSeconds: event.currentTarget.value })}
      />
      <NativeSelect
        label={t.printer.doubt}
        value={draft.doubt}
        onChange={(event) => set({ doubt: event.currentTarget.value as PrinterDraft['doubt'] })}
        data={(['reprint', 'hold'] as const).map((value) => ({ value, label: t.printer.doubts[value] }))}
      />
      <NativeSelect
        label={t.printer.connection}
        value={draft.connection}
        onChange={(event) => set({ connection: event.currentTarget.value as PrinterDraft['connection'] })}
        data={(['shared', 'exclusive'] as const).map((value) => ({ value, label: t.printer.connections[value] }))}
      />
    </fieldset>
  )
}
