// Deletes old orders as the relay does, and pulls its own plug at a step. Arguments: database, folder of the export, the time, the step (0: none).
// A step is just before or just after a write, a sync or a read of a file, or a unit of the database. Prints how many there were.
import { open } from 'node:fs/promises'
import { ForgetOrders } from '#cloud/retention/forget-orders.ts'
import { SqliteDatabase } from '#cloud/storage/sqlite/sqlite-database.ts'
import { openStores } from '#cloud/storage/stores.ts'
import { createLogger } from '#shared/log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'

const [file = '', folder = '', nowMs = '0', stopAt = '0'] = process.argv.slice(2)
let steps = 0

function step(): void {
  steps += 1
  if (steps === Number(stopAt)) process.kill(process.pid, 'SIGKILL')
}

function stepsAround(of: object, name: string): void {
  const functions = of as Record<string, (...args: unknown[]) => Promise<unknown>>
  const run = functions[name]
  if (!run) throw new Error(`there is no ${name}`)
  functions[name] = async function (...args) {
    step()
    const result = await run.apply(this, args)
    step()
    return result
  }
}

const probe = await open(import.meta.filename)
for (const name of ['write', 'sync', 'read']) stepsAround(Object.getPrototypeOf(probe), name)
const db = await SqliteDatabase.open(file, (error) => {
  throw error
})
stepsAround(Object.getPrototypeOf(db), 'unit')
const clock = new ManualClock()
clock.jump(Number(nowMs) - clock.now())
const log = createLogger('cloud', 'info', { destination: process.stderr })
const settings = { orderDays: 400, exportFolder: folder, mayDeleteUnexported: false }
await new ForgetOrders({ ...openStores(db), db, clock, log, ...settings }).sweep()
await db.close()
process.stdout.write(`${steps}\n`)
process.exit(0)
