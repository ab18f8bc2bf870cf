// The floor's relay, as bare as it can be: one HTTP request, one durable commit, one MQTT publish. Prints its ports as one JSON line.
import { createServer } from 'node:http'
import { createServer as createTcp } from 'node:net'
import { duplexPair } from 'node:stream'
import { Aedes } from 'aedes'
import Database from 'better-sqlite3'
import { MqttClient } from 'mqtt'

const db = new Database(process.argv[2] ?? '')
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec('create table if not exists orders (id integer primary key, body text)')
const insert = db.prepare('insert into orders (body) values (?)')

const broker = await Aedes.createBroker({ concurrency: 0 })
const mqttServer = createTcp({ noDelay: true }, broker.handle)
await new Promise<void>((resolve) => mqttServer.listen(0, '127.0.0.1', resolve))
const client = new MqttClient(
  () => {
    const [ours, theirs] = duplexPair()
    broker.handle(theirs)
    // biome-ignore lint/suspicious/noExplicitAny: mqtt.js types its stream as its own Duplex
    return ours as any
  },
  { clientId: 'floor-relay' },
)
await new Promise((resolve) => client.once('connect', resolve))

const http = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    insert.run(body)
    client.publish('floor', body, { qos: 1 })
    response.end('{}')
  })
})
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
const port = (address: ReturnType<typeof http.address>): number =>
  typeof address === 'object' && address ? address.port : 0
console.log(JSON.stringify({ http: port(http.address()), mqtt: port(mqttServer.address()) }))
