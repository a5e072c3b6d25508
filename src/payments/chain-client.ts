// Loads the library of signatures, so it is imported with the first payment.
import { addr, Transaction } from 'micro-eth-signer'
import { z } from 'zod'
import type { Authorization, Hex, Token } from './chain-authorization.ts'
import { createRpc, hexSchema, quantitySchema, type Rpc, RpcError } from './chain-rpc.ts'
import { endTopics, isTransferLog, isUsedState, refusalOf, stateCall, transferCall } from './chain-token.ts'

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

const blocksPerSearch = 1_000n
/** What a call answers that the node reverted (geth's code; others have it in their words). */
const revertedCode = 3

const blockSchema = z.object({
  number: quantitySchema,
  timestamp: quantitySchema,
  baseFeePerGas: quantitySchema.optional(),
})
const logSchema = z.object({
  address: hexSchema,
  topics: z.array(hexSchema),
  data: hexSchema,
  transactionHash: hexSchema,
  logIndex: quantitySchema.transform(Number),
  blockNumber: quantitySchema,
})
const logsSchema = z.array(logSchema)
const receiptSchema = z.object({ status: quantitySchema, blockNumber: quantitySchema, logs: logsSchema }).nullable()
type Log = z.infer<typeof logSchema>
type Receipt = z.infer<typeof receiptSchema>

type Parts = { rpc: Rpc; relayer: string; relayerKey: Hex; token: Hex; chainId: number }

/** Throws when the endpoint serves another chain. */
export async function connectChain({ rpcUrl, chainId, token, relayerKey }: ChainClientOptions): Promise<Chain> {
  const rpc = createRpc(rpcUrl)
  const served = await rpc('eth_chainId', [], quantitySchema)
  if (served !== BigInt(chainId)) throw new Error(`The endpoint serves chain ${served} and not ${chainId}.`)
  const parts: Parts = { rpc, relayer: addr.fromPrivateKey(relayerKey), relayerKey, token: token.address, chainId }
  return {
    head: async () => headOf(await blockAt(rpc, 'latest')),
    timestampOf: async (blockNumber) => (await blockAt(rpc, quantity(blockNumber))).timestamp,
    isUsed: async (authorization) => {
      const call = { to: token.address, data: stateCall(authorization) }
      return isUsedState(await rpc('eth_call', [call, 'latest'], hexSchema))
    },
    findUse: (authorization, range) => findUse(parts, authorization, range),
    receipt: async (hash) => {
      const receipt = await receiptOf(rpc, hash)
      return receipt === null ? null : { blockNumber: receipt.blockNumber, isDone: receipt.status === 1n }
    },
    relayerNonce: async (tag) => Number(await rpc('eth_getTransactionCount', [parts.relayer, tag], quantitySchema)),
    fees: () => feesOf(rpc),
    tryTransfer: (authorization) => tryTransfer(parts, authorization),
    sign: async (authorization, terms) => sign(parts, authorization, terms),
    send: (raw) => send(rpc, raw),
  }
}

function blockAt(rpc: Rpc, at: string): Promise<z.infer<typeof blockSchema>> {
  return rpc('eth_getBlockByNumber', [at, false], blockSchema)
}

function headOf({ number, timestamp }: Block): Block {
  return { number, timestamp }
}

function receiptOf(rpc: Rpc, hash: Hex): Promise<Receipt> {
  return rpc('eth_getTransactionReceipt', [hash], receiptSchema)
}

/** Enough for a base fee that rises with the next block, and then once more. */
async function feesOf(rpc: Rpc): Promise<Fees> {
  const { baseFeePerGas } = await blockAt(rpc, 'latest')
  if (baseFeePerGas === undefined) throw new Error('The chain has no base fee (EIP-1559).')
  const maxPriorityFeePerGas = await priorityFeeOf(rpc, baseFeePerGas)
  return { maxFeePerGas: (baseFeePerGas * 6n) / 5n + maxPriorityFeePerGas, maxPriorityFeePerGas }
}

/** Nodes need not know the method; their gas price is the base fee with the priority fee. */
async function priorityFeeOf(rpc: Rpc, baseFeePerGas: bigint): Promise<bigint> {
  try {
    return await rpc('eth_maxPriorityFeePerGas', [], quantitySchema)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const price = await rpc('eth_gasPrice', [], quantitySchema)
    return price > baseFeePerGas ? price - baseFeePerGas : 0n
  }
}

async function findUse(
  { rpc, token }: Parts,
  authorization: Authorization,
  { fromBlock, toBlock }: { fromBlock: bigint; toBlock: bigint },
): Promise<Use | null> {
  for (let start = fromBlock; start <= toBlock; start += blocksPerSearch) {
    const end = start + blocksPerSearch - 1n
    const range = { fromBlock: quantity(start), toBlock: quantity(end < toBlock ? end : toBlock) }
    const find = async (event: 'AuthorizationUsed' | 'AuthorizationCanceled'): Promise<Log | undefined> => {
      const filter = { address: token, topics: endTopics(event, authorization), ...range }
      return (await rpc('eth_getLogs', [filter], logsSchema))[0]
    }
    const used = await find('AuthorizationUsed')
    if (used !== undefined) {
      const receipt = await receiptOf(rpc, used.transactionHash)
      if (receipt === null) throw new Error('The chain lacks the receipt of a transaction that it has mined.')
      const isDone = isTransferred(authorization, { token, logs: receipt.logs, usedAt: used.logIndex })
      return useOf(used, isDone ? 'transferred' : 'spent elsewhere')
    }
    const cancelled = await find('AuthorizationCanceled')
    if (cancelled !== undefined) return useOf(cancelled, 'cancelled')
  }
  return null
}

/**
 * A used nonce does not tell which transfer used it, since its payer may sign several with the same nonce. The token
 * logs that transfer right after the use of the nonce (ERC-3009, reference implementation).
 */
function isTransferred(
  authorization: Authorization,
  { token, logs, usedAt }: { token: Hex; logs: readonly Log[]; usedAt: number },
): boolean {
  const [told] = logs
    .filter(({ address, logIndex }) => address.toLowerCase() === token.toLowerCase() && logIndex > usedAt)
    .toSorted((one, other) => one.logIndex - other.logIndex)
  return told !== undefined && isTransferLog(told, authorization)
}

function useOf({ transactionHash, logIndex, blockNumber }: Log, end: Use['end']): Use {
  return { hash: transactionHash, logIndex, blockNumber, end }
}

/** With the fees, so that a relayer that cannot pay them is an error and no transaction. */
async function tryTransfer(
  { rpc, relayer, token }: Parts,
  authorization: Authorization,
): Promise<{ gas: bigint } | { refusal: string }> {
  const { maxFeePerGas, maxPriorityFeePerGas } = await feesOf(rpc)
  const fees = { maxFeePerGas: quantity(maxFeePerGas), maxPriorityFeePerGas: quantity(maxPriorityFeePerGas) }
  const call = { from: relayer, to: token, data: transferCall(authorization), ...fees }
  try {
    return { gas: ((await rpc('eth_estimateGas', [call], quantitySchema)) * 6n) / 5n }
  } catch (error) {
    if (!(error instanceof RpcError) || !isRevert(error)) throw error
    const words = error.message.replace(/^.*execution reverted:? ?/i, '')
    return { refusal: refusalOf(error.revertData ?? '') ?? (words === '' ? 'it gave no reason' : words) }
  }
}

function isRevert({ code, message }: RpcError): boolean {
  return code === revertedCode || /revert/i.test(message)
}

function sign({ relayerKey, token, chainId }: Parts, authorization: Authorization, terms: Terms): Signed {
  const { gas, nonce, maxFeePerGas, maxPriorityFeePerGas } = terms
  const transaction = Transaction.prepare(
    {
      type: 'eip1559',
      chainId: BigInt(chainId),
      nonce: BigInt(nonce),
      maxFeePerGas,
      maxPriorityFeePerGas,
      gasLimit: gas,
      to: token.toLowerCase(),
      value: 0n,
      data: transferCall(authorization),
      accessList: [],
    },
    // The limits of the library are for people who type a fee; ours are those of the chain.
    false,
  ).signBy(relayerKey, false)
  return { raw: hexSchema.parse(transaction.toHex()), hash: hexSchema.parse(transaction.hash), ...terms }
}

async function send(rpc: Rpc, raw: Hex): Promise<void> {
  try {
    await rpc('eth_sendRawTransaction', [raw], hexSchema)
  } catch (error) {
    if (!isKnown(error)) throw error
  }
}

/** The words of the common nodes for a transaction that they know already, or whose nonce another one has used. */
function isKnown(error: unknown): boolean {
  const words = /already (?:known|imported)|known transaction|nonce too low|underpriced/i
  return error instanceof RpcError && words.test(error.message)
}

function quantity(value: bigint): string {
  return `0x${value.toString(16)}`
}
