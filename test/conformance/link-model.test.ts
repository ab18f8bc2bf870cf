// Every order of events of the link's model, with every fault in every place; and that the search finds what each rule is for.
import { describe, expect, it } from 'vitest'
import { inDrill, overNight } from '#test/harness/drill.ts'
import { RULES, type Rules, steps, unfinished, violation } from './link-model.ts'
import { faults } from './link-model-faults.ts'
import { firstState, type State } from './link-model-state.ts'

interface Verdict {
  states: number
  /** Null: nothing is wrong. */
  wrong: string | null
  /** The shortest way there. */
  way: string[]
}

interface Size {
  orders: number
  most: number
  moves?: number
}

/** Breadth first: the first that is found is the shortest. */
function search(rules: Rules, { orders, most, moves = 0 }: Size): Verdict {
  const first = firstState(orders, most, moves)
  const from = new Map<string, { parent: string; name: string } | null>([[keyOf(first), null]])
  const finishes = new Map<string, string | null>()
  let layer: State[] = [first]
  const wayTo = (key: string): string[] => {
    const names: string[] = []
    for (let step = from.get(key); step; step = from.get(step.parent)) names.push(step.name)
    return names.reverse()
  }
  while (layer.length > 0) {
    const next: State[] = []
    for (const state of layer) {
      const key = keyOf(state)
      const wrong = violation(state) ?? ending(state, rules, finishes)
      if (wrong !== null) return { states: from.size, wrong, way: wayTo(key) }
      for (const { name, to } of [...steps(state, rules), ...faults(state, rules)]) {
        const toKey = keyOf(to)
        if (from.has(toKey)) continue
        from.set(toKey, { parent: key, name })
        next.push(to)
      }
    }
    layer = next
  }
  return { states: from.size, wrong: null, way: [] }
}

/** What is wrong once no more faults come, and every program does what it can. */
function ending(state: State, rules: Rules, known: Map<string, string | null>): string | null {
  const passed: string[] = []
  let now = state
  let verdict: string | null
  for (;;) {
    const key = keyOf(now)
    const before = known.get(key)
    if (before !== undefined) {
      verdict = before
      break
    }
    passed.push(key)
    const [step] = steps(now, rules)
    if (!step) {
      verdict = unfinished(now)
      break
    }
    if (passed.length > 500) {
      verdict = 'it never comes to rest'
      break
    }
    now = step.to
  }
  for (const key of passed) known.set(key, verdict)
  return verdict
}

function keyOf(state: State): string {
  return JSON.stringify(state)
}

describe('the model of the link', () => {
  it.each([
    { orders: 1, most: inDrill(4, 3), moves: 0 },
    { orders: 2, most: overNight(3, 2, 2), moves: 0 },
    { orders: 2, most: 0, moves: 3 },
    { orders: 1, most: inDrill(3, 2), moves: 2 },
    { orders: 2, most: inDrill(2, 1), moves: 1 },
  ])(
    'loses nothing, prints nothing twice unmarked and tells each print once: orders $orders, faults $most, moves $moves',
    {
      timeout: inDrill(3_600_000, 180_000),
    },
    (size) => {
      const { states, wrong, way } = search(RULES, size)
      console.log(`  ${states} states`)
      expect(wrong === null ? [] : [...way, wrong]).toEqual([])
      expect(states).toBeGreaterThan(size.most === 0 ? 500 : 5_000)
    },
  )
})

describe('without this rule the search finds the harm:', () => {
  it.each([
    ['digestsDown', { orders: 1, most: 1 }, /wrong text|never told/],
    ['digestsUp', { orders: 2, most: 1 }, /is lost/],
    ['intent', { orders: 1, most: 1 }, /twice without a mark/],
    ['proof', { orders: 1, most: 3 }, /twice without a mark/],
    ['countsClaims', { orders: 1, most: 3 }, /twice without a mark/],
    ['saysBinding', { orders: 1, most: 4 }, /twice without a mark/],
    ['openStaysMarked', { orders: 1, most: 3 }, /twice without a mark/],
    ['marksRewound', { orders: 1, most: 3 }, /twice without a mark/],
    ['knowsMachines', { orders: 1, most: 3 }, /has the place/],
    ['holdsRow', { orders: 1, most: 1 }, /its next number is in use/],
    ['holdsRow', { orders: 2, most: 0, moves: 1 }, /its next number is in use/],
    ['holdsWhileMoving', { orders: 1, most: 0, moves: 1 }, /marked though nothing went wrong/],
  ] as const)('%s (%j)', (rule, size, harm) => {
    const { wrong } = search({ ...RULES, [rule]: false }, size)
    expect(wrong).toMatch(harm)
  })
})
