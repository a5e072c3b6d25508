// What a target of blackbox_exporter becomes here, by the prober of its module; null where no kind does what it does.
import { resolverOptions } from '#core/imports/transport-parts.ts'
import { parseHostPort } from '#core/language/host-port.ts'
import { blackboxHttpSettings } from './blackbox-http.ts'
import type { BlackboxModule } from './blackbox-rows.ts'
import type { Where } from '#core/imports/findings.ts'
import type { ImportedMonitorInput } from '#core/imports/imported.ts'
import { shown } from '#core/imports/monitor-parts.ts'

type Settings = Partial<ImportedMonitorInput>
/** Notes of a target stand at its place, those of its module at the module's. */
export type Probing = { module: BlackboxModule; notes: Where; where: Where }

export function blackboxSettings(target: string, probing: Probing): Settings | null {
  const { module, where } = probing
  switch (module.prober) {
    case 'http':
      return blackboxHttpSettings(module.http ?? emptyHttp, target, probing.notes)
    case 'tcp':
      return tcpSettings(target, probing)
    case 'icmp':
      return pingSettings(target, where)
    case 'dns':
      return dnsSettings(target, probing)
    case 'grpc':
      return grpcSettings(target, probing)
    case null:
    default:
      where.findings.lost(where.place, `No kind of monitor does what the prober "${shown(module.prober ?? '')}" does.`)
      return null
  }
}

const emptyHttp: NonNullable<BlackboxModule['http']> = {
  method: null,
  enable_http2: true,
  follow_redirects: true,
  fail_if_ssl: false,
  fail_if_not_ssl: false,
  fail_if_body_json_matches_cel: null,
  fail_if_body_json_not_matches_cel: null,
  proxy_url: null,
  preferred_ip_protocol: null,
  ip_protocol_fallback: true,
  body: null,
  body_file: null,
}

function pingSettings(target: string, { place, findings }: Where): Settings | null {
  const host = parseHostPort(target)?.host ?? parseHostPort(`[${target}]`)?.host
  if (host !== undefined) return { kind: 'ping', url: host, check_options: { packets: 1 } }
  findings.lost(place, `"${shown(target)}" is no host that can be pinged.`)
  return null
}

/** Mail servers by their ports: some begin TLS in the dialogue, others have it from the start. */
const mailKinds: Readonly<Record<number, 'smtp' | 'imap' | 'pop'>> = {
  25: 'smtp',
  587: 'smtp',
  143: 'imap',
  110: 'pop',
}

const tlsMailKinds: typeof mailKinds = { 465: 'smtp', 993: 'imap', 995: 'pop' }

function tcpSettings(target: string, { module, notes, where }: Probing): Settings | null {
  const {
    query_response: dialogue,
    tls,
    tls_config: config,
  } = { tls: false, tls_config: null, query_response: null, ...module.tcp }
  const port = parseHostPort(target)?.port ?? null
  if (port === null) {
    where.findings.lost(where.place, `"${shown(target)}" is no host with a port.`)
    return null
  }
  const lines = dialogue ?? []
  const mail = mailKinds[port]
  if (lines.some(({ starttls }) => starttls) && mail !== undefined)
    return { kind: mail, url: target, check_options: { security: 'starttls' } }
  const tlsMail = tlsMailKinds[port]
  if (tls && lines.length > 0 && tlsMail !== undefined)
    return { kind: tlsMail, url: target, check_options: { security: 'tls' } }
  if (config?.insecure_skip_verify === true)
    notes.findings.changed(`${notes.place}.tcp.tls_config`, 'Perigee checks the certificate; the exporter did not.')
  if (tls) {
    if (lines.length > 0) noteDialogue(notes)
    return { kind: 'ssl', url: target, check_options: { warn_days: 1 } }
  }
  const [first, ...rest] = lines
  const isGreeting = first?.send === false && !first.starttls && rest.every(({ expect }) => expect === null)
  const greeting = isGreeting ? first.expect : null
  const text = /^\^?([\w .:/-]{1,256})$/.exec(greeting ?? '')?.[1]
  if (text !== undefined) return { kind: 'tcp', url: target, check_options: { expected_text: text } }
  if (lines.length > 0) noteDialogue(notes)
  return { kind: 'tcp', url: target }
}

function noteDialogue({ place, findings }: Where): void {
  findings.lost(`${place}.tcp.query_response`, 'TCP checks do not send your own text. Only the connection is checked.')
}

function grpcSettings(target: string, { module: { grpc }, where }: Probing): Settings | null {
  const { service, tls, tls_config: config } = { service: null, tls: false, tls_config: null, ...grpc }
  if ((parseHostPort(target)?.port ?? null) === null) {
    where.findings.lost(where.place, `"${shown(target)}" is no host with a port.`)
    return null
  }
  if (!tls)
    where.findings.changed(where.place, 'It asks for no TLS. In Perigee, it is checked so at a private address alone.')
  const options = {
    ...(service === null || service === '' ? {} : { service }),
    ...(tls && config?.insecure_skip_verify === true ? { accept_any_certificate: true } : {}),
  }
  const url = `${tls ? 'grpcs' : 'grpc'}://${target}`
  return { kind: 'grpc', url, ...(Object.keys(options).length === 0 ? {} : { check_options: options }) }
}

const recordTypes = new Set(['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SOA', 'SRV'])

function dnsSettings(target: string, { module: { dns }, notes, where }: Probing): Settings | null {
  const type = (dns?.query_type ?? 'ANY').toUpperCase()
  const name = dns?.query_name ?? null
  if (name === null || !recordTypes.has(type)) {
    where.findings.lost(where.place, `Checks do not support records of type ${shown(type)}.`)
    return null
  }
  const rules = [dns?.validate_answer_rrs, dns?.validate_authority_rrs, dns?.validate_additional_rrs]
  const codes = (dns?.valid_rcodes ?? []).filter((code) => code !== 'NOERROR')
  if (codes.length > 0 || rules.some((rule) => rule !== null && rule !== undefined))
    notes.findings.lost(
      `${notes.place}.dns`,
      'Its rules for records and codes cannot be imported. Any record of the type counts as up.',
    )
  const server = resolverOptions(target, where)
  return { kind: 'dns', url: name.replace(/\.$/, ''), check_options: { record_type: type, ...server } }
}
