import { StartError } from '#store/database/start-error.ts'
import type { PaymentOptions } from './index.ts'

/** Throws StartError for an address whose check digits are wrong (EIP-55): money paid to it would be lost. */
export async function assertPayable(options: PaymentOptions): Promise<void> {
  if (options.mode !== 'live' || options.chain === null) return
  const { addr } = await import('micro-eth-signer')
  const { recipient, token } = options.chain
  const addresses = { PERIGEE_CHAIN_RECIPIENT: recipient, PERIGEE_CHAIN_TOKEN: token.address }
  for (const [name, address] of Object.entries(addresses)) {
    const plain = address.toLowerCase()
    const isSound = address === plain || address === addr.addChecksum(plain)
    if (!isSound)
      throw new StartError(
        `${name} is mistyped: ${address} has upper and lower case letters that do not match its checksum.`,
      )
  }
}
