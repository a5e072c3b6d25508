import type { Certificate } from './certificates.ts'
import { grpcStandIn, serving } from './grpc-stand-in.ts'
import { goodMqtt, mqttStandIn } from './mqtt-stand-in.ts'
import { goodRabbitmq, rabbitmqStandIn } from './rabbitmq-stand-in.ts'
import { filler, kindOf, type Subject } from './robust-check.ts'
import { type ClientFrame, goodWebsocket, serverFrame, websocketStandIn } from './websocket-stand-in.ts'

/** Kinds that keep a connection open for messages, each in clear text and within TLS. */
export function socketSubjects(certificate: Certificate): Subject[] {
  return (['plain', 'tls'] as const).flatMap((layer) => [
    websocketSubject(layer, certificate),
    mqttSubject(layer, certificate),
    grpcSubject(layer, certificate),
    rabbitmqSubject(layer, certificate),
  ])
}

/** The message that is expected comes last, so all of the answers is needed. */
function websocketSubject(layer: 'plain' | 'tls', certificate: Certificate): Subject {
  const scheme = layer === 'tls' ? 'wss' : 'ws'
  const options = { send: 'state', expected_message: 'the end' }
  return {
    name: layer === 'tls' ? 'websocket over TLS' : 'websocket',
    kind: kindOf('websocket'),
    layer,
    check: (port) => ({ url: `${scheme}://127.0.0.1:${port}/feed`, options }),
    good: async () => {
      return (await websocketStandIn({ answer: stating, ...(layer === 'tls' ? { certificate } : {}) })).port
    },
    broken: 'down',
    isAsked: true,
    needs: layer === 'tls' ? 0.9 : 0.99,
  }
}

function stating(frame: ClientFrame): Buffer | null {
  return frame.opcode === 1 ? serverFrame(1, `${filler}the end`) : goodWebsocket(frame)
}

/** The watched message comes last, so all of the answers is needed. */
function mqttSubject(layer: 'plain' | 'tls', certificate: Certificate): Subject {
  const scheme = layer === 'tls' ? 'mqtts' : 'mqtt'
  const options = { username: 'ann', password: 'secret', topic: 'own', watched_topic: 'state' }
  return {
    name: layer === 'tls' ? 'mqtt over TLS' : 'mqtt',
    kind: kindOf('mqtt'),
    layer,
    check: (port) => ({ url: `${scheme}://127.0.0.1:${port}`, options }),
    good: async () => (await mqttStandIn({ answer: goodMqtt, ...(layer === 'tls' ? { certificate } : {}) })).port,
    broken: 'down',
    isAsked: true,
    needs: 0.9,
  }
}

/** The trailers with the status come last, so all of the answer is needed. */
function grpcSubject(layer: 'plain' | 'tls', certificate: Certificate): Subject {
  const scheme = layer === 'tls' ? 'grpcs' : 'grpc'
  return {
    name: layer === 'tls' ? 'grpc over TLS' : 'grpc',
    kind: kindOf('grpc'),
    layer,
    check: (port) => ({ url: `${scheme}://127.0.0.1:${port}`, options: { service: 'shop.v1.Orders' } }),
    good: async () => (await grpcStandIn(serving, layer === 'tls' ? certificate : undefined)).port,
    broken: 'down',
    isAsked: true,
    needs: 0.9,
  }
}

/** The answer to the farewell comes last, so all of the answers is needed. */
function rabbitmqSubject(layer: 'plain' | 'tls', certificate: Certificate): Subject {
  const scheme = layer === 'tls' ? 'amqps' : 'amqp'
  const options = { username: 'ann', password: 'secret', queue: 'orders' }
  return {
    name: layer === 'tls' ? 'rabbitmq over TLS' : 'rabbitmq',
    kind: kindOf('rabbitmq'),
    layer,
    check: (port) => ({ url: `${scheme}://127.0.0.1:${port}/shop`, options }),
    good: async () =>
      (await rabbitmqStandIn({ answer: goodRabbitmq, ...(layer === 'tls' ? { certificate } : {}) })).port,
    broken: 'down',
    isAsked: true,
    needs: 0.9,
  }
}
