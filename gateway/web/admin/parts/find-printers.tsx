// Searches the local network for printers; each found one can be added with one button.
import { Button, Group, Loader } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { FoundAnswer } from '#gateway/control/device-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useLive } from '#gateway/web/admin/live.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'

const ASK_EVERY_MS = 1_000

/** @param added called with the id of a printer that was added here */
export function FindPrinters({ added }: { added?: (printerId: string) => void }) {
  const { t } = useSpeech()
  const [isRunning, setRunning] = useState(false)
  const results = useRead('discover.results', {}, { everyMs: isRunning ? ASK_EVERY_MS : false })
  const start = useChange('discover.start', () => setRunning(true))
  const stop = useChange('discover.stop', () => setRunning(false))
  const state = results.data?.state ?? 'never'
  if (isRunning && results.data && state !== 'running' && !results.isFetching && !start.isPending) setRunning(false)
  // Includes a search that was started elsewhere: by a repair, or by another person.
  if (!isRunning && state === 'running' && !stop.isPending) setRunning(true)
  const found = results.data?.printers ?? []
  const printers = Object.values(useLive().topics.printers)
  const nameAt = (one: FoundAnswer): string | null =>
    printers.find(({ host, port }) => host === one.address && port === one.port)?.name ?? one.printer
  // Names of printers that are being added, by address. The box reports a new printer a moment after its answer, and a button can be pressed twice.
  const reserved = useRef(new Map<string, string>())
  useEffect(() => {
    for (const one of found) if (nameAt(one) !== null) reserved.current.delete(placeOf(one))
  })
  const reserveName = (one: FoundAnswer): string | null => {
    if (reserved.current.has(placeOf(one))) return null
    const names = [...printers.map(({ name }) => name), ...found.map(nameAt), ...reserved.current.values()]
    const name = freeName(t.find.newName, new Set(names.map((taken) => taken?.toLowerCase())))
    reserved.current.set(placeOf(one), name)
    return name
  }
  return (
    <div className="stack">
      <Group>
        <Button onClick={() => start.mutate({})} loading={start.isPending} disabled={state === 'running'}>
          {t.find.start}
        </Button>
        {state === 'running' && (
          <>
            <Loader size="sm" aria-hidden="true" />
            <span role="status">{t.find.running}</span>
            <Button variant="default" onClick={() => stop.mutate({})}>
              {t.find.stop}
            </Button>
          </>
        )}
      </Group>
      <Problem error={start.error ?? results.error} />
      {state === 'done' && found.length === 0 && <p role="status">{t.find.nothing}</p>}
      <ul className="cards">
        {found.map((one) => (
          <FoundPrinter
            key={placeOf(one)}
            found={one}
            name={nameAt(one)}
            reserveName={() => reserveName(one)}
            releaseName={() => reserved.current.delete(placeOf(one))}
            added={added}
          />
        ))}
      </ul>
    </div>
  )
}

const placeOf = ({ address, port }: FoundAnswer): string => `${address}:${port}`

interface FoundPrinterProps {
  found: FoundAnswer
  /** The name of the printer that is set up at this place; null: there is none. */
  name: string | null
  /** A name that no other printer has or will get; null: this one is being added. */
  reserveName: () => string | null
  releaseName: () => void
  added: ((printerId: string) => void) | undefined
}

function FoundPrinter({ found, name, reserveName, releaseName, added }: FoundPrinterProps) {
  const { t } = useSpeech()
  const say = useNotice()
  const add = useChange('printers.add', (printer) => {
    say(t.find.addedAs(printer.name))
    added?.(printer.printerId)
  })
  const title = found.model ?? found.name ?? t.find.unknownModel
  const request = {
    host: found.address,
    port: found.port,
    ...(found.suggestedProfileId === null ? {} : { profileId: found.suggestedProfileId }),
  }
  const start = (): void => {
    const newName = reserveName()
    // `useChange` shows the error. The name is released even when this card is no longer on the page.
    if (newName !== null) add.mutateAsync({ ...request, name: newName }).catch(releaseName)
  }
  return (
    <li className="card">
      <h3>{title}</h3>
      <p>
        {found.address}:{found.port}
      </p>
      <p className="soft">{[found.mac ?? found.claimedMac, found.suggestedProfileId].filter(Boolean).join(' · ')}</p>
      {name !== null ? (
        <Mark tone="ok">{t.find.known(name)}</Mark>
      ) : (
        <Button variant="default" loading={add.isPending} onClick={start} aria-label={`${t.find.add} ${found.address}`}>
          {t.find.add}
        </Button>
      )}
      <Problem error={add.error} />
    </li>
  )
}

/** `Printer 1`, `Printer 2`: the first free name. People change it when they know which printer it is. */
function freeName(base: string, taken: ReadonlySet<string | undefined>): string {
  for (let n = 1; ; n++) {
    const name = `${base} ${n}`
    if (!taken.has(name.toLowerCase())) return name
  }
}
