// What a restaurant decides about one screen: name, what it is for, stations, language, who prints while it is silent. For a new one and for changes.
import { Checkbox } from '@mantine/core'
import type { DisplayAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { isLanguage } from '#shared/languages.ts'
import { ChoiceField, LanguageField, NameField, NumberField, TextField } from '#shared/ui/parts/fields.tsx'
import { stationsOf } from './printer-draft.ts'
import { PrinterField } from './printer-field.tsx'

/** As people tell screens apart: of the kitchen's, those with stations and the one that sees all. */
export const SCREEN_KINDS = ['station', 'expo', 'runner', 'pick-up'] as const
export type ScreenKind = (typeof SCREEN_KINDS)[number]

/** As it stands in the form. */
export interface DisplayDraft {
  name: string
  kind: ScreenKind
  /** Separated by commas; only of a station's screen. */
  stations: string
  /** Only of a pick-up board. */
  showNames: boolean
  language: string
  /** Empty: none. */
  backupPrinter: string
  /** Seconds; empty: never. */
  buzzAfter: string
}

export function screenKindOf({ kind, stations }: Pick<DisplayAnswer, 'kind' | 'stations'>): ScreenKind {
  if (kind !== 'kitchen') return kind
  return stations.length === 0 ? 'expo' : 'station'
}

/** @param comma between stations, as the page's language writes it */
export function displayDraftOf(display: DisplayAnswer, comma: string): DisplayDraft {
  const { name, stations, language, backupPrinterId, buzzAfterS, showNames } = display
  return {
    ...{ name, kind: screenKindOf(display), stations: stations.join(comma), showNames, language },
    backupPrinter: backupPrinterId ?? '',
    buzzAfter: buzzAfterS === null ? '' : String(buzzAfterS),
  }
}

/** What is sent of it: nothing that its kind does not have. */
export function displayOf({ name, kind, stations, showNames, language, backupPrinter, buzzAfter }: DisplayDraft) {
  const isKitchen = kind === 'station' || kind === 'expo'
  return {
    name,
    kind: isKitchen ? ('kitchen' as const) : kind,
    stations: kind === 'station' ? stationsOf(stations) : [],
    ...(isLanguage(language) ? { language } : {}),
    backupPrinter: !isKitchen || backupPrinter === '' ? null : backupPrinter,
    buzzAfterS: !isKitchen || buzzAfter === '' ? null : Number(buzzAfter),
    showNames: kind === 'pick-up' && showNames,
  }
}

export function DisplayFields({ draft, set }: { draft: DisplayDraft; set: (part: Partial<DisplayDraft>) => void }) {
  const { t } = useSpeech()
  const { kind } = draft
  return (
    <>
      <NameField label={t.displays.name} value={draft.name} set={(name) => set({ name })} />
      <ChoiceField
        name="kind"
        label={t.displays.kind}
        description={t.displays.kindHints[kind]}
        value={kind}
        set={(next) => set({ kind: next })}
        choices={SCREEN_KINDS.map((one) => [one, t.displays.kinds[one]] as const)}
      />
      {kind === 'station' && (
        <TextField
          name="stations"
          label={t.printer.stations}
          description={t.displays.stationsHint}
          required
          value={draft.stations}
          set={(stations) => set({ stations })}
        />
      )}
      <LanguageField label={t.settings.language} value={draft.language} set={(language) => set({ language })} />
      {kind === 'pick-up' && (
        <Checkbox
          label={t.displays.showNames}
          description={t.displays.showNamesHint}
          checked={draft.showNames}
          onChange={({ currentTarget }) => set({ showNames: currentTarget.checked })}
        />
      )}
      {(kind === 'station' || kind === 'expo') && <WhileSilent draft={draft} set={set} />}
    </>
  )
}

function WhileSilent({ draft, set }: { draft: DisplayDraft; set: (part: Partial<DisplayDraft>) => void }) {
  const { t } = useSpeech()
  return (
    <>
      <PrinterField
        name="backupPrinter"
        label={t.displays.backup}
        description={t.displays.backupHint}
        none={t.displays.noBackup}
        value={draft.backupPrinter}
        set={(backupPrinter) => set({ backupPrinter })}
      />
      {draft.backupPrinter !== '' && (
        <NumberField
          name="buzzAfterS"
          label={t.displays.buzzAfter}
          description={t.displays.buzzAfterHint}
          digits={4}
          value={draft.buzzAfter}
          set={(buzzAfter) => set({ buzzAfter })}
        />
      )}
    </>
  )
}
