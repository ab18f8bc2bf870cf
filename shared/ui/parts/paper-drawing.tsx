// A printed ticket. The drawing is shown as an image, not as markup of this page, so that nothing inside can run or link.
import { Button, Group } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/** A command in the printer's bytes; offset and length in bytes. */
export interface PaperOperation {
  offset: number
  length: number
  name: string
  detail: string
}

export interface PaperWords {
  views: Readonly<Record<'paper' | 'text' | 'bytes', string>>
  drawingNote: string
  offset: string
  length: string
  command: string
}

interface PaperProps {
  drawing: { svg: string; text: string; operations: readonly PaperOperation[] }
  warnings: readonly string[]
  words: PaperWords
  /** Shown before the choice of the view, such as another choice. */
  children?: ReactNode
}

export function PaperDrawing({ drawing: { svg, text, operations }, warnings, words, children }: PaperProps) {
  const [view, setView] = useState<'paper' | 'text' | 'bytes'>('paper')
  return (
    <div className="drawing">
      <Group align="end">
        {children}
        <Button.Group>
          {(['paper', 'text', 'bytes'] as const).map((one) => (
            <Button
              key={one}
              variant={view === one ? 'filled' : 'default'}
              aria-pressed={view === one}
              onClick={() => setView(one)}
            >
              {words.views[one]}
            </Button>
          ))}
        </Button.Group>
      </Group>
      {warnings.length > 0 && (
        <ul className="plain warn">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {view === 'paper' && (
        <figure>
          <img src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`} alt={text.trim().slice(0, 2_000)} />
          <figcaption>{words.drawingNote}</figcaption>
        </figure>
      )}
      {view === 'text' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard
        <pre className="paper-text" tabIndex={0}>
          {text}
        </pre>
      )}
      {view === 'bytes' && <Bytes operations={operations} words={words} />}
    </div>
  )
}

function Bytes({ operations, words }: { operations: readonly PaperOperation[]; words: PaperWords }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard
    <section className="scroll tall" tabIndex={0} aria-label={words.views.bytes}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.offset}</th>
            <th scope="col">{words.length}</th>
            <th scope="col">{words.command}</th>
          </tr>
        </thead>
        <tbody>
          {operations.map(({ offset, length, name, detail }) => (
            <tr key={offset}>
              <td className="number">{offset}</td>
              <td className="number">{length}</td>
              <td>
                <code>{name}</code> {detail}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
