// Runs stages one after the other or beside each other, on any Node from 20 on: installs what is missing, shows what each says, and ends with a summary.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap, endOf, environmentWith, exitCodeOf, ROOT } from './bootstrap.mjs'
import { failedFilesIn, failuresIn, skipsIn } from './failures.mjs'

/**
 * `beside`: runs beside the other stages, behind the one before it that names the same lane; its output is printed when it has ended.
 * `alone`: begins when those beside it have ended. `files`: what it runs, found out when it begins. `vitest`: its first three arguments are
 * those of the project, files may follow.
 * @typedef {{name: string, tool: string, args: string[], vitest?: boolean, beside?: string, alone?: boolean, needs?: {file: string, how: string}, files?: () => string[], env?: () => Record<string, string>}} Stage
 */

/** Enough for the failures of a whole stage. */
const KEPT_CHARACTERS = 2_000_000
const LAST_WORDS_MS = 2_000
/** Where more have failed, it was not the machine. */
const MOST_FILES_AGAIN = 3

const MINUTE_MS = 60_000
/** Of Linux, whatever the machine. */
const TICKS_A_SECOND = 100

let interrupted = false
/** Processor seconds of the children that have ended, so far. */
let countedSeconds = 0

/**
 * Runs all stages, also after one has failed.
 * @param {Stage[]} stages
 * @param {string[]} args `--no-install`; `--minutes=N`: no stage begins later, and the summary names those that did not; all others go to
 *   vitest: `npm test -- -t "sum rule"`
 * @returns {Promise<number>} exit code
 */
export async function runStages(stages, args) {
  const startedMs = performance.now()
  const given = args.find((arg) => arg.startsWith('--minutes'))
  const minutes = given === undefined ? Infinity : Number(/^--minutes=(\d+)$/.exec(given)?.[1])
  if (Number.isNaN(minutes)) throw new Error(`${given}: say how many minutes, as in --minutes=20`)
  const own = args.filter((arg) => arg !== '--no-install' && arg !== given)
  const node = await bootstrap({ install: !args.includes('--no-install') })
  const isOver = () => performance.now() - startedMs >= minutes * MINUTE_MS
  const begin = (stage) => (isOver() ? skip(stage, `not begun within ${minutes} minutes`) : outcomeOf(stage, node, own))
  const results = []
  /** The last stage of each lane. */
  const lanes = new Map()
  for (const stage of stages) {
    if (stage.alone) await Promise.all(results)
    if (stage.beside) {
      const before = lanes.get(stage.beside) ?? Promise.resolve()
      const outcome = before.then(() => begin(stage))
      lanes.set(stage.beside, outcome)
      results.push(outcome)
    } else results.push(await begin(stage))
  }
  const outcomes = await Promise.all(results)
  if (process.env.SECOND_TRY === 'true') for (const outcome of outcomes) await tryAgain(outcome, node)
  return summarise(outcomes)
}

/**
 * Runs the failed files of a stage once more, when nothing runs beside them. What passes then does not fail the run: a busy machine has held
 * it up, or it fails now and then. The summary names it and shows how it has failed. For CI (docs/decisions/0087).
 */
async function tryAgain(outcome, node) {
  const stage = outcome?.stage
  if (!stage?.vitest || outcome.code === 0) return
  const files = failedFilesIn(outcome.output)
  if (files.length === 0 || files.length > MOST_FILES_AGAIN) return
  const again = await outcomeOf(
    { ...stage, args: stage.args.slice(0, 3), files: () => files, beside: undefined },
    node,
    [],
  )
  if (again === null || again.code !== 0) return
  outcome.code = 0
  outcome.passedAgain = files
}

/** What became of a stage; null: it was not begun, because somebody has ended it all. */
async function outcomeOf(stage, node, extra) {
  if (interrupted) return null
  const { needs } = stage
  if (!needs || existsSync(needs.file)) return run(stage, node, extra)
  return skip(stage, `${needs.file} is missing (${needs.how})`)
}

function skip({ name }, reason) {
  process.stdout.write(`\n== ${name}: SKIPPED, ${reason}\n`)
  return { name, skipped: reason, code: 0, seconds: 0, output: '' }
}

async function run(stage, node, extra) {
  // A filter may leave a project without any test file.
  const forVitest = stage.vitest && extra.length > 0 ? [...extra, '--passWithNoTests'] : []
  const files = stage.files?.() ?? []
  const some = files.length > 0 ? [`(${files.length} files)`] : []
  const title = `\n== ${stage.name}: ${[stage.tool, ...stage.args, ...some, ...forVitest].join(' ')}\n`
  process.stdout.write(stage.beside ? title.replace('\n==', '\n== beginning beside the next ones,') : title)
  const startedMs = performance.now()
  const tool = stage.tool === 'node' ? node : join(ROOT, 'node_modules', '.bin', stage.tool)
  const env = { ...environmentWith(node), ...stage.env?.() }
  const { child, output } = start([tool, ...stage.args, ...files, ...forVitest], env, stage.beside !== undefined)
  const stop = (signal) => {
    interrupted = true
    child.kill(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const ended = await endOf(child)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (stage.beside) process.stdout.write(`${title}${output()}`)
  const seconds = (performance.now() - startedMs) / 1_000
  return { name: stage.name, stage, code: exitCodeOf(ended), seconds, cpuSeconds: takeCpuSeconds(), output: output() }
}

/** Of the child that has just ended, and of all that it waited for; 0 where the system does not tell. */
function takeCpuSeconds() {
  const before = countedSeconds
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')
    countedSeconds = (Number(fields[13]) + Number(fields[14])) / TICKS_A_SECOND
  } catch {
    // Not Linux.
  }
  return countedSeconds - before
}

/** On a terminal the tool has it for itself; elsewhere what it prints passes through and is kept, both streams in their order. */
function start(command, env, isQuiet = false) {
  const options = { cwd: ROOT, env }
  const [tool, ...args] = command
  if (process.stdout.isTTY && !isQuiet)
    return { child: spawn(tool, args, { ...options, stdio: 'inherit' }), output: () => '' }
  const child = spawn('/bin/sh', ['-c', 'exec "$0" "$@" 2>&1', ...command], {
    ...options,
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  let kept = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    if (!isQuiet) process.stdout.write(text)
    kept = (kept + text).slice(-KEPT_CHARACTERS)
  })
  // A process that the tool left behind may hold the pipe open for ever.
  child.once('exit', () => setTimeout(() => child.stdout.destroy(), LAST_WORDS_MS).unref())
  return { child, output: () => kept }
}

/** Prints a line a stage, and again what failed, which may stand far above; returns the exit code. */
function summarise(outcomes) {
  process.stdout.write('\n== summary\n')
  const results = outcomes.filter((outcome) => outcome !== null)
  for (const { name, code, seconds, cpuSeconds, skipped, passedAgain } of results) {
    const result = skipped ? 'skipped' : code === 0 ? 'passed' : 'FAILED'
    const rest = skipped ?? `${seconds.toFixed(1).padStart(6)} s, CPU ${cpuSeconds.toFixed(0)} s`
    const again = passedAgain ? `, at the second try: ${passedAgain.join(' ')}` : ''
    process.stdout.write(`  ${result.padEnd(7)} ${name.padEnd(20)} ${rest}${again}\n`)
  }
  for (const { output } of results) for (const line of skipsIn(output)) process.stdout.write(`  skipped ${line}\n`)
  const failed = results.filter(({ code }) => code !== 0)
  for (const { name, output, passedAgain } of results)
    if (passedAgain)
      process.stdout.write(`\n== has failed once: "${name}". Find out why\n${failuresIn(output).join('\n')}\n`)
  for (const { name, output } of failed)
    if (output !== '') process.stdout.write(`\n== again: what failed in "${name}"\n${failuresIn(output).join('\n')}\n`)
  if (interrupted) process.stdout.write('  interrupted before the end\n')
  process.stdout.write(
    failed.length === 0 && !interrupted
      ? `\nEverything ${results.some(({ skipped }) => skipped) ? 'that ran ' : ''}passed.\n`
      : `\n${failed.length} of ${results.length} failed: ${failed.map(({ name }) => name).join(', ')}.\n`,
  )
  return failed.length === 0 && !interrupted ? 0 : 1
}
