import type { PeerCertificate as NodeCertificate } from 'node:tls'
import { daysLeft, daysText } from '#core/expiry.ts'
import { certificateNames, readableName } from './certificate.ts'
import type { NetFailure } from '#net/dial/net-failure.ts'

export type RefusedCertificate = {
  /** OpenSSL's or Node's code for the fault. */
  code: string
  /** The host for which the certificate should have been issued. */
  host: string
  /** As sent, leaf first. */
  chain: readonly NodeCertificate[]
  now: Date
}

/** Why a certificate is not accepted. Only OpenSSL's code is used, because its messages hold addresses and paths. */
export function certificateFailure(refused: RefusedCertificate): NetFailure {
  const [leaf] = refused.chain
  const issuer = short(readableName(leaf?.issuer))
  const not = `The certificate of ${refused.host} is not trusted:`
  switch (refused.code) {
    case 'CERT_HAS_EXPIRED':
      return tlsFailure('certificate_expired', expiredText(refused))
    case 'CERT_NOT_YET_VALID':
      return tlsFailure('certificate_not_yet_valid', notYetValidText(refused))
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return tlsFailure('certificate_wrong_name', wrongNameText(refused))
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return tlsFailure('certificate_self_signed', `The certificate of ${refused.host} is self-signed and not trusted`)
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return tlsFailure('certificate_untrusted', `${not} its chain ends in a self-signed root that is not known`)
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return tlsFailure(
        'certificate_issuer_unknown',
        `${not} its issuer "${issuer}" is unknown here, or the server does not send the intermediate certificate`,
      )
    case 'CERT_REVOKED':
      return tlsFailure('certificate_revoked', `The certificate of ${refused.host} was revoked by its issuer`)
    case 'INVALID_PURPOSE':
      return tlsFailure('certificate_wrong_purpose', `${not} it was not issued for servers`)
    default:
      return tlsFailure('certificate_invalid', `${not} ${refused.code}`)
  }
}

/** Why a handshake failed. */
export function handshakeFailure(error: NodeJS.ErrnoException, target: string): NetFailure {
  const code = error.code ?? 'EUNKNOWN'
  if (notTls.has(code)) return tlsFailure('not_tls', `The port does not speak TLS (${target})`)
  if (oldProtocol.has(code))
    return tlsFailure('tls_protocol', `${target} offers no TLS version in use today (1.2 or 1.3)`)
  if (code === 'ECONNRESET' || code === 'EPIPE')
    return tlsFailure('tls_closed', `${target} closed the connection during the TLS handshake`)
  if (code === 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED')
    return tlsFailure('tls_client_certificate', `${target} asks for a TLS client certificate`)
  // OpenSSL 3.2 and later call alerts of all versions SSL/TLS.
  const alert = /^ERR_SSL_(?:(?:SSL|TLS)V[\d_]+_(?:ALERT_)?|SSL\/TLS_ALERT_)(.+)$/.exec(code)?.[1]
  if (alert !== undefined)
    return tlsFailure('tls_alert', `${target} refused the TLS handshake (${alert.toLowerCase().replaceAll('_', ' ')})`)
  return tlsFailure('tls_failed', `The TLS handshake with ${target} failed (${code})`)
}

const notTls = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_RECORD_LAYER_FAILURE',
  'ERR_SSL_HTTP_REQUEST',
  'ERR_SSL_UNKNOWN_PROTOCOL',
])

const oldProtocol = new Set([
  'ERR_SSL_UNSUPPORTED_PROTOCOL',
  'ERR_SSL_VERSION_TOO_LOW',
  'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
  'ERR_SSL_SSLV3_ALERT_PROTOCOL_VERSION',
])

function tlsFailure(code: string, message: string): NetFailure {
  return { phase: 'tls', code, message }
}

function expiredText({ host, chain, now }: RefusedCertificate): string {
  const place = chain.findIndex((certificate) => Date.parse(certificate.valid_to) < now.getTime())
  const certificate = chain[place]
  if (certificate === undefined) return `The certificate chain of ${host} has expired`
  const expiredAt = Date.parse(certificate.valid_to)
  const when = `on ${isoDay(expiredAt)} (${daysText(-daysLeft(new Date(expiredAt), now))} ago)`
  if (place === 0) return `The certificate of ${host} expired ${when}`
  return `The issuing certificate "${short(readableName(certificate.subject))}" in the chain of ${host} expired ${when}`
}

function notYetValidText({ host, chain, now }: RefusedCertificate): string {
  const certificate = chain.find((each) => Date.parse(each.valid_from) > now.getTime())
  const from = certificate === undefined ? 'later' : `on ${isoDay(Date.parse(certificate.valid_from))}`
  return `The certificate of ${host} becomes valid ${from}`
}

const namesShown = 5

function wrongNameText({ host, chain: [leaf] }: RefusedCertificate): string {
  const named = certificateNames(leaf?.subjectaltname)
  const names = named.length > 0 ? named : [readableName(leaf?.subject)]
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
  return `The certificate is for ${names.slice(0, namesShown).map(short).join(', ')}${more}, not for ${host}`
}

/** Names in a certificate are foreign text, so their length is limited. */
function short(name: string): string {
  return name.slice(0, 100)
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
