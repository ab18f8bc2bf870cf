// Floods one relay in one way until it is killed: a program of its own, so that what it costs itself is not measured. Says {} when it begins.
// node flooder.ts KIND MQTT_PORT HTTP_PORT GATEWAY_ID TOKEN
import { connect, type Socket } from 'node:net'
import mqtt, { type MqttClient } from 'mqtt'
import { topicsOf } from '#cloud/relay/broker-rules.ts'
import { sealText } from '#shared/link-seal.ts'
import { CAP_DIGEST } from '#shared/wire/gateway-link.ts'

const [kind = '', mqttPort = '', httpPort = '', gatewayId = '', token = ''] = process.argv.slice(2)
const RESULTS_A_SECOND = 1_300
const { up, down } = topicsOf(gatewayId)
/** Not the address of those who order. */
const HTTP_FROM_ELSEWHERE = { port: Number(httpPort), host: '127.0.0.1', localAddress: '127.0.4.1' }

let current: MqttClient | null = null

/** One fresh client per attempt: mqtt.js stops for ever after a refusal. */
function keepConnected(use: (made: MqttClient) => void, password = token): void {
  const made = mqtt.connect(`mqtt://127.0.0.1:${mqttPort}`, {
    ...{ clientId: gatewayId, username: gatewayId, password, protocolVersion: 4, reconnectPeriod: 0 },
  })
  current = made
  made.on('error', () => {})
  made.once('connect', () => use(made))
  made.once('close', () => {
    made.end(true)
    setTimeout(() => keepConnected(use, password), password === token ? 200 : 0)
  })
}

const sealed = (message: object): string => sealText(JSON.stringify({ v: 1, id: 'm', ts: 0, e: 1, ...message }))

/** As fast as the socket takes it. */
function pour(next: () => string | Buffer): void {
  keepConnected((made) => {
    const more = (): void => {
      if (made === current) made.publish(up, next(), { qos: 0 }, (error) => error ?? setImmediate(more))
    }
    more()
  })
}

/** Keeps so many connections open, each with the beginning of a request. */
function hold(count: number): void {
  for (let n = 0; n < count; n++) {
    const open = (): void => {
      const socket: Socket = connect(HTTP_FROM_ELSEWHERE, () => socket.write('GET /healthz HTTP/1.1\r\n'))
      socket.on('error', () => {}).on('close', () => setTimeout(open, 500))
    }
    open()
  }
}

/** Sixty-four that connect and reset at once: most are reset before the relay has accepted them. At the MQTT port as well. */
function resetAtOnce(): void {
  const again = (port: number): void => {
    const socket: Socket = connect({ ...HTTP_FROM_ELSEWHERE, port }, () => socket.resetAndDestroy())
    socket.on('error', () => {}).on('close', () => again(port))
  }
  for (let i = 0; i < 32; i++) for (const port of [httpPort, mqttPort]) again(Number(port))
}

/** A hundred connections that ask for the largest document as fast as they get it. */
function readDocuments(): void {
  const again = (): void => {
    const socket = connect(HTTP_FROM_ELSEWHERE, () => socket.write(ASK))
    socket.on('error', () => {}).on('close', () => setTimeout(again, 100))
    // What comes in one piece counts as one answer: a flooder asks again too early rather than too late.
    socket.on('data', (chunk) => chunk.includes('HTTP/1.1 ') && socket.write(ASK))
  }
  for (let i = 0; i < 100; i++) again()
}

/** Four WebSockets that send empty frames as fast as they are taken, and never sign in. */
function sendEmptyFrames(): void {
  const empty = Buffer.from('828000000000', 'hex')
  const frames = Buffer.concat(Array.from({ length: 4_000 }, () => empty))
  for (let i = 0; i < 4; i++) {
    const open = (): void => {
      const socket = connect(HTTP_FROM_ELSEWHERE, () => socket.write(UPGRADE))
      const pour = (): void => void socket.write(frames, (error) => error ?? setImmediate(pour))
      socket.on('error', () => {}).on('close', () => setTimeout(open, 10))
      socket.once('data', (answer) => answer.includes(' 101 ') && pour())
    }
    open()
  }
}

/** Twenty addresses that ask with all their connections, each several times ahead, and read nothing. */
function leaveUnread(): void {
  for (let i = 0; i < 20 * 256; i++) {
    const ask = (): void => {
      const localAddress = `127.0.5.${1 + (i % 20)}`
      const socket = connect({ port: Number(httpPort), host: '127.0.0.1', localAddress }, () => {
        socket.pause()
        socket.write(ASK.repeat(4))
      })
      // Who reads nothing learns of a closed connection only by writing; and sockets that are not read keep no program alive.
      const more = setInterval(() => socket.write(ASK), 2_000)
      socket
        .on('error', () => {})
        .on('close', () => {
          clearInterval(more)
          setTimeout(ask, 500)
        })
    }
    ask()
  }
}

const UPGRADE =
  'GET /mqtt HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Protocol: mqtt\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
const ASK = 'GET /docs HTTP/1.1\r\nHost: a\r\n\r\n'

let n = 0
const floods: Record<string, () => void> = {
  results() {
    keepConnected(() => undefined)
    const result = { t: 'result', state: 'printed', startedAt: 1, endedAt: 2, reason: null, tickets: [] }
    setInterval(() => {
      if (!current?.connected) return
      for (let i = 0; i < RESULTS_A_SECOND / 50; i++)
        current.publish(up, sealed({ ...result, jobId: `pj_${n++ % 100}` }))
    }, 20)
  },
  hellos() {
    pour(() =>
      sealed({
        ...{
          e: ++n,
          t: 'hello',
          proto: [1, 1],
          stream: 'stream-a',
          last: 0,
          bootId: 'boot-a',
          app: 'flood',
          cfgVer: 0,
        },
        ...{ caps: [CAP_DIGEST], t0: 0, unreported: 0 },
      }),
    )
  },
  junk() {
    const noise = Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 7_919) % 256))
    pour(() => noise)
  },
  passwords() {
    for (let i = 0; i < 50; i++) keepConnected(() => undefined, 'w'.repeat(43))
  },
  connections() {
    hold(4_000)
  },
  resets: resetAtOnce,
  frames: sendEmptyFrames,
  documents: readDocuments,
  unread: leaveUnread,
  filters() {
    keepConnected(() => undefined)
    const filters = Array.from({ length: 20_000 }, (_, i) => `${down}/${i}`.slice(-12))
    setInterval(() => {
      if (current?.connected) current.subscribe(filters, () => {})
    }, 200)
  },
}

floods[kind]?.()
console.log('{}')
