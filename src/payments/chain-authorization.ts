import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Challenge } from './method.ts'

export type Hex = `0x${string}`

/** A stablecoin of a US dollar, and the domain that its holders sign for (EIP-712). */
export type Token = { address: Hex; name: string; version: string; decimals: number }

const address = hex(40)
const atoms = z.string().regex(/^(?:0|[1-9]\d{0,77})$/)

/** The payload on the wire: a transfer that its payer has signed and that any account may submit (ERC-3009). */
export const authorizationSchema = z.object({
  type: z.literal('authorization'),
  from: address,
  to: address,
  value: atoms,
  /** Both in seconds since 1970. */
  validAfter: atoms,
  validBefore: atoms,
  nonce: hex(64),
  /** The signature of an account with a key of its own; not every token accepts those of contracts. */
  signature: hex(130),
})
export type Authorization = z.infer<typeof authorizationSchema>

/** As it is kept until it is paid. A nonce that its payer chose (x402) fits any challenge, so it may be spent already. */
export const keptAuthorizationSchema = authorizationSchema.extend({ isNonceChosen: z.literal(true).optional() })
export type KeptAuthorization = z.infer<typeof keptAuthorizationSchema>

/** The nonce by which an authorization fits one challenge only (draft-evm-charge-00). */
export async function nonceOf({ id, realm }: Pick<Challenge, 'id' | 'realm'>): Promise<Hex> {
  const { keccak_256: keccak256 } = await import('@noble/hashes/sha3.js')
  return `0x${Buffer.from(keccak256(Buffer.from(`${id}${realm}`))).toString('hex')}`
}

/** Whether the payer signed it for this token on this chain. */
export async function isSigned(authorization: Authorization, token: Token, chainId: number): Promise<boolean> {
  const { parseSignature, recoverAddressTyped, serializeSignature } = await import('micro-eth-signer')
  try {
    // Wallets end it with 0 or 1, or with 27 or 28.
    const signature = serializeSignature(parseSignature(authorization.signature))
    const signer = recoverAddressTyped(signature, typedData(authorization, token, chainId))
    return signer.toLowerCase() === authorization.from.toLowerCase()
  } catch {
    // The text has the form of a signature and is none.
    return false
  }
}

type Wish = Pick<Authorization, 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce'>

/** Signs as a payer does, for the wallet and for tests. */
export async function signAuthorization(
  wish: Wish,
  { key, token, chainId }: { key: Hex; token: Token; chainId: number },
): Promise<Authorization> {
  const { addr, signTyped } = await import('micro-eth-signer')
  const unsigned = { type: 'authorization' as const, from: address.parse(addr.fromPrivateKey(key)), ...wish }
  const signature = signTyped(typedData(unsigned, token, chainId), key, false)
  return { ...unsigned, signature: hex(130).parse(signature) }
}

/** The same hash for every spelling of an authorization, because the token lets its nonce be used once. */
export function proofOf({ from, nonce }: Authorization, token: Token, chainId: number): Buffer {
  const text = [chainId, token.address, from, nonce].join('|').toLowerCase()
  return createHash('sha256').update(text).digest()
}

/** One token counts as a dollar, so a cent is a hundredth of 10^decimals atoms. */
export function atomsOf(cents: number, { decimals }: Pick<Token, 'decimals'>): bigint {
  return BigInt(cents) * 10n ** BigInt(decimals - 2)
}

export function centsOf(value: bigint, { decimals }: Token): number {
  return Number(value / 10n ** BigInt(decimals - 2))
}

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

function typedData(unsigned: Omit<Authorization, 'signature'>, token: Token, chainId: number) {
  const { from, to, value, validAfter, validBefore, nonce } = unsigned
  return {
    domain: { name: token.name, version: token.version, chainId: BigInt(chainId), verifyingContract: token.address },
    types,
    primaryType: 'TransferWithAuthorization',
    message: {
      from,
      to,
      value: BigInt(value),
      validAfter: BigInt(validAfter),
      validBefore: BigInt(validBefore),
      nonce: Buffer.from(nonce.slice(2), 'hex'),
    },
  } as const
}

function hex(digits: number): z.ZodType<Hex, Hex> {
  const pattern = new RegExp(`^0x[0-9a-fA-F]{${digits}}$`)
  return z.custom<Hex>((value) => typeof value === 'string' && pattern.test(value), `must be 0x and ${digits} digits`)
}
