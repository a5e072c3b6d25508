// What we sign and recover, beside what viem does of the same.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { encodeFunctionData, keccak256, parseAbi, parseSignature, recoverTypedDataAddress, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anyCharacter } from '../support/any-character.ts'
import { type Authorization, type Hex, isSigned, nonceOf, signAuthorization } from '#payments/chain-authorization.ts'
import { connectChain } from '#payments/chain-client.ts'
import { isUsedState, refusalOf, stateCall, transferCall } from '#payments/chain-token.ts'
import { httpServer } from '../support/http-server.ts'

const token = {
  address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  name: 'USD Coin',
  version: '2',
  decimals: 6,
} as const
const chainId = 8453
const abi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
])
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

const bytes = (count: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: count, maxLength: count }).map((all): Hex => `0x${Buffer.from(all).toString('hex')}`)
const keys = bytes(32).filter((key) => BigInt(key) > 0n && BigInt(key) < 2n ** 255n)
const atoms = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String)
const wishes = fc.record({ to: bytes(20), value: atoms, validAfter: atoms, validBefore: atoms, nonce: bytes(32) })
const quantities = fc.bigInt({ min: 1n, max: 2n ** 60n })

describe('an authorization', () => {
  it('is signed by its payer as viem recovers it, and as we do', () =>
    fc.assert(
      fc.asyncProperty(keys, wishes, async (key, wish) => {
        const signed = await signAuthorization(wish, { key, token, chainId })
        const { type: _, signature, ...message } = signed
        assert.equal(signed.from.toLowerCase(), privateKeyToAccount(key).address.toLowerCase())
        const recovered = await recoverTypedDataAddress({ ...typedData(signed), signature })
        assert.equal(recovered.toLowerCase(), message.from.toLowerCase())
        assert.equal(await isSigned(signed, token, chainId), true)
        assert.equal(await isSigned({ ...signed, value: `${BigInt(wish.value) ^ 1n}` }, token, chainId), false)
        assert.equal(await isSigned(signed, { ...token, version: '1' }, chainId), false)
        assert.equal(await isSigned(signed, token, chainId + 1), false)
      }),
      { numRuns: 30 },
    ))

  it('that viem signed holds, with either end of the signature', () =>
    fc.assert(
      fc.asyncProperty(keys, wishes, async (key, wish) => {
        const account = privateKeyToAccount(key)
        const unsigned = { type: 'authorization' as const, from: account.address, ...wish, signature: '0x' as const }
        const signature = await account.signTypedData(typedData(unsigned))
        assert.equal(await isSigned({ ...unsigned, signature }, token, chainId), true)
        const other: Hex = `0x${signature.slice(2, -2)}${signature.endsWith('1b') ? '00' : '01'}`
        assert.equal(await isSigned({ ...unsigned, signature: other }, token, chainId), true)
        assert.equal(transferCall({ ...unsigned, signature }), encodeFunctionData(callOf({ ...unsigned, signature })))
        const args = [account.address, wish.nonce] as const
        assert.equal(
          stateCall({ ...unsigned, signature }),
          encodeFunctionData({ abi, functionName: 'authorizationState', args }),
        )
      }),
      { numRuns: 30 },
    ))

  it('of any digits throws nothing', () =>
    fc.assert(
      fc.asyncProperty(wishes, bytes(20), bytes(65), async (wish, from, signature) => {
        assert.equal(await isSigned({ type: 'authorization', from, ...wish, signature }, token, chainId), false)
      }),
    ))

  it('has the nonce that viem computes', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), fc.string(), async (id, realm) => {
        assert.equal(await nonceOf({ id, realm }), keccak256(stringToHex(`${id}${realm}`)))
      }),
    ))
})

describe('a transaction of the relayer', async () => {
  const { port } = await httpServer((_, response) => {
    response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: `0x${chainId.toString(16)}` }))
  })
  const rpcUrl = `http://127.0.0.1:${port}`

  it('is the one that viem signs', () =>
    fc.assert(
      fc.asyncProperty(
        keys,
        wishes,
        fc.tuple(quantities, quantities, quantities, fc.nat()),
        async (key, wish, terms) => {
          const [tip, base, gas, nonce] = terms
          const fees = { maxFeePerGas: base + tip, maxPriorityFeePerGas: tip }
          const signed = await signAuthorization(wish, { key, token, chainId })
          const chain = await connectChain({ rpcUrl, chainId, token, relayerKey: key })
          const ours = await chain.sign(signed, { ...fees, gas, nonce })
          const data = encodeFunctionData(callOf(signed))
          const theirs = await privateKeyToAccount(key).signTransaction({
            type: 'eip1559',
            chainId,
            to: token.address,
            data,
            gas,
            nonce,
            ...fees,
          })
          assert.equal(ours.raw, theirs)
          assert.equal(ours.hash, keccak256(theirs))
        },
      ),
      { numRuns: 30 },
    ))
})

describe('what a token answers', () => {
  it('is read, and of any digits throws nothing but for a state', () => {
    assert.equal(isUsedState(`0x${'0'.repeat(63)}1`), true)
    assert.equal(isUsedState(`0x${'0'.repeat(64)}`), false)
    fc.assert(fc.property(fc.oneof(fc.string(), fc.nat(200).chain(bytes)), (given) => void refusalOf(given)))
  })
})

function typedData({ from, to, value, validAfter, validBefore, nonce }: Authorization) {
  const domain = { name: token.name, version: token.version, chainId, verifyingContract: token.address }
  const times = { validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) }
  const message = { from, to, value: BigInt(value), ...times, nonce }
  return { domain, types, primaryType: 'TransferWithAuthorization', message } as const
}

function callOf({ from, to, value, validAfter, validBefore, nonce, signature }: Authorization) {
  const { r, s, yParity } = parseSignature(signature)
  const numbers = [BigInt(value), BigInt(validAfter), BigInt(validBefore)] as const
  return {
    abi,
    functionName: 'transferWithAuthorization',
    args: [from, to, ...numbers, nonce, yParity + 27, r, s],
  } as const
}
