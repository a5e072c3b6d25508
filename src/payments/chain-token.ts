// What a token of ERC-3009 is asked, and how it answers. Loads the ABI, so it is imported with the first payment.
import { ethHex, parseSignature } from 'micro-eth-signer'
import { createContract, decodeError, events, parseAbi } from 'micro-eth-signer/abi.js'
import { z } from 'zod'
import type { Authorization, Hex } from './chain-authorization.ts'
import { hexSchema } from './chain-rpc.ts'

export type Topics = readonly (string | null)[]

/** ERC-3009, and the errors by which tokens refuse (ERC-6093 and OpenZeppelin's); others come as words or a number. */
const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InvalidReceiver(address receiver)',
  'error ERC3009InvalidSignature()',
  'error ERC3009InvalidAuthorizationTime(uint256 validAfter, uint256 validBefore)',
  'error ERC3009UsedAuthorization(address authorizer, bytes32 nonce)',
])
const functions = createContract(abi)
const logs = events(abi)

/** The call that makes the transfer of an authorization. */
export function transferCall({ from, to, nonce, signature, ...signed }: Authorization): Hex {
  const { r, s, yParity } = parseSignature(signature)
  return callOf('transferWithAuthorization', {
    from,
    to,
    value: BigInt(signed.value),
    validAfter: BigInt(signed.validAfter),
    validBefore: BigInt(signed.validBefore),
    nonce: ethHex.decode(nonce),
    v: BigInt(yParity + 27),
    r: wordOf(r),
    s: wordOf(s),
  })
}

/** The call that asks whether an authorization was used or cancelled. */
export function stateCall({ from, nonce }: Authorization): Hex {
  return callOf('authorizationState', { authorizer: from, nonce: ethHex.decode(nonce) })
}

/** Its answer. */
export function isUsedState(answer: Hex): boolean {
  return z.boolean().parse(functions['authorizationState']?.decodeOutput(ethHex.decode(answer)))
}

/** What the log of the end of an authorization has. */
export function endTopics(event: 'AuthorizationUsed' | 'AuthorizationCanceled', authorization: Authorization): Topics {
  return topicsOf(event, { authorizer: authorization.from, nonce: ethHex.decode(authorization.nonce) })
}

/** Whether a log of the token tells of the transfer that was authorized. */
export function isTransferLog(log: { topics: readonly string[]; data: Hex }, authorization: Authorization): boolean {
  const { from, to, value } = authorization
  const wanted = topicsOf('Transfer', { from, to, value: null })
  const isSame =
    wanted.length === log.topics.length && wanted.every((topic, at) => topic === log.topics[at]?.toLowerCase())
  return isSame && log.data.length === 66 && BigInt(log.data) === BigInt(value)
}

/** Why the token refused: its own words, or the name of its error. Null where what it gave back is not known. */
export function refusalOf(revertData: string): string | null {
  const known = hexSchema.safeParse(revertData)
  if (!known.success) return null
  try {
    const error = decodeError(known.data, abi)
    if (error === undefined) return null
    return error.name === 'Error' || error.name === 'Panic' ? error.message : error.name
  } catch {
    // The number of a known error, with values that are none of its own.
    return null
  }
}

function callOf(name: string, values: Readonly<Record<string, unknown>>): Hex {
  return hexSchema.parse(ethHex.encode(functions[name]?.encodeInput(values) ?? new Uint8Array()))
}

function topicsOf(name: string, values: Readonly<Record<string, unknown>>): Topics {
  return logs[name]?.topics(values) ?? []
}

function wordOf(value: bigint): Uint8Array {
  return ethHex.decode(`0x${value.toString(16).padStart(64, '0')}`)
}
