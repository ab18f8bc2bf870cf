// One printer as a card: its health in words and what to do, before any setting.

import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { PrinterAnswer } from '#gateway/control/answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useNow } from '#gateway/web/admin/live.tsx'
import { listed } from '#shared/ui/isolation.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { noteWords, printerStanding } from './words.ts'

/** @param isBrief true: the advice is elsewhere on the page */
export function PrinterCard({ printer, isBrief = false }: { printer: PrinterAnswer; isBrief?: boolean }) {
  const { t, formats } = useSpeech()
  const now = useNow()
  const { tone, words, hint } = printerStanding(printer, t)
  const { printerId, name, queued, parked, stations, isDefault, told, since, testedAt } = printer
  return (
    <article className="card">
      <h3>
        <Anchor component={Link} to="/printers/$printerId" params={{ printerId } as never}>
          {name}
        </Anchor>
      </h3>
      <Mark tone={tone}>{words}</Mark>
      {hint && !isBrief && <p>{hint}</p>}
      <p className="soft">
        {[
          isDefault ? t.printer.isDefault : '',
          stations.length === 0 ? '' : t.printer.serves(listed(stations, t.common.comma)),
          queued === 0 ? '' : t.printer.queued(queued),
          parked === 0 ? '' : t.printer.parked(parked),
          testedAt === null ? t.printer.untested : '',
          printer.state === 'unknown' ? '' : t.common.changed(formats.ago(since, now)),
        ]
          .filter((words) => words !== '')
          .join(' · ')}
      </p>
      {!isBrief && told.map((note) => <p key={note.text}>{noteWords(note, t, formats)}</p>)}
    </article>
  )
}
