// What stands in the cells of the stations: the tick of a printer or a screen, and what has no place, in red.
import { Button } from '@mantine/core'
import type { StationAnswer, StationPrinter, StationScreen } from '#gateway/control/station-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import type { StationBoard } from './station-board.ts'
import { paperCell, screenCell } from './station-places.ts'

interface CellProps {
  board: StationBoard
  station: StationAnswer
  /** On a card the tick says whose it is; in the table its row and column do. */
  isNamed?: boolean
}

export function PaperTick({ board, station, printer, isNamed = false }: CellProps & { printer: StationPrinter }) {
  const { t } = useSpeech()
  const cell = paperCell(station, printer.printerId)
  const words = {
    on: '',
    off: '',
    rule: t.stations.byRule,
    rest: t.stations.withRest,
    'passed-over': t.stations.passedOver,
  }
  return (
    <label className="tick">
      <input
        type="checkbox"
        aria-label={t.stations.printsAt(station.name, printer.name)}
        checked={cell === 'on'}
        disabled={!board.canChange}
        onChange={(event) => board.print(station, printer.printerId, event.currentTarget.checked)}
      />
      {isNamed && <bdi>{printer.name}</bdi>}
      {words[cell] !== '' && <span className={cell === 'passed-over' ? 'mark bad' : 'soft'}>{words[cell]}</span>}
    </label>
  )
}

export function ScreenTick({ board, station, screen, isNamed = false }: CellProps & { screen: StationScreen }) {
  const { t } = useSpeech()
  const cell = screenCell(station, screen)
  if (cell === 'all')
    return (
      <span className="tick soft">
        {isNamed && <bdi>{screen.name}</bdi>} {t.stations.all}
      </span>
    )
  return (
    <label className="tick">
      <input
        type="checkbox"
        aria-label={t.stations.showsAt(station.name, screen.name)}
        checked={cell === 'on'}
        disabled={!board.canChange}
        onChange={(event) => board.show(station, screen.displayId, event.currentTarget.checked)}
      />
      {isNamed && <bdi>{screen.name}</bdi>}
    </label>
  )
}

/** Which printer takes what nobody else prints. */
export function RestTick({
  board,
  printer,
  isNamed = false,
}: Omit<CellProps, 'station'> & { printer: StationPrinter }) {
  const { t } = useSpeech()
  return (
    <label className="tick">
      <input
        type="radio"
        name={isNamed ? 'rest-of-cards' : 'rest-of-table'}
        aria-label={t.stations.takesRest(printer.name)}
        checked={board.all.rest.printerId === printer.printerId}
        disabled={!board.canChange}
        onChange={() => board.takeRest(printer.printerId)}
      />
      {isNamed && <bdi>{printer.name}</bdi>}
    </label>
  )
}

/** Whether a screen shows every station. */
export function AllTick({ board, screen, isNamed = false }: Omit<CellProps, 'station'> & { screen: StationScreen }) {
  const { t } = useSpeech()
  return (
    <label className="tick">
      <input
        type="checkbox"
        aria-label={t.stations.showsAll(screen.name)}
        checked={screen.isExpo}
        disabled={!board.canChange || (screen.isExpo && board.all.stations.length === 0)}
        onChange={(event) => board.showAll(screen.displayId, event.currentTarget.checked)}
      />
      {isNamed && <bdi>{screen.name}</bdi>}
    </label>
  )
}

/** What is wrong with a station, and the name that may be meant. */
export function StationFaults({ board, station }: CellProps) {
  const { t } = useSpeech()
  const { all, isNew, canChange, rename } = board
  const rest = all.printers.find(({ printerId }) => printerId === all.rest.printerId)?.name ?? ''
  const { like } = station
  if (isNew(station)) return <span className="soft">{t.stations.newHint}</span>
  return (
    <>
      {station.faults.map((fault) => (
        <Mark key={fault} tone="bad">
          {t.stations.faults[fault](rest)}
        </Mark>
      ))}
      {like !== null && (
        <>
          <Mark tone="warn">{t.stations.like(like)}</Mark>
          {canChange && (
            <Button variant="default" size="compact-sm" onClick={() => rename(station.name, like)}>
              {t.stations.rename(like)}
            </Button>
          )}
        </>
      )}
    </>
  )
}

/** What is wrong with a printer: under its name. */
export function PrinterFault({ printer }: { printer: StationPrinter }) {
  const { t } = useSpeech()
  if (printer.work === 'nothing' || printer.work === 'passed-over')
    return <Mark tone="bad">{t.stations.printerFaults[printer.work]}</Mark>
  return printer.work === 'backup' ? <span className="soft">{t.stations.backupOnly}</span> : null
}

export function ScreenFault({ screen }: { screen: StationScreen }) {
  const { t } = useSpeech()
  return screen.fault === null ? null : <Mark tone="bad">{t.stations.noOverlap}</Mark>
}
