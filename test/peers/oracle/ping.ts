import { ping } from '#kinds/ping.ts'
import { silentSeconds, unknownName, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'

type Asked = Omit<Wish, 'url' | 'command' | 'module'> & { host: string; isSilent?: true }

/** In the network of the machine. */
export function hereCases(): Case[] {
  return [
    pingCase('127.0.0.1', { host: '127.0.0.1' }),
    pingCase('::1', { host: '::1' }),
    pingCase('name that does not exist', {
      ...unknownName,
      state: 'UNKNOWN',
      why: 'unknownName',
    }),
  ]
}

/** In a network that has nothing but loopback, whose 127.0.0.1 does not answer; see ping-inside.ts. */
export function insideCases(): Case[] {
  return [
    pingCase('host that does not answer (all packets lost)', {
      host: '127.0.0.1',
      isSilent: true,
      error: /^Timed out after 1000 ms: no echo reply from 127\.0\.0\.1/,
    }),
    pingCase('network without a route', { host: '203.0.113.1', error: /^No route to 203\.0\.113\.1/ }),
    pingCase('network without a route, IPv6', { host: '2001:db8::1', error: /^No route to 2001:db8::1/ }),
    pingCase('host that is unreachable', { host: '203.0.113.9', error: /^No route to 203\.0\.113\.9/ }),
    pingCase('::1 where 127.0.0.1 does not answer', { host: '::1' }),
  ]
}

function pingCase(name: string, { host, isSilent, ...wish }: Asked): Case {
  const seconds = isSilent === true ? silentSeconds : usualSeconds
  const family = host.includes(':') ? 6 : 4
  return toCase(ping, name, {
    ...wish,
    url: host,
    check: { timeoutMs: seconds * 1000 },
    command: [
      'check_icmp',
      `-${family}`,
      '-H',
      host,
      '-n',
      '3',
      '-t',
      String(seconds + 1),
      '-w',
      '1000,99%',
      '-c',
      '2000,100%',
    ],
    module: { prober: 'icmp', timeout: `${seconds}s`, icmp: { preferred_ip_protocol: `ip${family}` } },
  })
}
