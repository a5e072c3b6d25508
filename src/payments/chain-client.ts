// Loads viem, so it is imported with the first payment.
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  encodeFunctionData,
  http,
  isAddressEqual,
  keccak256,
  parseAbi,
  parseEventLogs,
  parseSignature,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Authorization, Hex, Token } from './chain-authorization.ts'

export type ChainClientOptions = {
  rpcUrl: string
  chainId: number
  token: Token
  /** The private key of the account that submits transfers and pays their gas. */
  relayerKey: Hex
}

export type Block = { number: bigint; timestamp: bigint }
export type Fees = { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
export type Terms = Fees & { gas: bigint; nonce: number }
export type Signed = Terms & { raw: Hex; hash: Hex }
/**
 * How the nonce of an authorization was used up: by its transfer, by another transfer of its payer, or by a
 * cancellation.
 */
export type Use = {
  hash: Hex
  logIndex: number
  blockNumber: bigint
  end: 'transferred' | 'spent elsewhere' | 'cancelled'
}

/** Questions to a chain, one or two requests each. All of them reject when the chain cannot be reached. */
export type Chain = {
  head: () => Promise<Block>
  timestampOf: (blockNumber: bigint) => Promise<bigint>
  isUsed: (authorization: Authorization) => Promise<boolean>
  findUse: (authorization: Authorization, range: { fromBlock: bigint; toBlock: bigint }) => Promise<Use | null>
  /** Null while a transaction is not mined. */
  receipt: (hash: Hex) => Promise<{ blockNumber: bigint; isDone: boolean } | null>
  /** How many transactions of the relayer are mined, or mined or waiting. */
  relayerNonce: (of: 'latest' | 'pending') => Promise<number>
  fees: () => Promise<Fees>
  /** Simulates the transfer: the gas that it takes, or why the token refuses it. */
  tryTransfer: (authorization: Authorization) => Promise<{ gas: bigint } | { refusal: string }>
  sign: (authorization: Authorization, terms: Terms) => Promise<Signed>
  /** Sending a transaction that the node knows or has mined is no failure. */
  send: (raw: Hex) => Promise<void>
}

const timeoutMs = 4_000
const blocksPerSearch = 1_000n

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

type Parts = { client: PublicClient; account: PrivateKeyAccount; token: Hex; chainId: number }

/** Throws when the endpoint serves another chain. */
export async function connectChain({ rpcUrl, chainId, token, relayerKey }: ChainClientOptions): Promise<Chain> {
  const client = createPublicClient({ transport: http(rpcUrl, { timeout: timeoutMs, retryCount: 1 }) })
  const served = await client.getChainId()
  if (served !== chainId) throw new Error(`The endpoint serves chain ${served} and not ${chainId}.`)
  const parts: Parts = { client, account: privateKeyToAccount(relayerKey), token: token.address, chainId }
  return {
    head: async () => blockOf(await client.getBlock()),
    timestampOf: async (blockNumber) => (await client.getBlock({ blockNumber })).timestamp,
    isUsed: ({ from, nonce }) =>
      client.readContract({ address: token.address, abi, functionName: 'authorizationState', args: [from, nonce] }),
    findUse: (authorization, range) => findUse(parts, authorization, range),
    receipt: (hash) => receiptOf(client, hash),
    relayerNonce: (blockTag) => client.getTransactionCount({ address: parts.account.address, blockTag }),
    fees: async () => feesOf(await client.estimateFeesPerGas()),
    tryTransfer: (authorization) => tryTransfer(parts, authorization),
    sign: (authorization, terms) => sign(parts, authorization, terms),
    send: (raw) => send(client, raw),
  }
}

function blockOf({ number, timestamp }: Block): Block {
  return { number, timestamp }
}

function feesOf({ maxFeePerGas, maxPriorityFeePerGas }: Fees): Fees {
  return { maxFeePerGas, maxPriorityFeePerGas }
}

async function findUse(
  { client, token }: Parts,
  authorization: Authorization,
  { fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint },
): Promise<Use | null> {
  const { from, nonce } = authorization
  const wanted = { address: token, abi, args: { authorizer: from, nonce } } as const
  for (let start = fromBlock; start <= toBlock; start += blocksPerSearch) {
    const end = start + blocksPerSearch - 1n
    const range = { fromBlock: start, toBlock: end < toBlock ? end : toBlock }
    const [used] = await client.getContractEvents({ ...wanted, ...range, eventName: 'AuthorizationUsed' })
    if (used !== undefined) {
      const { logs } = await client.getTransactionReceipt({ hash: used.transactionHash })
      const isDone = isTransferred(authorization, { token, logs, usedAt: used.logIndex })
      return useOf(used, isDone ? 'transferred' : 'spent elsewhere')
    }
    const [cancelled] = await client.getContractEvents({ ...wanted, ...range, eventName: 'AuthorizationCanceled' })
    if (cancelled !== undefined) return useOf(cancelled, 'cancelled')
  }
  return null
}

/**
 * A used nonce does not tell which transfer used it, since its payer may sign several with the same nonce. The token
 * logs that transfer right after the use of the nonce (ERC-3009, reference implementation).
 */
function isTransferred(
  { from, to, value }: Authorization,
  { token, logs, usedAt }: { token: Hex; logs: TokenLog[]; usedAt: number },
): boolean {
  const [told] = logs
    .filter(({ address, logIndex }) => isAddressEqual(address, token) && logIndex > usedAt)
    .toSorted((one, other) => one.logIndex - other.logIndex)
  const [transfer] = parseEventLogs({ abi, eventName: 'Transfer', logs: told === undefined ? [] : [told] })
  if (transfer === undefined) return false
  const { args } = transfer
  return isAddressEqual(args.from, from) && isAddressEqual(args.to, to) && args.value === BigInt(value)
}

type TokenLog = TransactionReceipt['logs'][number]
type EventPlace = { transactionHash: Hex; logIndex: number; blockNumber: bigint }

function useOf({ transactionHash, logIndex, blockNumber }: EventPlace, end: Use['end']): Use {
  return { hash: transactionHash, logIndex, blockNumber, end }
}

async function receiptOf(client: PublicClient, hash: Hex): Promise<{ blockNumber: bigint; isDone: boolean } | null> {
  try {
    const { blockNumber, status } = await client.getTransactionReceipt({ hash })
    return { blockNumber, isDone: status === 'success' }
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null
    throw error
  }
}

async function tryTransfer(
  { client, account, token: address }: Parts,
  authorization: Authorization,
): Promise<{ gas: bigint } | { refusal: string }> {
  try {
    const call = { abi, functionName: 'transferWithAuthorization', args: argumentsOf(authorization) } as const
    const gas = await client.estimateContractGas({ ...call, address, account })
    return { gas: (gas * 6n) / 5n }
  } catch (error) {
    const refusal = error instanceof BaseError ? error.walk(isRevert) : null
    if (refusal instanceof ContractFunctionRevertedError)
      return { refusal: refusal.reason ?? refusal.data?.errorName ?? refusal.shortMessage }
    throw error
  }
}

function isRevert(error: unknown): boolean {
  return error instanceof ContractFunctionRevertedError
}

async function sign(
  { account, token: to, chainId }: Parts,
  authorization: Authorization,
  terms: Terms,
): Promise<Signed> {
  const args = argumentsOf(authorization)
  const data = encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args })
  const raw = await account.signTransaction({ type: 'eip1559', chainId, to, data, ...terms })
  return { raw, hash: keccak256(raw), ...terms }
}

function argumentsOf(authorization: Authorization): readonly [Hex, Hex, bigint, bigint, bigint, Hex, number, Hex, Hex] {
  const { from, to, value, validAfter, validBefore, nonce, signature } = authorization
  const { r, s, yParity } = parseSignature(signature)
  return [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, yParity + 27, r, s]
}

async function send(client: PublicClient, serializedTransaction: Hex): Promise<void> {
  try {
    await client.sendRawTransaction({ serializedTransaction })
  } catch (error) {
    if (!isKnown(error)) throw error
  }
}

/** The words of the common nodes for a transaction that they know already, or whose nonce another one has used. */
function isKnown(error: unknown): boolean {
  const words = /already (?:known|imported)|known transaction|nonce too low|underpriced/i
  return error instanceof Error && words.test(error.message)
}
