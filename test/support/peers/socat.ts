import { freePort } from '../free-port.ts'
import { closedUdpPort } from '../udp-server.ts'
import { until } from '../until.ts'
import { scratchFolder, startDaemon } from './daemon.ts'
import { isUdpTaken } from './udp-port.ts'

export type SocatPorts = {
  /** Sends back what it is sent, as RFC 862 has it. */
  echo: number
  /** The same on ::1. */
  echoOnSix: number
  /** Sends the date, whatever it is sent (RFC 867). */
  daytime: number
  /** Takes in everything and says nothing (RFC 863). */
  discard: number
  daytimeOverTcp: number
  discardOverTcp: number
}

/** Says the time once, and takes what it is sent: socat keeps an answer to itself when it cannot hand on the question. */
const dateForOne = 'SYSTEM:date; cat > /dev/null'

/** The small services of old, played by socat on loopback; stopped after the file. It takes one datagram at a time. */
export async function startSocat(): Promise<SocatPorts> {
  const folder = scratchFolder('socat')
  const ports = {
    echo: await closedUdpPort(),
    echoOnSix: await closedUdpPort('::1'),
    daytime: await closedUdpPort(),
    discard: await closedUdpPort(),
    daytimeOverTcp: await freePort(),
    discardOverTcp: await freePort(),
  }
  const start = (from: string, to: string, listening: number[] = []): Promise<void> =>
    startDaemon(['socat', ...(to === nowhere ? ['-u'] : []), from, to], { folder, ports: listening })
  await Promise.all([
    start(`UDP4-RECVFROM:${ports.echo},bind=127.0.0.1,fork`, 'EXEC:cat'),
    start(`UDP6-RECVFROM:${ports.echoOnSix},bind=[::1],fork`, 'EXEC:cat'),
    start(`UDP4-RECVFROM:${ports.daytime},bind=127.0.0.1,fork`, dateForOne),
    start(`UDP4-RECV:${ports.discard},bind=127.0.0.1`, nowhere),
    start(`TCP4-LISTEN:${ports.daytimeOverTcp},bind=127.0.0.1,fork`, 'EXEC:date', [ports.daytimeOverTcp]),
    start(`TCP4-LISTEN:${ports.discardOverTcp},bind=127.0.0.1,fork`, nowhere, [ports.discardOverTcp]),
  ])
  const { echo, echoOnSix, daytime, discard } = ports
  await until('socat to listen', async () => {
    const taken = [isUdpTaken(echo), isUdpTaken(echoOnSix, '::1'), isUdpTaken(daytime), isUdpTaken(discard)]
    return (await Promise.all(taken)).every(Boolean)
  })
  return ports
}

const nowhere = 'OPEN:/dev/null'
