import { createHash, sign, X509Certificate } from 'node:crypto'
import {
  BasicOCSPResponse,
  CertID,
  CertStatus,
  id_pkix_ocsp_basic as basicResponse,
  KeyHash,
  OCSPResponse,
  OCSPResponseStatus,
  ResponderID,
  ResponseBytes,
  ResponseData,
  RevokedInfo,
  SingleResponse,
} from '@peculiar/asn1-ocsp'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { AlgorithmIdentifier, Certificate as Asn1Certificate, SubjectPublicKeyInfo } from '@peculiar/asn1-x509'
import type { Certificate } from './certificates.ts'

const ecdsaWithSha256 = '1.2.840.10045.4.3.2'
const sha1 = '1.3.14.3.2.26'

export type OcspWish = {
  of: Certificate
  issuer: Certificate
  status?: 'good' | 'unknown' | { revokedAt: Date }
  thisUpdate?: Date
  nextUpdate?: Date
  /** Who signs; default: the issuer. */
  signer?: Certificate
  /** Certificates that come along. */
  certificates?: Certificate[]
  /** What the responder says in place of an answer. */
  failure?: OCSPResponseStatus
}

const hourMs = 3_600_000

/** What a responder says of a certificate (RFC 6960), as a server staples it. */
export function ocspResponse(wish: OcspWish): Buffer {
  const { of, issuer, status = 'good', signer = issuer, certificates = [], failure } = wish
  if (failure !== undefined) return encoded(new OCSPResponse({ responseStatus: failure }))
  const spki = AsnConvert.parse(
    new X509Certificate(issuer.pem).publicKey.export({ type: 'spki', format: 'der' }),
    SubjectPublicKeyInfo,
  )
  const tbsResponseData = new ResponseData({
    responderID: new ResponderID({ byKey: new KeyHash(hash(spki.subjectPublicKey)) }),
    producedAt: new Date(),
    responses: [
      new SingleResponse({
        certID: new CertID({
          hashAlgorithm: new AlgorithmIdentifier({ algorithm: sha1 }),
          issuerNameHash: new OctetString(Buffer.alloc(20)),
          issuerKeyHash: hash(spki.subjectPublicKey),
          serialNumber: bytesOf(new X509Certificate(of.pem).serialNumber),
        }),
        certStatus: statusOf(status),
        thisUpdate: wish.thisUpdate ?? new Date(Date.now() - hourMs),
        nextUpdate: wish.nextUpdate ?? new Date(Date.now() + 24 * hourMs),
      }),
    ],
  })
  const data = Buffer.from(AsnConvert.serialize(tbsResponseData))
  const basic = new BasicOCSPResponse({
    tbsResponseData,
    signatureAlgorithm: new AlgorithmIdentifier({ algorithm: ecdsaWithSha256 }),
    signature: new Uint8Array(sign('sha256', data, signer.key)).buffer,
    ...(certificates.length === 0 ? {} : { certs: certificates.map(asn1Of) }),
  })
  const response = new OctetString(encoded(basic))
  return encoded(
    new OCSPResponse({
      responseStatus: OCSPResponseStatus.successful,
      responseBytes: new ResponseBytes({ responseType: basicResponse, response }),
    }),
  )
}

function hash(bytes: ArrayBuffer): OctetString {
  return new OctetString(createHash('sha1').update(Buffer.from(bytes)).digest())
}

function encoded(value: object): Buffer {
  return Buffer.from(AsnConvert.serialize(value))
}

/** A whole number in DER has a sign. */
function bytesOf(hex: string): ArrayBuffer {
  const bytes = Buffer.from(hex, 'hex')
  const isNegative = (bytes[0] ?? 0) >= 0x80
  return new Uint8Array(isNegative ? Buffer.concat([Buffer.from([0]), bytes]) : bytes).buffer
}

function statusOf(status: NonNullable<OcspWish['status']>): CertStatus {
  if (status === 'good') return new CertStatus({ good: null })
  if (status === 'unknown') return new CertStatus({ unknown: null })
  return new CertStatus({ revoked: new RevokedInfo({ revocationTime: status.revokedAt }) })
}

function asn1Of({ pem }: Certificate): Asn1Certificate {
  return AsnConvert.parse(new X509Certificate(pem).raw, Asn1Certificate)
}
