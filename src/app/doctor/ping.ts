import { bad, type Found, good, notLookedAt } from '#core/doctor-report.ts'
import { MissingMeans } from '#net/dial/own-trouble.ts'
import type { PingOutcome } from '#net/ping/ping.ts'
import type { DoctorCheck } from './doctor-check.ts'

const timeoutMs = 3_000

/** The machine itself answers, so that nothing but the permission is in question. */
export const ping: DoctorCheck = {
  name: 'ping',
  look: async ({ net }, signal) => {
    const reach = async (host: string): Promise<PingOutcome | MissingMeans> => {
      try {
        const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
        return await net.ping({ host, packets: 1, timeoutMs }, until)
      } catch (error) {
        if (error instanceof MissingMeans) return error
        throw error
      }
    }
    const [four, six] = await Promise.all([reach('127.0.0.1'), reach('::1')])
    return [judgePing('IPv4', four), judgePing('IPv6', six)]
  },
}

export function judgePing(family: 'IPv4' | 'IPv6', outcome: PingOutcome | MissingMeans): Found {
  if (outcome instanceof MissingMeans) {
    const [found = outcome.message, advice = ''] = outcome.message.split(': ')
    return bad(
      family,
      `${found}.`,
      `${advice.replace('its operator has to ', '').replace(/^./, (letter) => letter.toUpperCase())}.`,
    )
  }
  if (outcome.ok) return good(family, `This process may ping: this machine answers itself by ${family}.`)
  const why = `${outcome.failure.message}.`
  return family === 'IPv6'
    ? notLookedAt(family, `This machine does not answer itself by IPv6: ${why}`)
    : bad(
        family,
        `This machine does not answer itself by IPv4: ${why}`,
        'See whether a firewall of this machine drops ICMP.',
      )
}
