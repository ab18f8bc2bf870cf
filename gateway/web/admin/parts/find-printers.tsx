// Looks for printers on the local network; what is found can be added with one button.
import { Button, Group, Loader } from '@mantine/core'
import { useRef, useState } from 'react'
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
  // Also one that was begun elsewhere: by a repair, or by somebody else.
  if (!isRunning && state === 'running' && !stop.isPending) setRunning(true)
  const found = results.data?.printers ?? []
  const printers = Object.values(useLive().topics.printers)
  // Names that were asked for here: the box may not have told of a printer yet when the next one is added.
  const asked = useRef(new Set<string>())
  const newName = (): string => {
    const known = [...printers.map(({ name }) => name), ...found.flatMap(({ printer }) => printer ?? [])]
    const taken = new Set([...known.map((name) => name.toLowerCase()), ...asked.current])
    const name = freeName(t.find.newName, taken)
    asked.current.add(name.toLowerCase())
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
          <FoundPrinter key={`${one.address}:${one.port}`} found={one} newName={newName} added={added} />
        ))}
      </ul>
    </div>
  )
}

interface FoundPrinterProps {
  found: FoundAnswer
  /** A name that no printer has and nothing else here has asked for. */
  newName: () => string
  added: ((printerId: string) => void) | undefined
}

function FoundPrinter({ found, newName, added }: FoundPrinterProps) {
  const { t } = useSpeech()
  const say = useNotice()
  const printers = Object.values(useLive().topics.printers)
  const add = useChange('printers.add', ({ printerId, name }) => {
    say(t.find.addedAs(name))
    added?.(printerId)
  })
  const title = found.model ?? found.name ?? t.find.unknownModel
  const known = printers.find(({ host, port }) => host === found.address && port === found.port)
  const request = {
    host: found.address,
    port: found.port,
    ...(found.suggestedProfileId === null ? {} : { profileId: found.suggestedProfileId }),
  }
  return (
    <li className="card">
      <h3>{title}</h3>
      <p>
        {found.address}:{found.port}
      </p>
      <p className="soft">{[found.mac ?? found.claimedMac, found.suggestedProfileId].filter(Boolean).join(' · ')}</p>
      {(known ?? found.printer) ? (
        <Mark tone="ok">{t.find.known(known?.name ?? found.printer ?? '')}</Mark>
      ) : (
        <Button
          variant="default"
          loading={add.isPending}
          onClick={() => add.mutate({ ...request, name: newName() })}
          aria-label={`${t.find.add} ${found.address}`}
        >
          {t.find.add}
        </Button>
      )}
      <Problem error={add.error} />
    </li>
  )
}

/** `Printer 1`, `Printer 2`: the first that is free. People give a better one when they know which it is. */
function freeName(base: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = `${base} ${n}`
    if (!taken.has(name.toLowerCase())) return name
  }
}
