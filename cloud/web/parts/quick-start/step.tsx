// One of the first steps: its number, done or not, and what to do.
import type { ReactNode } from 'react'
import { CloudIcon } from '#cloud/web/icons.tsx'

interface StepProps {
  number: number
  title: string
  isDone: boolean
  children: ReactNode
}

export function Step({ number, title, isDone, children }: StepProps) {
  return (
    <li className={isDone ? 'card done' : 'card'}>
      <h2>
        <span className="step-number" aria-hidden="true">
          {isDone ? <CloudIcon name="check" size={16} /> : number}
        </span>
        {title}
      </h2>
      {children}
    </li>
  )
}
