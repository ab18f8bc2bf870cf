// How long an attempt to connect may take. A machine that cannot be reached is tried again soon; one that has accepted the connection gets
// time: after a restart its program has thousands of CONNECTs to answer, and disconnecting and retrying makes that longer.
import type { IClientOptions, MqttClient } from 'mqtt'

export const CONNECT_PATIENCE = {
  /** Until the other machine has taken the connection. */
  reachMs: 8_000,
  /** From then on until the answer to CONNECT, with TLS and the WebSocket before it. */
  answerMs: 30_000,
  /** From CONNACK until the answer to SUBSCRIBE, which waits in the same queue. One that was damaged on its way never comes. */
  subscribedMs: 20_000,
  /** From hello until the relay's welcome, or its `wait`. */
  welcomeMs: 10_000,
} as const

/** Options for `mqtt.connect` so that `reached` is called when a WebSocket's connection is accepted, before anything is sent on it. */
export function tellingWhenReached(reached: () => void): Pick<IClientOptions, 'wsOptions'> {
  return {
    wsOptions: {
      finishRequest(request) {
        request.once('socket', (socket) => {
          if (socket.connecting) socket.once('connect', reached)
          else reached()
        })
        request.end()
      },
    },
  }
}

/** The same for mqtt:// and mqtts://, whose stream is the connection itself. */
export function whenReached({ stream }: MqttClient, reached: () => void): void {
  // Of a WebSocket it is none, and never connects.
  stream.once('connect', reached)
}
