// The floor's gateway: one MQTT message, one durable commit, one TCP write on a kept connection.
// While its printer is away documents wait; when it is back they go one after the other, each confirmed by its answer and that in one commit.
import { connect as connectTcp, type Socket } from 'node:net'
import Database from 'better-sqlite3'
import { connect } from 'mqtt'

const [file = '', mqttPort = '', printerPort = ''] = process.argv.slice(2)
const CONNECT_AGAIN_MS = 100
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec('create table if not exists jobs (id integer primary key, body text, printed integer)')
const insert = db.prepare('insert into jobs (body) values (?)')
const markPrinted = db.prepare('update jobs set printed = 1 where id = ?')

// The same query at the end as a real ticket, so that the printer knows where it ends.
const tail = Buffer.from([0x1d, 0x28, 0x48, 0x06, 0x00, 0x30, 0x30, 0x41, 0x41, 0x41, 0x41])
const waiting: { id: number | bigint; payload: Buffer }[] = []
let printer: Socket | null = null
let confirmed: () => void = () => {}

function connectPrinter(): Promise<void> {
  const socket = connectTcp({ host: '127.0.0.1', port: Number(printerPort), noDelay: true })
  socket.on('data', () => confirmed())
  socket.on('error', () => {})
  socket.on('close', () => {
    printer = null
    setTimeout(connectPrinter, CONNECT_AGAIN_MS)
  })
  return new Promise((resolve) => {
    socket.once('connect', () => {
      printer = socket
      void drain(socket).then(resolve)
    })
  })
}

async function drain(socket: Socket): Promise<void> {
  for (let first = waiting[0]; first !== undefined && printer === socket; first = waiting[0]) {
    const answered = new Promise<void>((resolve) => {
      confirmed = resolve
    })
    socket.write(Buffer.concat([first.payload, tail]))
    await answered
    markPrinted.run(first.id)
    waiting.shift()
  }
}

await connectPrinter()
const client = connect(`mqtt://127.0.0.1:${mqttPort}`, { clientId: 'floor-gateway' })
await new Promise((resolve) => client.once('connect', resolve))
// biome-ignore lint/suspicious/noExplicitAny: the TCP stream behind mqtt.js has setNoDelay
;(client.stream as any).setNoDelay(true)
await client.subscribeAsync('floor', { qos: 1 })
client.on('message', (_topic, payload) => {
  const { lastInsertRowid: id } = insert.run(payload.toString())
  if (printer && waiting.length === 0) printer.write(Buffer.concat([payload, tail]))
  else waiting.push({ id, payload })
})
console.log(JSON.stringify({ ready: true }))
