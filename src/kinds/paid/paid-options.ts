import { z } from 'zod'
import { expectations } from '#kinds/web/web-options.ts'
import { addressPattern, networkPattern, saleProtocols } from './sale-offer.ts'

const address = z.string().regex(addressPattern, 'Must be 0x and 40 hexadecimal digits.')

export const paidOptions = z
  .strictObject({
    protocol: z
      .enum(['any', ...saleProtocols])
      .default('any')
      .describe(
        'How the sale is offered: `x402`, version 2, in the header `PAYMENT-REQUIRED`; `mpp` in `WWW-Authenticate: Payment`; `any` (default): one of them.',
      ),
    network: z
      .string()
      .regex(networkPattern, 'Must be eip155: and the number of a chain, such as eip155:8453.')
      .describe('The chain that has to be offered, as `eip155:` and its number (CAIP-2).'),
    asset: address.describe('The address of the token that has to be asked for.'),
    payee: address.describe('The address that has to be paid.'),
    highest_price: z
      .string()
      .regex(/^[1-9]\d{0,77}$/, 'Must be a whole number above 0, in digits.')
      .describe('The highest price, in the smallest unit of the token: `10000` is 0.01 of one with 6 decimals.'),
    max_latency_ms: expectations.max_latency_ms.describe(
      'Degraded when a right offer took more than so many milliseconds.',
    ),
    buys: z
      .boolean()
      .optional()
      .describe(
        'Whether one location buys once an hour, by x402 and with the wallet of the installation, where its operator allows that. Default false.',
      )
      .meta({ default: false }),
  })
  .refine(({ buys, protocol }) => buys !== true || protocol !== 'mpp', {
    path: ['buys'],
    message: 'Can only be true where the sale may be offered by x402.',
  })
  .describe('An endpoint that sells its answers: whether its offer is the one that is expected. No offer is taken.')
export type PaidOptions = z.infer<typeof paidOptions>
