// Finds what a test asserts about how long something took: names that got an instant or a duration, followed through one file.
import { blockEnd, blockOf, expressionEnd, lineAt, statementEnd, withoutWords } from './source-text.ts'

/** An `expect` that a slow machine, or a quick one, would answer differently. */
export interface Finding {
  line: number
  text: string
}

/** `own`: an instant or a duration of a clock that the test has made; it may say that something came not too early, never that it came early enough. */
type Kind = 'instant' | 'duration' | 'own'

interface Name {
  name: string
  kind: Kind
  /** Where in the text it means this. */
  from: number
  to: number
}

const INSTANT = String.raw`\b(?:performance\.now|Date\.now|systemClock\.(?:now|monotonicMs))\(\)|\bnew Date\(\)`
/** Processor time too: it is as different on each machine. */
const DURATION =
  /\bperformance\.measure\(|\bprocess\.(?:hrtime(?:\.bigint)?|uptime|cpuUsage|threadCpuUsage|resourceUsage)\(/
const OWN = String.raw`\b(?!systemClock\b|performance\b)[\w.]+\.monotonicMs\(\)`
/** How long it was between two instants that a program has told. */
const TOLD = String.raw`(?:AtMs\b|\bDate\.parse\([^()]*\)) - |\s-\s(?:[\w.?]*AtMs\b|Date\.parse\()`
/** A name or a call; a number or a constant taken from an instant makes another instant. */
const OPERAND = String.raw`(?![A-Z_\d]+\b)[A-Za-z_$][\w$.?]*(?:\(\))?`
const UPPER_BOUND = /\.(?:toBeLessThan(?:OrEqual)?|toBeCloseTo)\(/
const COMPARISON = / [<>]=? /
/** Their clocks stand still until the test moves them. */
const MANUAL = /\bManualClock\b|\/gateway-core\.ts'|\/kitchen-room\.ts'/

/** @param timed names of functions, methods and properties of other files that give a duration */
export function wallTimesIn(source: string, timed: readonly string[] = []): Finding[] {
  const text = withoutWords(source)
  const names = namesIn(text, timed)
  const isManual = MANUAL.test(source)
  return [...text.matchAll(/\bexpect(?:\.poll|\.soft)?\(/g)].flatMap(({ index }) => {
    const statement = text.slice(index, statementEnd(text, index))
    const kind = kindOf(statement, index, { names, timed })
    const isBound = UPPER_BOUND.test(statement) || COMPARISON.test(statement)
    const isFound = kind === 'duration' || (isBound && (kind === 'instant' || (kind === 'own' && !isManual)))
    const [words = ''] = source.slice(index).split('\n', 1)
    return isFound ? [{ line: lineAt(source, index), text: words.trim() }] : []
  })
}

/** Functions, methods and properties of helper files that give a duration, also by those of each other. */
export function timedNamesOf(sources: readonly string[]): string[] {
  let timed: string[] = []
  for (let known = -1; known < timed.length; ) {
    known = timed.length
    timed = [...new Set([...timed, ...sources.flatMap((source) => timedNamesIn(source, timed))])]
  }
  return timed
}

function timedNamesIn(source: string, timed: readonly string[]): string[] {
  const text = withoutWords(source)
  const names = namesIn(text, timed)
  const properties = [...text.matchAll(/(?<=[{,]\s*)([\w$]+): /g)].filter(({ 0: head, index }) => {
    const from = index + head.length
    return kindOf(text.slice(from, expressionEnd(text, from)), from, { names, timed }) === 'duration'
  })
  const functions = names.filter(({ kind, from, to }) => kind === 'duration' && from === 0 && to === text.length)
  return [...functions.map(({ name }) => name), ...properties.map(([, name = '']) => name)]
}

/** Goes through the file until nothing new is learnt: a function may stand below the lines that call it. */
function namesIn(text: string, timed: readonly string[]): Name[] {
  const names: Name[] = []
  for (let known = -1; known < names.length; ) {
    known = names.length
    for (const { name, value, at, from, to } of valuesIn(text)) {
      const kind = kindOf(resultsOf(value), at, { names, timed })
      const isKnown = names.some((it) => it.name === name && it.from === from && it.kind === kind)
      if (kind !== null && !isKnown) names.push({ name, kind, from, to })
    }
  }
  return names
}

interface Value {
  name: string
  value: string
  /** Where the value stands; where the name means it. */
  at: number
  from: number
  to: number
}

const GIVEN =
  /\b(?:const|let)\s+(?:(\w+)|[{[]([^=]*?)[}\]])(?::[^=]+?)?\s=\s|\b(\w+)\.push\(|(?<![.\w])(\w+)\s=\s(?!=)/g
const FUNCTION = /\bfunction\s+(\w+)\s*\((\w*)|^ +(?:(?:async|get|static) )*#?(\w+)\([^;]*?\)(?::[^;{]+)? \{$/gm

/** Every value that a name gets, every body of a function with a name, and what such a function is called with. */
function valuesIn(text: string): Value[] {
  const given = [...text.matchAll(GIVEN)].flatMap(({ 0: head, 1: one, 2: several, 3: pushed, 4: again, index }) => {
    const at = index + head.length
    const value = text.slice(at, expressionEnd(text, at))
    const found = several === undefined ? [one ?? pushed ?? again ?? ''] : (several.match(/\w+/g) ?? [])
    return found.map((name) => ({ name, value, at, ...scopeOf(text, name, index) }))
  })
  const functions = [...text.matchAll(FUNCTION)].flatMap(({ 1: plain, 2: parameter, 3: method, index }) => {
    const open = text.indexOf('{\n', index)
    const end = blockEnd(text, open)
    const body = {
      name: plain ?? method ?? '',
      value: `=> ${text.slice(open, end)}`,
      at: open,
      from: 0,
      to: text.length,
    }
    if (!plain || !parameter) return [body]
    const calls = [...text.matchAll(new RegExp(String.raw`(?<!function\s)\b${plain}\(`, 'g'))].map((call) => {
      const at = call.index + call[0].length
      return { name: parameter, value: text.slice(at, expressionEnd(text, at)), at, from: open, to: end }
    })
    return [body, ...calls]
  })
  return [...given, ...functions]
}

/** The block in which the name was made. */
function scopeOf(text: string, name: string, index: number): { from: number; to: number } {
  const made = [
    ...text.slice(0, index + 1).matchAll(new RegExp(String.raw`\b(?:const|let)\s+[{[]?[^=;]*?\b${name}\b`, 'g')),
  ]
  const at = made.map((it) => it.index).findLast((it) => blockOf(text, it).to > index) ?? index
  return blockOf(text, at)
}

/** Of a function with a block only what it gives back; an object is no duration, but its properties may be. */
function resultsOf(value: string): string {
  const isFunction = /=>\s*\{/.test(value)
  const results = isFunction
    ? [...value.matchAll(/\b(?:return\s|resolve\()/g)].map(({ 0: head, index }) =>
        value.slice(index + head.length, expressionEnd(value, index + head.length)),
      )
    : [value]
  return results.filter((result) => !result.includes('{')).join('\n')
}

function kindOf(
  expression: string,
  at: number,
  { names, timed }: { names: readonly Name[]; timed: readonly string[] },
): Kind | null {
  const here = names.filter(({ from, to }) => from <= at && at < to)
  const wordsOf = (kind: Kind) =>
    here.filter((it) => it.kind === kind).map(({ name }) => String.raw`(?<!\w|(?<!\.\.)\.)${name}\b`)
  const has = (...words: string[]) => words.length > 0 && new RegExp(words.join('|')).test(expression)
  const instants = [INSTANT, ...wordsOf('instant')].join('|')
  const isDifference = has(`(?:${instants}) - ${OPERAND}`, `(?<![\\w.])${OPERAND} - (?:${instants})`)
  const calls = timed.map((name) => String.raw`\.${name}\b|(?<![.\w])${name}\(`)
  if (DURATION.test(expression) || isDifference || has(...wordsOf('duration'), ...calls)) return 'duration'
  if (has(OWN, TOLD, ...wordsOf('own'))) return 'own'
  return has(instants) ? 'instant' : null
}
