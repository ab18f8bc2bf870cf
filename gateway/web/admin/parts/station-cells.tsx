// The cells of the stations table: the checkbox of a printer or a screen, and stations without either, in red.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { StationAnswer, StationPrinter, StationScreen } from '#gateway/control/station-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import type { StationBoard } from './station-board.ts'
import { paperCell, screenCell } from './station-places.ts'

interface CellProps {
  board: StationBoard
  station: StationAnswer
  /** On a card the checkbox shows its printer's or screen's name; in the table its row and column do. */
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
    <Tick
      label={t.stations.printsAt(station.name, printer.name)}
      name={isNamed ? printer.name : null}
      isOn={cell === 'on'}
      isDead={!board.canChange}
      set={(isOn) => board.print(station, printer.printerId, isOn)}
    >
      {words[cell] !== '' && <span className={cell === 'passed-over' ? 'mark bad' : 'soft'}>{words[cell]}</span>}
    </Tick>
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
    <Tick
      label={t.stations.showsAt(station.name, screen.name)}
      name={isNamed ? screen.name : null}
      isOn={cell === 'on'}
      isDead={!board.canChange}
      set={(isOn) => board.show(station, screen.displayId, isOn)}
    />
  )
}

/** The printer that prints stations which no other printer has. */
export function RestTick({
  board,
  printer,
  isNamed = false,
}: Omit<CellProps, 'station'> & { printer: StationPrinter }) {
  const { t } = useSpeech()
  return (
    <Tick
      oneOf={isNamed ? 'rest-of-cards' : 'rest-of-table'}
      label={t.stations.takesRest(printer.name)}
      name={isNamed ? printer.name : null}
      isOn={board.all.rest.printerId === printer.printerId}
      isDead={!board.canChange}
      set={() => board.takeRest(printer.printerId)}
    />
  )
}

/** Whether a screen shows every station. */
export function AllTick({ board, screen, isNamed = false }: Omit<CellProps, 'station'> & { screen: StationScreen }) {
  const { t } = useSpeech()
  return (
    <Tick
      label={t.stations.showsAll(screen.name)}
      name={isNamed ? screen.name : null}
      isOn={screen.isExpo}
      isDead={!board.canChange || (screen.isExpo && board.all.stations.length === 0)}
      set={(isOn) => board.showAll(screen.displayId, isOn)}
    />
  )
}

interface TickProps {
  /** The label for screen readers. */
  label: string
  /** The name beside it; null: row and column show it. */
  name: string | null
  isOn: boolean
  /** It cannot be changed. */
  isDead: boolean
  set: (isOn: boolean) => void
  /** Of those with the same word only one is on. */
  oneOf?: string
  children?: ReactNode
}

function Tick({ label, name, isOn, isDead, set, oneOf, children }: TickProps) {
  return (
    <label className="tick">
      <input
        {...(oneOf === undefined ? { type: 'checkbox' } : { type: 'radio', name: oneOf })}
        aria-label={label}
        checked={isOn}
        disabled={isDead}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      {name !== null && <bdi>{name}</bdi>}
      {children}
    </label>
  )
}

/** What is wrong with a station, and the name that may be meant. */
export function StationFaults({ board, station }: CellProps) {
  const { t } = useSpeech()
  const { all, isNew, forget, canChange, rename } = board
  const rest = all.printers.find(({ printerId }) => printerId === all.rest.printerId)?.name ?? ''
  const { like } = station
  return (
    <>
      {isNew(station) && (
        <>
          <span className="soft">{t.stations.newHint}</span>
          {canChange && (
            <Button variant="subtle" size="compact-sm" onClick={() => forget(station)}>
              {t.stations.forget(station.name)}
            </Button>
          )}
        </>
      )}
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
