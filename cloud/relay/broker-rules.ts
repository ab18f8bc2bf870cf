// What a connection to the embedded broker may do: pure rules, each of them closes a hole of the broker's defaults.
import { asId, type GatewayId } from '#shared/ids.ts'
import { LINK_LIMITS, type LinkTopics, secondClientId, shardOf, topicsFor } from '#shared/wire/gateway-link.ts'
import type { Introduced } from './gateway-connections.ts'
import type { PacketLimit } from './parser-guard.ts'
import { readUp } from './up-messages.ts'

/** The part of a CONNECT packet that the rules check. */
export interface ConnectFacts {
  clientId: string
  username?: string | undefined
  clean?: boolean | undefined
  protocolVersion?: number | undefined
  will?: { topic: string; payload: Uint8Array | string; qos?: number; retain?: boolean } | undefined
}

const MAX_WILL_BYTES = 1_024

/**
 * The reason for refusing this CONNECT, as a word for the log; null if the token may be checked.
 * A stored session (clean=false) is refused because aedes stores refused filters in it, and because the database is the only queue.
 * Version 5 passes here: aedes answers it with the right CONNACK.
 */
function connectFault(packet: ConnectFacts): string | null {
  if (packet.protocolVersion === 3) return 'protocol version'
  if (packet.clean !== true) return 'stored session'
  if (!/^[a-z0-9_]{1,64}$/.test(packet.clientId)) return 'client id'
  const { clientId, username = '' } = packet
  if (clientId !== username && clientId !== secondClientId(username)) return 'client id is not the user name'
  if (!packet.will) return null
  const { topic, payload, qos, retain } = packet.will
  if (topic !== topicsOf(username).up) return 'will topic'
  if ((qos ?? 0) > 1 || retain) return 'will flags'
  return payload.length > MAX_WILL_BYTES ? 'will size' : null
}

/** `fault` as `connectFault` returns it. `said`: what the CONNECT contains about its sender; nothing when it is refused. */
export function readConnect(packet: ConnectFacts): { fault: string | null; said: Introduced } {
  const fault = connectFault(packet)
  // Only then its will is small enough, and its sender may publish as this gateway.
  return { fault, said: fault === null ? introducedBy(packet) : STRANGER }
}

const STRANGER: Introduced = { machine: null, bootId: null, epoch: null, isBeside: false }

/** It proves nothing, and may be anything. */
function introducedBy({ will: last }: ConnectFacts): Introduced {
  const { message } = last ? readUp(Buffer.from(last.payload)) : { message: null }
  if (message?.t !== 'will') return STRANGER
  const { machine = null, bootId = null, e: epoch, beside = false } = message
  return { machine, bootId, epoch, isBeside: beside }
}

export function mayPublish(gatewayId: string, packet: { topic: string; qos: number; retain: boolean }): boolean {
  return packet.topic === topicsOf(gatewayId).up && packet.qos <= 1 && !packet.retain
}

/** Exact topics only: a filter with a wildcard never equals one. Also the second lock, at delivery. */
export function mayRead(gatewayId: string, topic: string): boolean {
  const { down, all } = topicsOf(gatewayId)
  return topic === down || topic === all
}

/** A gateway subscribes to its way down and to its shard. */
const MAX_FILTERS = 8
const MAX_SUBSCRIBE_BYTES = 2_048

/** Largest packet that a connection may send: small until it has signed in, and for kinds where 200 kB would be thousands of filters. */
export function packetLimit(authenticated: boolean, kind: string): PacketLimit {
  const bytes = authenticated ? LINK_LIMITS.windowBytes : LINK_LIMITS.connectBytes
  const hasFilters = kind === 'subscribe' || kind === 'unsubscribe'
  return { bytes: hasFilters ? Math.min(bytes, MAX_SUBSCRIBE_BYTES) : bytes, filters: MAX_FILTERS }
}

export function topicsOf(gatewayId: string): LinkTopics {
  return topicsFor(gatewayId, shardOf(gatewayId))
}

const UP_TOPIC = /^tr\/v1\/s[0-9a-f]{2}\/g\/([a-z0-9_]{1,64})\/up$/

/** The gateway that sent a message on this topic: the broker lets only that gateway publish there. Null: the topic is not a gateway's. */
export function senderOf(topic: string): GatewayId | null {
  const name = UP_TOPIC.exec(topic)?.[1]
  return name !== undefined && topicsOf(name).up === topic ? asId(name) : null
}
