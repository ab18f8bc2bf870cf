// The floor's gateway: one MQTT message, one durable commit, one TCP write on a kept connection.
import { connect as connectTcp } from 'node:net'
import Database from 'better-sqlite3'
import { connect } from 'mqtt'

const [file = '', mqttPort = '', printerPort = ''] = process.argv.slice(2)
const db = new Database(file)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec('create table if not exists jobs (id integer primary key, body text)')
const insert = db.prepare('insert into jobs (body) values (?)')

const printer = connectTcp({ host: '127.0.0.1', port: Number(printerPort), noDelay: true })
await new Promise((resolve) => printer.once('connect', resolve))
printer.on('data', () => {})
const client = connect(`mqtt://127.0.0.1:${mqttPort}`, { clientId: 'floor-gateway' })
await new Promise((resolve) => client.once('connect', resolve))
// biome-ignore lint/suspicious/noExplicitAny: the TCP stream behind mqtt.js has setNoDelay
;(client.stream as any).setNoDelay(true)
await client.subscribeAsync('floor', { qos: 1 })
// The same query at the end as a real ticket, so that the printer knows where it ends.
const tail = Buffer.from([0x1d, 0x28, 0x48, 0x06, 0x00, 0x30, 0x30, 0x41, 0x41, 0x41, 0x41])
client.on('message', (_topic, payload) => {
  insert.run(payload.toString())
  printer.write(Buffer.concat([payload, tail]))
})
console.log(JSON.stringify({ ready: true }))
