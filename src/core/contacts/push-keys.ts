/** A pair of keys on P-256 in base64url: the public one uncompressed, the private one as its number (RFC 8292 2). */
export type PushKeys = { publicKey: string; privateKey: string }
