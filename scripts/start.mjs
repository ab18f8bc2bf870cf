// What `npm start` runs, on any Node from 20 on: installs what is missing, then hands over to scripts/demo.ts on Node 24.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { bootstrap, endOf, environmentWith, exitCodeOf, ROOT, runMain } from './bootstrap.mjs'

async function main(args) {
  const node = await bootstrap({ install: !args.includes('--no-install') })
  const child = spawn(node, [join(ROOT, 'scripts', 'demo.ts'), ...args], {
    stdio: 'inherit',
    // Compiled code is kept between starts: both programs are back after a crash in two thirds of the time.
    env: { NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'ticketrail'), ...environmentWith(node) },
  })
  // A terminal sends Ctrl-C to the whole group and npm sends it once more; the demo counts signals that come together as one.
  const forward = (signal) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward)
  const watch = stopWithNpm(() => child.kill('SIGTERM'))
  const ended = await endOf(child)
  clearInterval(watch)
  return exitCodeOf(ended)
}

/** When npm itself is killed, nobody is left to send us a signal: a new parent process means that it is gone. */
function stopWithNpm(stop) {
  const parent = process.ppid
  if (process.env.npm_lifecycle_event !== 'start') return undefined
  return setInterval(() => {
    if (process.ppid !== parent) stop()
  }, 250)
}

await runMain(main)
