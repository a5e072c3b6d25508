import type { BlackboxModule } from '../../support/peers/blackbox.ts'

/** Long enough for a busy machine; for servers that say nothing; for the exporter, where it is going to fail. */
export const usualSeconds = 10
export const silentSeconds = 1
export const failingSeconds = 3

/** A name that has no owner (RFC 2606); a machine that cannot reach its name servers reports that in other words. */
export const unknownName = {
  host: 'shop.invalid',
  error: /^(?:The name shop\.invalid does not exist|Looking up the name|The name server)/,
} as const

/** Arguments that most plugins know alike; they wait in whole seconds. */
export function pluginArguments({ host = 'localhost', port, seconds = usualSeconds }: PluginTarget): string[] {
  return [host.includes(':') ? '-6' : '-4', '-H', host, '-p', String(port), '-t', String(seconds + 1)]
}

type PluginTarget = { host?: string; port: number; seconds?: number }

/** A step of a dialogue that the exporter has over TCP; `expect` is a regular expression about one line. */
export type Exchange = { expect?: string; send?: string; starttls?: true }

/** A module that speaks over TCP; with a root it begins with TLS. */
export function tcpModule(
  exchanges: readonly Exchange[],
  { seconds = usualSeconds, tls, family = 4 }: { seconds?: number; tls?: TlsWish; family?: 4 | 6 } = {},
): BlackboxModule {
  return {
    prober: 'tcp',
    timeout: `${seconds}s`,
    tcp: {
      preferred_ip_protocol: `ip${family}`,
      query_response: exchanges,
      ...(tls === undefined ? {} : { tls: tls.isFromStart, tls_config: { ca_file: tls.rootPath } }),
    },
  }
}

export type TlsWish = { rootPath: string; isFromStart: boolean }
