// A list: a table where there is room, cards where there is none. With a further page, what is new, and a file for a spreadsheet.
import { Button } from '@mantine/core'
import { memo, type ReactNode, useMemo, useState } from 'react'
import { useSpeech } from '#cloud/web/speech.tsx'
import { saveFile } from '#shared/ui/page-browser.ts'
import { useNotice } from '#shared/ui/parts/notices.tsx'
import { useWide } from '#shared/ui/use-wide.ts'
import { csvOf } from './csv.ts'
import { Paged } from './paged.tsx'
import type { Pages } from './use-pages.ts'

export interface Column<R> {
  key: string
  label: string
  /** Empty or null: a card leaves it out, with its label. */
  cell: (row: R) => ReactNode
  /** The value in the exported file; without it the column is not exported. */
  text?: (row: R) => string | number | null
  /** True: aligned at the end of its column, with digits of one width. */
  isNumber?: boolean
  /** True: only in the exported file, because the table has no room for it. */
  isInFileOnly?: boolean
  /** True: first on a card, without its label. */
  isTitle?: boolean
}

/** From this width on a table fits beside the menu of pages. */
const WIDE_REM = 70

interface DataListProps<R> {
  /** What the list is, for a screen reader. */
  label: string
  /** While `columns`, `toneOf` and `actions` stay the same objects, only rows that are new objects are redrawn: a long live list must keep them. */
  columns: readonly Column<R>[]
  rows: readonly R[]
  keyOf: (row: R) => string
  /** For example `bad` for a row that needs attention. */
  toneOf?: (row: R) => 'bad' | 'warn' | undefined
  /** Buttons at the end of each row. */
  actions?: (row: R) => ReactNode
  /** Shown when there are no rows: `Empty`. */
  empty: ReactNode
  /** Of a list in pages. */
  pages?: Pages<R>
  /** Name of the file, without its ending; absent: no file. */
  file?: string
}

export function DataList<R>({ rows, empty, pages, file, columns: all, ...drawn }: DataListProps<R>) {
  // The same object as long as the columns are: otherwise every row is redrawn.
  const columns = useMemo(() => all.filter(({ isInFileOnly }) => isInFileOnly !== true), [all])
  const list = { ...drawn, columns }
  const isWide = useWide(WIDE_REM)
  return (
    <div className="data-list">
      <Paged
        pages={pages}
        foot={
          file !== undefined &&
          rows.length > 0 && <CsvButton columns={all} all={pages?.all ?? (async () => rows)} file={file} />
        }
      >
        {rows.length === 0 && empty}
        {rows.length > 0 && (isWide ? <Table rows={rows} {...list} /> : <Cards rows={rows} {...list} />)}
      </Paged>
    </div>
  )
}

type Drawn<R> = Omit<DataListProps<R>, 'empty' | 'pages' | 'file'>
interface DrawnRow<R> {
  row: R
  columns: Drawn<R>['columns']
  toneOf: Drawn<R>['toneOf'] | undefined
  actions: Drawn<R>['actions'] | undefined
}
/** @returns the component, redrawn only when one of its properties is another object */
const kept = memo as <P extends object>(part: (props: P) => ReactNode) => (props: P) => ReactNode

function Table<R>({ label, columns, rows, keyOf, toneOf, actions }: Drawn<R>) {
  return (
    <div className="table-frame">
      <table aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ key, label, isNumber }) => (
              <th key={key} scope="col" className={isNumber ? 'number end' : ''}>
                {label}
              </th>
            ))}
            {actions && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} {...{ row, columns, toneOf, actions }} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const TableRow = kept(function TableRow<R>({ row, columns, toneOf, actions }: DrawnRow<R>) {
  return (
    <tr className={toneOf?.(row)}>
      {columns.map(({ key, cell, isNumber }) => (
        <td key={key} className={isNumber ? 'number end' : ''}>
          {cell(row)}
        </td>
      ))}
      {actions && (
        <td>
          <div className="row-actions">{actions(row)}</div>
        </td>
      )}
    </tr>
  )
})

function Cards<R>({ label, columns, rows, keyOf, toneOf, actions }: Drawn<R>) {
  return (
    <ul className="row-cards" aria-label={label}>
      {rows.map((row) => (
        <Card key={keyOf(row)} {...{ row, columns, toneOf, actions }} />
      ))}
    </ul>
  )
}

const Card = kept(function Card<R>({ row, columns, toneOf, actions }: DrawnRow<R>) {
  return (
    <li className={`card ${toneOf?.(row) ?? ''}`}>
      {columns
        .filter(({ isTitle }) => isTitle)
        .map(({ key, cell }) => (
          <strong key={key}>{cell(row)}</strong>
        ))}
      <dl className="facts">
        {columns
          .filter(({ isTitle }) => !isTitle)
          .map((column) => ({ ...column, drawn: column.cell(row) }))
          // In a table an empty cell keeps its column; a card has no use for the label alone.
          .filter(({ drawn }) => drawn !== '' && drawn !== null)
          .map(({ key, label, drawn, isNumber }) => (
            <div key={key}>
              <dt>{label}</dt>
              <dd className={isNumber ? 'number' : ''}>{drawn}</dd>
            </div>
          ))}
      </dl>
      {actions && <div className="row-actions">{actions(row)}</div>}
    </li>
  )
})

interface CsvButtonProps<R> {
  columns: readonly Column<R>[]
  all: () => Promise<readonly R[]>
  file: string
}

/** The whole filter, not only what is shown. */
function CsvButton<R>({ columns, all, file }: CsvButtonProps<R>) {
  const { t } = useSpeech()
  const say = useNotice()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const inFile = columns.flatMap(({ label, text }) => (text === undefined ? [] : [{ label, text }]))
      saveFile(new Blob([csvOf(inFile, await all())], { type: 'text/csv;charset=utf-8' }), `${file}.csv`)
    } catch {
      say(t.problem.title)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="default" loading={isBusy} onClick={() => void save()}>
      {t.list.csv}
    </Button>
  )
}
