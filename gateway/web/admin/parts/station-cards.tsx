// Stations as cards, one below the other: for a phone.
import type { ReactNode } from 'react'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import type { StationBoard } from './station-board.ts'
import { AllTick, PaperTick, PrinterFault, RestTick, ScreenFault, ScreenTick, StationFaults } from './station-cells.tsx'

export function StationCards({ board }: { board: StationBoard }) {
  const { t } = useSpeech()
  const { printers, displays, rest } = board.all
  return (
    <ul className="cards stations">
      {board.stations.map((station) => (
        <li key={station.name.toLowerCase()} className={station.faults.length > 0 ? 'card bad' : 'card'}>
          <h3>
            <bdi>{station.name}</bdi>
          </h3>
          <span className="under">
            <StationFaults board={board} station={station} />
          </span>
          <p className="soft">
            {t.stations.lines + t.common.colon}
            {station.lines}
          </p>
          <Ticks title={t.stations.printers} isShown={printers.length > 0}>
            {printers.map((printer) => (
              <PaperTick key={printer.printerId} board={board} station={station} printer={printer} isNamed />
            ))}
          </Ticks>
          <Ticks title={t.stations.screens} isShown={displays.length > 0}>
            {displays.map((screen) => (
              <ScreenTick key={screen.displayId} board={board} station={station} screen={screen} isNamed />
            ))}
          </Ticks>
        </li>
      ))}
      <li className="card">
        <h3>{t.stations.rest}</h3>
        <p className="soft">
          {t.stations.restHint} · {rest.lines}
        </p>
        <Ticks title={t.stations.printers} isShown={printers.length > 0}>
          {printers.map((printer) => (
            <div key={printer.printerId}>
              <RestTick board={board} printer={printer} isNamed /> <PrinterFault printer={printer} />
            </div>
          ))}
        </Ticks>
        <Ticks title={t.stations.screens} isShown={displays.length > 0}>
          {displays.map((screen) => (
            <div key={screen.displayId}>
              <AllTick board={board} screen={screen} isNamed /> <ScreenFault screen={screen} />
            </div>
          ))}
        </Ticks>
      </li>
    </ul>
  )
}

function Ticks({ title, isShown, children }: { title: string; isShown: boolean; children: ReactNode }) {
  if (!isShown) return null
  return (
    <fieldset className="ticks">
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}
