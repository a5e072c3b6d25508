import { createSocket, type Socket } from 'node:dgram'

const patienceMs = 200

/** Whether a UDP server on loopback says anything to a datagram; for waiting until it listens. */
export function hasUdpAnswer(port: number, payload: Uint8Array, host = '127.0.0.1'): Promise<boolean> {
  const socket = socketFor(host)
  return new Promise((resolve) => {
    const end = (isAnswered: boolean): void => {
      clearTimeout(timer)
      socket.close()
      resolve(isAnswered)
    }
    const timer = setTimeout(end, patienceMs, false)
    socket.once('message', () => end(true))
    socket.once('error', () => end(false))
    socket.connect(port, host, () => socket.send(payload))
  })
}

/** True when another process listens on this UDP port of loopback. */
export function isUdpTaken(port: number, host = '127.0.0.1'): Promise<boolean> {
  const socket = socketFor(host)
  return new Promise((resolve) => {
    socket.once('error', () => {
      socket.close()
      resolve(true)
    })
    socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(false)))
  })
}

function socketFor(host: string): Socket {
  return createSocket(host.includes(':') ? 'udp6' : 'udp4')
}
