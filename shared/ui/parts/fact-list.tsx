// A list of facts, each with its state, one per line.
import { Mark, type Tone } from './mark.tsx'

export interface Fact {
  name: string
  tone: Tone
  words: string
}

export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(({ name, tone, words }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Mark tone={tone}>{words}</Mark>
          </dd>
        </div>
      ))}
    </dl>
  )
}
