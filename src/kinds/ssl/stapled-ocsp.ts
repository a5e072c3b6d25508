// The word of OCSP that a server sends with its handshake (RFC 6960, RFC 6066 8). Loaded with the first check that asks
// for it, because few do.
import { createHash, verify, X509Certificate } from 'node:crypto'
import {
  BasicOCSPResponse,
  id_kp_OCSPSigning as ocspSigning,
  id_pkix_ocsp_basic as basicResponse,
  OCSPResponse,
  OCSPResponseStatus,
  type SingleResponse,
} from '@peculiar/asn1-ocsp'
import { AsnConvert } from '@peculiar/asn1-schema'
import { SubjectPublicKeyInfo } from '@peculiar/asn1-x509'
import type { ChainLink } from '#net/tls/certificate.ts'

export type OcspWord = {
  status: 'good' | 'revoked' | 'unknown'
  /** Dates as ISO 8601. */
  revoked_at: string | null
  this_update: string
  next_update: string | null
}

/** `problem` is a sentence. */
export type ReadStaple = { word: OcspWord; problem: null } | { word: null; problem: string }

/** A response for one certificate has two or three thousand bytes. */
const maxBytes = 64 * 1024

/** Reads and proves what a server sent of its certificate, the first of the chain, of which the second is the issuer. */
export function readStaple(staple: Buffer, chain: readonly ChainLink[], now: Date): ReadStaple {
  const [leaf, issuer] = chain
  if (leaf === undefined || issuer === undefined)
    return refused('cannot be proven without the certificate of its issuer')
  if (staple.length > maxBytes) return refused(`has more than ${maxBytes} bytes`)
  try {
    return read(staple, { leaf, issuer, now })
  } catch (error) {
    if (error instanceof StapleFault) return refused(error.message)
    return refused('cannot be read')
  }
}

/** What is wrong with a response, to follow "The stapled OCSP response". */
class StapleFault extends Error {}

type Course = { leaf: ChainLink; issuer: ChainLink; now: Date }

function read(staple: Buffer, { leaf, issuer, now }: Course): ReadStaple {
  const { responseStatus, responseBytes } = AsnConvert.parse(staple, OCSPResponse)
  if (responseStatus !== OCSPResponseStatus.successful || responseBytes === undefined)
    throw new StapleFault(`says that its responder could not answer (${failureOf(responseStatus)})`)
  if (responseBytes.responseType !== basicResponse) throw new StapleFault('is of an unknown type')
  const response = AsnConvert.parse(responseBytes.response, BasicOCSPResponse)
  const issuing = new X509Certificate(issuer.raw)
  prove(response, issuing, now)
  const single = response.tbsResponseData.responses.find((each) => isAbout(each, leaf, issuing))
  if (single === undefined) throw new StapleFault('is about another certificate')
  const { thisUpdate, nextUpdate } = single
  if (thisUpdate.getTime() > now.getTime() + skewMs) throw new StapleFault(`is valid from ${dayOf(thisUpdate)} on`)
  if (nextUpdate !== undefined && nextUpdate.getTime() < now.getTime() - skewMs)
    throw new StapleFault(`was valid until ${nextUpdate.toISOString()}`)
  return { word: wordOf(single), problem: null }
}

/** Clocks may differ by so much. */
const skewMs = 300_000

function wordOf({ certStatus, thisUpdate, nextUpdate }: SingleResponse): OcspWord {
  const { revoked } = certStatus
  return {
    status: revoked === undefined ? (certStatus.good === undefined ? 'unknown' : 'good') : 'revoked',
    revoked_at: revoked?.revocationTime.toISOString() ?? null,
    this_update: thisUpdate.toISOString(),
    next_update: nextUpdate?.toISOString() ?? null,
  }
}

/** RFC 6960 4.2.1. */
const failures = ['', 'malformedRequest', 'internalError', 'tryLater', '', 'sigRequired', 'unauthorized']

function failureOf(status: OCSPResponseStatus): string {
  const name = failures[status] ?? ''
  return name === '' ? `status ${status}` : name
}

function isAbout({ certID }: SingleResponse, leaf: ChainLink, issuing: X509Certificate): boolean {
  const serial = Buffer.from(certID.serialNumber)
    .toString('hex')
    .replace(/^(?:00)+(?=..)/, '')
  if (serial.toUpperCase() !== leaf.serial.toUpperCase().replace(/^(?:00)+(?=..)/, '')) return false
  const digest = digests[certID.hashAlgorithm.algorithm]
  if (digest === undefined) throw new StapleFault('names its certificate by an unknown digest')
  const spki = AsnConvert.parse(issuing.publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo)
  const hash = createHash(digest).update(Buffer.from(spki.subjectPublicKey)).digest()
  return hash.equals(Buffer.from(certID.issuerKeyHash.buffer))
}

const digests: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** By the algorithms with which authorities sign; null where the key says how. */
const signatures: Readonly<Record<string, string | null>> = {
  '1.2.840.113549.1.1.5': 'sha1',
  '1.2.840.113549.1.1.11': 'sha256',
  '1.2.840.113549.1.1.12': 'sha384',
  '1.2.840.113549.1.1.13': 'sha512',
  '1.2.840.10045.4.3.2': 'sha256',
  '1.2.840.10045.4.3.3': 'sha384',
  '1.2.840.10045.4.3.4': 'sha512',
  '1.3.101.112': null,
}

/** RFC 6960 4.2.2.2: the issuer signs, or one to whom it has given a certificate for that. */
function prove(response: BasicOCSPResponse, issuing: X509Certificate, now: Date): void {
  const { signatureAlgorithm, signature, tbsResponseDataRaw, certs = [] } = response
  const { algorithm } = signatureAlgorithm
  if (!(algorithm in signatures) || tbsResponseDataRaw === undefined)
    throw new StapleFault(`is signed in an unknown way (${algorithm})`)
  const delegated = certs
    .slice(0, mostSigners)
    .map((certificate) => new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))))
    .filter((certificate) => maySign(certificate, issuing, now))
  const data = Buffer.from(tbsResponseDataRaw)
  const isSigned = [issuing, ...delegated].some(({ publicKey }) => {
    try {
      return verify(signatures[algorithm] ?? null, data, publicKey, Buffer.from(signature))
    } catch {
      // A key of another sort than the signature.
      return false
    }
  })
  if (!isSigned) throw new StapleFault('is not signed by the issuer of the certificate')
}

const mostSigners = 5

function maySign(certificate: X509Certificate, issuing: X509Certificate, now: Date): boolean {
  const { validFromDate: from, validToDate: to } = certificate
  const isNow = from.getTime() <= now.getTime() + skewMs && to.getTime() >= now.getTime() - skewMs
  return (
    isNow &&
    purposesOf(certificate).includes(ocspSigning) &&
    certificate.checkIssued(issuing) &&
    certificate.verify(issuing.publicKey)
  )
}

/** Node has none where a certificate names no purpose. */
function purposesOf({ keyUsage }: { keyUsage?: readonly string[] | undefined }): readonly string[] {
  return keyUsage ?? []
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function refused(what: string): ReadStaple {
  return { word: null, problem: `The stapled OCSP response ${what}` }
}
