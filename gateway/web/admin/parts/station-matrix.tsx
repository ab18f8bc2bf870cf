// The stations, and which printers and screens each one has: a table where there is room, a card a station on a phone. A tick counts at once.
import { Alert, Button, Group } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { StationsAnswer } from '#gateway/control/station-answers.ts'
import { useSpeech } from '#gateway/web/admin/i18n.tsx'
import { useChange, useRead } from '#gateway/web/admin/operations.ts'
import { useIsTechnician } from '#gateway/web/admin/session.ts'
import { TextField } from '#shared/ui/parts/fields.tsx'
import { Mark } from '#shared/ui/parts/mark.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { useWide } from '#shared/ui/use-wide.ts'
import type { StationBoard } from './station-board.ts'
import { StationCards } from './station-cards.tsx'
import { displaysAfter, isAllPlaced, isUnticked, printersAfter, stationsOfFormerExpo } from './station-places.ts'
import { StationTable } from './station-table.tsx'

const ASK_EVERY_MS = 10_000
/** From this width on there is room for a column for each printer and screen. */
const WIDE_REM = 56

export function StationMatrix() {
  const { t } = useSpeech()
  const isWide = useWide(WIDE_REM)
  const list = useRead('stations.list', {}, { everyMs: ASK_EVERY_MS })
  const { board, error, add } = useBoard(list.data)
  if (!board) return <Problem error={list.error} />
  const { all, stations, canChange } = board
  const isPlaced = isAllPlaced(all)
  return (
    <div className="stack">
      <p className="soft">{t.stations.explain}</p>
      {all.printers.length === 0 && <Alert color="orange">{t.stations.noPrinters}</Alert>}
      {stations.length === 0 ? (
        <p>{t.stations.none}</p>
      ) : isWide ? (
        <StationTable board={board} />
      ) : (
        <StationCards board={board} />
      )}
      <div role="status">{isPlaced && <Mark tone="ok">{t.stations.allPlaced}</Mark>}</div>
      <Problem error={error} />
      {canChange && <AddStation add={add} />}
    </div>
  )
}

function useBoard(all: StationsAnswer | undefined) {
  const canChange = useIsTechnician()
  const queries = useQueryClient()
  const guide = useRead('guide.get', {})
  const readAgain = () => void queries.invalidateQueries({ queryKey: ['stations'] })
  const assign = useChange('stations.assign', () => void queries.invalidateQueries({ queryKey: ['routing'] }))
  const rename = useChange('stations.rename', () => void queries.invalidateQueries({ queryKey: ['routing'] }))
  const printer = useChange('printers.update', readAgain)
  const display = useChange('displays.update', readAgain)
  const keep = useChange('guide.put', readAgain)
  const error = assign.error ?? rename.error ?? printer.error ?? display.error ?? keep.error
  const added = guide.data?.added ?? []
  const isNamed = (name: string) => (one: string) => one.toLowerCase() === name.toLowerCase()
  const add = (name: string) => {
    if (guide.data && !added.some(isNamed(name))) keep.mutate({ added: [...added, name] })
  }
  if (!all) return { board: null, error, add }
  const board: StationBoard = {
    all,
    stations: all.stations,
    isNew: (station) => added.some(isNamed(station.name)) && isUnticked(station),
    forget: (station) => keep.mutate({ added: added.filter((one) => !isNamed(station.name)(one)) }),
    canChange,
    print: (station, printerId, isOn) =>
      assign.mutate({ station: station.name, printers: printersAfter(station, printerId, isOn) }),
    show: (station, displayId, isOn) =>
      assign.mutate({ station: station.name, displays: displaysAfter(station, displayId, isOn) }),
    takeRest: (printerId) => printer.mutate({ printer: printerId, isDefault: true }),
    showAll: (displayId, isOn) => display.mutate({ displayId, stations: isOn ? [] : stationsOfFormerExpo(all) }),
    rename: (station, name) => rename.mutate({ station, name }),
  }
  return { board, error, add }
}

function AddStation({ add }: { add: (name: string) => void }) {
  const { t } = useSpeech()
  const [name, setName] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') add(name.trim())
    setName('')
  }
  return (
    <form onSubmit={submit}>
      <Group align="end">
        <TextField
          name="station"
          label={t.stations.name}
          description={t.stations.nameHint}
          maxLength={64}
          required
          value={name}
          set={setName}
        />
        <Button type="submit" variant="default">
          {t.stations.add}
        </Button>
      </Group>
    </form>
  )
}
