import { checkTimeMs } from '#core/monitors/kind-traits.ts'
import { concluded } from '#core/results/inverted.ts'
import { createNet } from '#net/create-net.ts'
import type { GitRefsOutcome } from '#net/git/git-refs.ts'
import type { Net } from '#net/net.ts'
import type { TcpOutcome } from '#net/tcp/tcp.ts'
import type { HttpOutcome } from '#net/http/http-request.ts'
import type { TlsProbeOutcome } from '#net/tls/tls-probe.ts'
import { type Config, readConfig } from '#config/config.ts'
import { checkUsage, parseCheckArguments } from './check-arguments.ts'
import { reportInJson, reportInWords, type Seen } from './check-report.ts'
import { paintFor } from './terminal/paint.ts'

/** Where lines go; process.stdout is one. */
export type Out = { write: (text: string) => unknown }

/**
 * `perigee check`: one check now, on the operator's own machine, where private targets are the operator's. Resolves
 * to the exit code: 0 up or degraded, 1 down, 2 wrong arguments.
 */
export async function runCheck(
  argv: readonly string[],
  out: Out,
  settings: () => Pick<Config, 'services' | 'dnsServers'> = readConfig,
): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    out.write(checkUsage)
    return 0
  }
  const parsed = parseCheckArguments(argv)
  if (!parsed.ok) {
    out.write(`${parsed.problems.join('\n')}\n\n${checkUsage}`)
    return 2
  }
  const { kind, configuration, isJson } = parsed.order
  const { services, dnsServers } = settings()
  const { net, seen } = watching(
    createNet({ allowPrivate: 'all', runsScripts: true, services, ...(dnsServers.length === 0 ? {} : { dnsServers }) }),
  )
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(), checkTimeMs(configuration))
  const found = await kind.check(configuration, net, deadline.signal).finally(() => clearTimeout(timer))
  const verdict = concluded(found, configuration)
  const report = { target: configuration.url, kind: kind.name, verdict, seen }
  out.write(isJson ? `${JSON.stringify(reportInJson(report))}\n` : reportInWords(report, new Date(), paintFor(out)))
  return verdict.status === 'down' ? 1 : 0
}

/** A verdict holds only what is stored; the terminal also shows the connection, so the net is listened to. */
function watching(net: Net): { net: Net; seen: Seen } {
  const seen: Seen = { address: null, redirects: [], tls: null }
  function onHttp(outcome: HttpOutcome): HttpOutcome {
    seen.redirects = outcome.ok ? outcome.answer.redirects : outcome.redirects
    if (!outcome.ok) return outcome
    seen.address = outcome.answer.address
    seen.tls = outcome.answer.tls
    return outcome
  }
  function onTcp(outcome: TcpOutcome): TcpOutcome {
    if (outcome.ok) seen.address = outcome.address
    return outcome
  }
  function onRefs(outcome: GitRefsOutcome): GitRefsOutcome {
    if (!outcome.ok) return outcome
    seen.address = outcome.address
    seen.tls = outcome.tls
    return outcome
  }
  function onTls(outcome: TlsProbeOutcome): TlsProbeOutcome {
    if (!outcome.ok) return outcome
    seen.address = outcome.sight.address
    seen.tls = outcome.sight.session
    return outcome
  }
  return {
    seen,
    net: {
      ...net,
      tls: async (request, signal) => onTls(await net.tls(request, signal)),
      http: async (request, signal) => onHttp(await net.http(request, signal)),
      tcp: async (request, signal) => onTcp(await net.tcp(request, signal)),
      git: { ...net.git, refs: async (request, signal) => onRefs(await net.git.refs(request, signal)) },
    },
  }
}
