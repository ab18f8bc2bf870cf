// npm run mutants: plants known faults one by one in a throw-away copy of the tree, and says which of them no test notices.
// Exit code 0: each was caught. 1: one survived. 2: nothing can be said, because the list or the tests are not in order.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { MUTANTS } from './all-mutants.ts'
import { type Mutant, type NamedTests, planted } from './mutant.ts'
import { type MutantOptions, mutantOptions, USAGE } from './options.ts'
import { ThrowAwayTree } from './throw-away-tree.ts'
import { type Verdict, verdictOf } from './verdict.ts'

const ROOT = join(import.meta.dirname, '../..')
const AT_ONCE = Math.min(2, availableParallelism())
const SURVIVED = 1
const CANNOT_SAY = 2

const trees: ThrowAwayTree[] = []
process.on('exit', () => {
  for (const tree of trees) tree.remove()
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))

const { mutants, isList } = options()
if (isList) for (const { name, file, harm } of mutants) console.log(`${name}\n  ${file}\n  ${harm}`)
else process.exitCode = await run()

function options(): MutantOptions {
  try {
    return mutantOptions(process.argv.slice(2), MUTANTS)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exit(CANNOT_SAY)
  }
}

async function run(): Promise<number> {
  const startedMs = performance.now()
  const lost = mutants.flatMap((mutant) => whyNotPlanted(mutant) ?? [])
  if (lost.length > 0) {
    console.error(lost.join('\n'))
    return CANNOT_SAY
  }
  for (let i = 0; i < Math.min(AT_ONCE, mutants.length); i++) trees.push(new ThrowAwayTree(ROOT))
  console.log(`Running the named tests without any fault (${mutants.length} faults are to be planted).`)
  const unfit = await inParallel(soundTests(), (tree, tests) => whyUnfit(tree, tests))
  const reasons = unfit.filter((reason) => reason !== null)
  if (reasons.length > 0) {
    console.error(`These tests fail without a planted fault, so they prove nothing:\n${reasons.join('\n')}`)
    return CANNOT_SAY
  }
  const verdicts = await inParallel(mutants, (tree, mutant) => verdictOn(tree, mutant))
  return summary(verdicts, performance.now() - startedMs)
}

/** Before anything is run: null when the fault can be planted. */
function whyNotPlanted(mutant: Mutant): string | null {
  try {
    planted(readFileSync(join(ROOT, mutant.file), 'utf8'), mutant)
    return null
  } catch (error) {
    return `${mutant.name}: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** All tests that are named, each once, by project. */
function soundTests(): NamedTests[] {
  const projects = Map.groupBy(mutants, ({ tests }) => tests.project)
  return [...projects].map(([project, named]) => ({
    project,
    files: [...new Set(named.flatMap(({ tests }) => tests.files))],
  }))
}

async function whyUnfit(tree: ThrowAwayTree, tests: NamedTests): Promise<string | null> {
  const ended = await tree.test(tests)
  const verdict = verdictOf(ended)
  if (verdict.kind === 'survived') return null
  return `${tests.project}: ${verdict.kind === 'caught' ? `${verdict.by}\n${ended.output}` : verdict.why}`
}

async function verdictOn(tree: ThrowAwayTree, mutant: Mutant): Promise<Verdict> {
  const startedMs = performance.now()
  const verdict = verdictOf(await tree.tryOut(mutant))
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1).padStart(6)
  if (verdict.kind === 'caught')
    console.log(`caught   ${seconds} s  ${mutant.name}\n                   by: ${verdict.by}`)
  else if (verdict.kind === 'survived')
    console.log(`SURVIVED ${seconds} s  ${mutant.name} (${mutant.file}): ${mutant.harm}`)
  else console.log(`NO WORD  ${seconds} s  ${mutant.name}: ${verdict.why}`)
  return verdict
}

/** Each tree takes the next thing as soon as it is free. Results in the order of the things. */
async function inParallel<T, R>(
  things: readonly T[],
  work: (tree: ThrowAwayTree, thing: T) => Promise<R>,
): Promise<R[]> {
  const left = [...things.entries()]
  const results: R[] = []
  const worker = async (tree: ThrowAwayTree): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results[next[0]] = await work(tree, next[1])
  }
  await Promise.all(trees.map(worker))
  return results
}

function summary(verdicts: readonly Verdict[], ms: number): number {
  const namesOf = (kind: Verdict['kind']) =>
    mutants.filter((_, i) => verdicts[i]?.kind === kind).map(({ name }) => name)
  const [survived, unsaid] = [namesOf('survived'), namesOf('no-answer')]
  console.log(
    `\n${namesOf('caught').length} of ${mutants.length} planted faults were caught, in ${Math.round(ms / 1_000)} s.`,
  )
  if (survived.length > 0) console.log(`No test noticed: ${survived.join(', ')}.`)
  if (unsaid.length > 0) console.log(`Nothing can be said of: ${unsaid.join(', ')}.`)
  if (unsaid.length > 0) return CANNOT_SAY
  return survived.length > 0 ? SURVIVED : 0
}
