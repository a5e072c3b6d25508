// A chain of one's own (anvil) with a dollar of ERC-3009 on it, a payer who has some, and a relayer with gas.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { after } from 'node:test'
import {
  createTestClient,
  type Hex,
  http,
  parseAbi,
  parseEther,
  parseSignature,
  publicActions,
  walletActions,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { type Authorization, nonceOf, signAuthorization } from '../../src/payments/chain-authorization.ts'
import type { ChainOptions } from '../../src/payments/chain.ts'
import type { Challenge } from '../../src/payments/method.ts'

const chainId = 31_337
const mintedAtoms = 1_000_000_000_000n
/** Mined before what pays the usual. */
const highFees = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 50_000_000_000n }
const programs: Readonly<Record<string, string>> = {
  'linux-x64': 'anvil-linux-amd64',
  'linux-arm64': 'anvil-linux-arm64',
  'darwin-x64': 'anvil-darwin-amd64',
  'darwin-arm64': 'anvil-darwin-arm64',
}
const program = findProgram()

/** Why tests with a chain are skipped, or false. */
export const noChain = program === null ? 'anvil is not installed' : false

export type TestChain = {
  /** The chain's part of the configuration, with `confirmations` 1. */
  options: ChainOptions
  payer: PrivateKeyAccount
  payerKey: Hex
  balanceOf: (holder: Hex) => Promise<bigint>
  /** The payer gives all it has away, before anything that waits is mined. */
  emptyPayer: () => Promise<void>
  /** An authorization that answers the challenge, but for what the changes say; signed. */
  authorize: (challenge: Challenge, changes?: Partial<Authorization>) => Promise<Authorization>
  /** A stranger submits it. */
  submit: (authorization: Authorization) => Promise<Hex>
  cancel: (authorization: Authorization) => Promise<void>
  mine: (blocks: number) => Promise<void>
  /** Stops or starts mining; while it is stopped, transactions wait. */
  setMining: (isMining: boolean) => Promise<void>
  /** Sets the gas price that the next block asks for, as in a rush: a transaction that pays less waits. */
  setBaseFee: (weiPerGas: bigint) => Promise<void>
  /** Moves the chain's clock and mines a block at the new time. */
  passTime: (seconds: number) => Promise<void>
  /** Counts the relayer's transactions that are mined. */
  relayed: () => Promise<number>
  /** Another transaction of the relayer, which takes the next turn. */
  takeTurn: (nonce: number) => Promise<void>
  /** Transactions of the relayer that are not mined. */
  waiting: () => Promise<number>
}

/** The settings of a service that is paid on this chain. */
export function chainEnvironment({ options }: TestChain) {
  const { rpcUrl, chainId: id, token, recipient, relayerKey } = options
  return {
    PERIGEE_CHAIN_RPC_URL: rpcUrl,
    PERIGEE_CHAIN_ID: String(id),
    PERIGEE_CHAIN_TESTNET: 'true',
    PERIGEE_CHAIN_TOKEN: token.address,
    PERIGEE_CHAIN_TOKEN_NAME: token.name,
    PERIGEE_CHAIN_RECIPIENT: recipient,
    PERIGEE_CHAIN_RELAYER_KEY: relayerKey,
  }
}

const abi = parseAbi([
  'function balanceOf(address holder) view returns (uint256)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
const fixtureSchema = z.object({
  bytecode: z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x')),
})

export async function startChain(): Promise<TestChain> {
  const rpcUrl = await startAnvil()
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const [stranger] = await client.getAddresses()
  if (stranger === undefined) throw new Error('The chain has no accounts.')
  const payerKey = generatePrivateKey()
  const relayerKey = generatePrivateKey()
  const payer = privateKeyToAccount(payerKey)
  const relayer = privateKeyToAccount(relayerKey)
  const recipient = privateKeyToAccount(generatePrivateKey()).address
  await client.setBalance({ address: relayer.address, value: parseEther('10') })
  const { bytecode } = fixtureSchema.parse(
    JSON.parse(readFileSync(new URL('erc3009-token.json', import.meta.url), 'utf8')),
  )
  const strangers = { account: stranger, chain: null } as const
  const deployed = await done(await client.deployContract({ abi: [], bytecode, ...strangers }))
  if (deployed === null) throw new Error('The token was not deployed.')
  const signed = { address: deployed, name: 'Test Dollar', version: '1', decimals: 6 }
  const token = { address: deployed, abi } as const
  await client.setBalance({ address: payer.address, value: parseEther('1') })
  await done(
    await client.writeContract({
      ...token,
      ...strangers,
      functionName: 'transfer',
      args: [payer.address, mintedAtoms],
    }),
  )
  const domain = { name: signed.name, version: signed.version, chainId, verifyingContract: deployed }
  return {
    options: {
      wireName: 'chain',
      rpcUrl,
      chainId,
      isTestnet: true,
      token: signed,
      recipient,
      relayerKey,
      minimumCents: 1,
      confirmations: 1,
    },
    payer,
    payerKey,
    balanceOf,
    emptyPayer: async () => {
      const args = [stranger, await balanceOf(payer.address)] as const
      const terms = { account: payer, chain: null, gas: 100_000n, ...highFees }
      await client.writeContract({ ...token, ...terms, functionName: 'transfer', args })
    },
    authorize,
    submit: async ({ from, to, value, validAfter, validBefore, nonce, signature }) => {
      const { r, s, yParity } = parseSignature(signature)
      const numbers = [BigInt(value), BigInt(validAfter), BigInt(validBefore)] as const
      const args = [from, to, ...numbers, nonce, yParity + 27, r, s] as const
      return client.writeContract({ ...token, ...strangers, functionName: 'transferWithAuthorization', args })
    },
    cancel: async ({ nonce }) => {
      const signature = await payer.signTypedData({
        domain,
        types: { CancelAuthorization: cancelType },
        primaryType: 'CancelAuthorization',
        message: { authorizer: payer.address, nonce },
      })
      const { r, s, yParity } = parseSignature(signature)
      const args = [payer.address, nonce, yParity + 27, r, s] as const
      await done(await client.writeContract({ ...token, ...strangers, functionName: 'cancelAuthorization', args }))
    },
    mine: (blocks) => client.mine({ blocks }),
    setMining: (isMining) => client.setAutomine(isMining),
    setBaseFee: (baseFeePerGas) => client.setNextBlockBaseFeePerGas({ baseFeePerGas }),
    passTime: async (seconds) => {
      await client.increaseTime({ seconds })
      await client.mine({ blocks: 1 })
    },
    relayed: () => client.getTransactionCount({ address: relayer.address }),
    takeTurn: async (nonce) => {
      await client.sendTransaction({ account: relayer, chain: null, to: stranger, value: 1n, nonce, ...highFees })
    },
    waiting: async () => {
      const [all, mined] = await Promise.all([
        client.getTransactionCount({ address: relayer.address, blockTag: 'pending' }),
        client.getTransactionCount({ address: relayer.address }),
      ])
      return all - mined
    },
  }

  async function done(hash: Hex): Promise<Hex | null> {
    const { contractAddress = null } = await client.waitForTransactionReceipt({ hash })
    return contractAddress
  }

  function balanceOf(holder: Hex): Promise<bigint> {
    return client.readContract({ ...token, functionName: 'balanceOf', args: [holder] })
  }

  async function authorize(challenge: Challenge, changes: Partial<Authorization> = {}): Promise<Authorization> {
    const { timestamp } = await client.getBlock()
    const wanted = {
      type: 'authorization' as const,
      from: payer.address,
      to: recipient,
      value: String(challenge.request['amount']),
      validAfter: '0',
      validBefore: String(timestamp + 300n),
      nonce: await nonceOf(challenge),
      ...changes,
    }
    const { signature } = await signAuthorization(wanted, { key: payerKey, token: signed, chainId })
    return { signature, ...wanted }
  }
}

const cancelType = [
  { name: 'authorizer', type: 'address' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** Resolves to its address. It ends with this process. */
async function startAnvil(): Promise<string> {
  if (program === null) throw new Error('anvil is not installed')
  const args = ['--host', '127.0.0.1', '--port', '0', '--chain-id', String(chainId), '--accounts', '1']
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  after(async () => {
    process.off('exit', kill)
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    kill()
    await ended
  })
  const lines = createInterface(child.stdout)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  child.once('exit', () => reject(new Error('anvil ended before it listened.')))
  lines.on('line', (line) => {
    const [, port] = /^Listening on 127\.0\.0\.1:(\d+)$/.exec(line) ?? []
    if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
  })
  const rpcUrl = await promise
  // A file whose tests are all left out runs no hooks; its process ends all the same.
  child.unref()
  if (child.stdout instanceof Socket) child.stdout.unref()
  return rpcUrl
}

function findProgram(): string | null {
  const name = programs[`${process.platform}-${process.arch}`]
  if (name === undefined) return null
  try {
    return createRequire(import.meta.url).resolve(`@foundry-rs/${name}/bin/anvil`)
  } catch {
    return null
  }
}
