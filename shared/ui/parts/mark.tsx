// A state, always shown as a word and a shape, never by colour alone.
import type { ReactNode } from 'react'

export type Tone = 'ok' | 'warn' | 'bad' | 'idle'

const SHAPES: Readonly<Record<Tone, string>> = { ok: '●', warn: '▲', bad: '■', idle: '○' }

export function Mark({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`mark ${tone}`}>
      <span aria-hidden="true">{SHAPES[tone]}</span> {children}
    </span>
  )
}
