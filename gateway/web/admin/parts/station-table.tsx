// Stations as rows, printers and screens as columns.
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import type { StationBoard } from './station-board.ts'
import { AllTick, PaperTick, PrinterFault, RestTick, ScreenFault, ScreenTick, StationFaults } from './station-cells.tsx'

export function StationTable({ board }: { board: StationBoard }) {
  const { t } = useSpeech()
  const { printers, displays, rest } = board.all
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached with the keyboard
    <section className="scroll" tabIndex={0} aria-label={t.stations.title}>
      <table className="stations">
        <thead>
          <tr>
            <th scope="col" rowSpan={2}>
              {t.stations.station}
            </th>
            <th scope="col" rowSpan={2} className="number">
              {t.stations.lines}
            </th>
            {printers.length > 0 && (
              <th scope="colgroup" colSpan={printers.length}>
                {t.stations.printers}
              </th>
            )}
            {displays.length > 0 && (
              <th scope="colgroup" colSpan={displays.length} className="edge">
                {t.stations.screens}
              </th>
            )}
          </tr>
          <tr>
            {printers.map((printer) => (
              <th key={printer.printerId} scope="col">
                <bdi>{printer.name}</bdi> <PrinterFault printer={printer} />
              </th>
            ))}
            {displays.map((screen, index) => (
              <th key={screen.displayId} scope="col" className={index === 0 ? 'edge' : ''}>
                <bdi>{screen.name}</bdi> <ScreenFault screen={screen} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {board.stations.map((station) => (
            <tr key={station.name.toLowerCase()} className={station.faults.length > 0 ? 'bad' : ''}>
              <th scope="row">
                <bdi>{station.name}</bdi>
                <span className="under">
                  <StationFaults board={board} station={station} />
                </span>
              </th>
              <td className="number">{station.lines}</td>
              {printers.map((printer) => (
                <td key={printer.printerId}>
                  <PaperTick board={board} station={station} printer={printer} />
                </td>
              ))}
              {displays.map((screen, index) => (
                <td key={screen.displayId} className={index === 0 ? 'edge' : ''}>
                  <ScreenTick board={board} station={station} screen={screen} />
                </td>
              ))}
            </tr>
          ))}
          <tr className="rest">
            <th scope="row">
              {t.stations.rest}
              <span className="under soft">{t.stations.restHint}</span>
            </th>
            <td className="number">{rest.lines}</td>
            {printers.map((printer) => (
              <td key={printer.printerId}>
                <RestTick board={board} printer={printer} />
              </td>
            ))}
            {displays.map((screen, index) => (
              <td key={screen.displayId} className={index === 0 ? 'edge' : ''}>
                <AllTick board={board} screen={screen} />
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </section>
  )
}
