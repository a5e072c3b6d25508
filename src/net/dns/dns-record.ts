import type { SignedSections } from './signed-record.ts'

export type DnsRecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT' | 'NS' | 'SOA' | 'SRV'

/** Keys and their digests are of interest only with their signatures. */
export type DnsQuestion =
  | { name: string; type: DnsRecordType; isSigned?: boolean | undefined }
  | { name: string; type: 'DNSKEY' | 'DS'; isSigned: true }

/** Names have no final dot; the root is ".". */
export type DnsValue =
  | { type: 'A' | 'AAAA'; address: string }
  | { type: 'CNAME' | 'NS'; target: string }
  | { type: 'MX'; preference: number; exchange: string }
  /** The record's strings joined, as UTF-8. */
  | { type: 'TXT'; text: string }
  | { type: 'SRV'; priority: number; weight: number; port: number; target: string }
  /** In the order serial, refresh, retry, expire, minimum. */
  | { type: 'SOA'; mname: string; rname: string; numbers: number[] }
  | { type: 'other' }

export type DnsRecord = { name: string; ttlSeconds: number } & DnsValue

export type DnsAnswer = {
  /** IANA's name: NOERROR, NXDOMAIN, SERVFAIL, REFUSED ... */
  rcode: string
  isAuthoritative: boolean
  isTcp: boolean
  answers: DnsRecord[]
  authorities: DnsRecord[]
  additionals: DnsRecord[]
  /** All records with their signatures, where the question asked for these. */
  signed?: SignedSections
}
