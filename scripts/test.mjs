// What `npm test` runs, on any Node from 20 on: installs what is missing, then every check and every test on Node 24, and a summary.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { bootstrap, endOf, environmentWith, exitCodeOf, ROOT, runMain } from './bootstrap.mjs'
import { failuresIn } from './failures.mjs'

/** What `scripts/package/this-machine.ts` makes: the browser tests run it in the place of gateway/main.ts. */
const EXECUTABLE = join(ROOT, 'dist/test/ticketrail-gateway')

/**
 * `beside`: runs beside the other stages, behind the one before it that does so too; its output is printed when it has ended.
 * @type {{name: string, tool: string, args: string[], vitest?: boolean, beside?: boolean, needs?: {file: string, how: string}, env?: () => Record<string, string>}[]}
 */
const STAGES = [
  { name: 'format and lint', tool: 'biome', args: ['ci', '--error-on-warnings'] },
  { name: 'types', tool: 'tsc', args: ['--noEmit'] },
  { name: 'types of the web pages', tool: 'tsc', args: ['--noEmit', '-p', 'tsconfig.web.json'] },
  { name: 'dead code', tool: 'knip', args: ['--no-progress'] },
  { name: 'unit tests', tool: 'vitest', args: ['run', '--project', 'unit'], vitest: true },
  { name: 'room tests', tool: 'vitest', args: ['run', '--project', 'rooms'], vitest: true },
  // Hundreds of starts and kills, one after the other: five minutes of one core.
  { name: 'power cuts', tool: 'vitest', args: ['run', '--project', 'power-cuts'], vitest: true, beside: true },
  { name: 'conformance tests', tool: 'vitest', args: ['run', '--project', 'conformance'], vitest: true, beside: true },
  { name: 'program tests', tool: 'vitest', args: ['run', '--project', 'programs'], vitest: true },
  { name: 'flow tests', tool: 'vitest', args: ['run', '--project', 'flows'], vitest: true },
  { name: 'web pages', tool: 'vite', args: ['build', '--logLevel', 'error'] },
  { name: 'executable', tool: 'node', args: ['scripts/package/this-machine.ts'] },
  {
    name: 'browser tests',
    tool: 'vitest',
    args: ['run', '--project', 'browser'],
    vitest: true,
    env: () => (existsSync(EXECUTABLE) ? { TEST_GATEWAY_EXECUTABLE: EXECUTABLE } : {}),
    needs: { file: '/usr/bin/chromium', how: 'apt-get install chromium' },
  },
]

/** Enough for the failures of a whole stage. */
const KEPT_CHARACTERS = 2_000_000
const LAST_WORDS_MS = 2_000

let interrupted = false

/** Runs all stages, also after one has failed. Further arguments go to vitest: `npm test -- -t "sum rule"`. */
async function main(args) {
  const own = args.filter((arg) => arg !== '--no-install')
  const node = await bootstrap({ install: own.length === args.length })
  const results = []
  let beside = Promise.resolve()
  for (const stage of STAGES) {
    if (stage.beside) {
      beside = beside.then(() => outcomeOf(stage, node, own))
      results.push(beside)
    } else results.push(await outcomeOf(stage, node, own))
  }
  return summarise(await Promise.all(results))
}

/** What became of a stage; null: it was not begun, because somebody has ended it all. */
async function outcomeOf(stage, node, extra) {
  if (interrupted) return null
  const { name, needs } = stage
  if (!needs || existsSync(needs.file)) return run(stage, node, extra)
  const reason = `${needs.file} is missing (${needs.how})`
  process.stdout.write(`\n== ${name}: SKIPPED, ${reason}\n`)
  return { name, skipped: reason, code: 0, seconds: 0, output: '' }
}

async function run(stage, node, extra) {
  // A filter may leave a project without any test file.
  const forVitest = stage.vitest && extra.length > 0 ? [...extra, '--passWithNoTests'] : []
  const title = `\n== ${stage.name}: ${[stage.tool, ...stage.args, ...forVitest].join(' ')}\n`
  process.stdout.write(stage.beside ? title.replace('\n==', '\n== beginning beside the next ones,') : title)
  const startedMs = performance.now()
  const tool = stage.tool === 'node' ? node : join(ROOT, 'node_modules', '.bin', stage.tool)
  const env = { ...environmentWith(node), ...stage.env?.() }
  const { child, output } = start([tool, ...stage.args, ...forVitest], env, stage.beside)
  const stop = (signal) => {
    interrupted = true
    child.kill(signal)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  const ended = await endOf(child)
  process.off('SIGINT', stop).off('SIGTERM', stop)
  if (stage.beside) process.stdout.write(`${title}${output()}`)
  const seconds = (performance.now() - startedMs) / 1_000
  return { name: stage.name, code: exitCodeOf(ended), seconds, output: output() }
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
  for (const { name, code, seconds, skipped } of results) {
    const result = skipped ? 'skipped' : code === 0 ? 'passed' : 'FAILED'
    const rest = skipped ?? `${seconds.toFixed(1).padStart(6)} s`
    process.stdout.write(`  ${result.padEnd(7)} ${name.padEnd(20)} ${rest}\n`)
  }
  const failed = results.filter(({ code }) => code !== 0)
  for (const { name, output } of failed)
    if (output !== '') process.stdout.write(`\n== again: what failed in "${name}"\n${failuresIn(output).join('\n')}\n`)
  if (interrupted) process.stdout.write('  interrupted before the end\n')
  process.stdout.write(
    failed.length === 0 && !interrupted
      ? '\nEverything passed.\n'
      : `\n${failed.length} of ${results.length} failed: ${failed.map(({ name }) => name).join(', ')}.\n`,
  )
  return failed.length === 0 && !interrupted ? 0 : 1
}

await runMain(main)
