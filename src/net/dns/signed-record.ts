/** The labels of a name from its own to that of its top level, ASCII in lower case, each byte a character. */
export type DnsName = readonly string[]

export type SignatureValue = {
  is: 'signature'
  /** The type of the records that are signed. */
  covered: number
  algorithm: number
  /** Of the owner's name, without an asterisk in front: fewer than it has where a wildcard made the records. */
  labels: number
  originalTtlSeconds: number
  /** Seconds as in RFC 1982, which go round. */
  expiration: number
  inception: number
  keyTag: number
  signer: DnsName
  /** The data in canonical form up to the signature, which signs them, too. */
  signedHead: Buffer
  signature: Buffer
}

export type KeyValue = {
  is: 'key'
  flags: number
  protocol: number
  algorithm: number
  keyTag: number
  publicKey: Buffer
}

export type DigestValue = { is: 'digest'; keyTag: number; algorithm: number; digestType: number; digest: Buffer }

/** `types` is the bitmap of the types that the owner has (RFC 4034 4.1.2). */
export type NextNameValue = { is: 'next name'; next: DnsName; types: Buffer }

export type NextHashValue = {
  is: 'next hash'
  hashAlgorithm: number
  flags: number
  iterations: number
  salt: Buffer
  nextHash: Buffer
  types: Buffer
}

/** CNAME and DNAME. */
export type AliasValue = { is: 'alias'; target: DnsName }

export type SignedValue =
  | SignatureValue
  | KeyValue
  | DigestValue
  | NextNameValue
  | NextHashValue
  | AliasValue
  | { is: 'other' }

/** A record of class IN as its signature sees it: `data` are in canonical form (RFC 4034 6.2). */
export type SignedRecord = { owner: DnsName; type: number; data: Buffer; value: SignedValue }

export type SignedSections = { answers: SignedRecord[]; authorities: SignedRecord[] }
