import type { Config } from './config.ts'

/**
 * Whether one owner has this installation, and the network it stands in, for themselves: what they let monitors reach
 * there is no business of anybody else.
 */
export function isOneOwners({ nats, signUp, payments }: Pick<Config, 'nats' | 'signUp' | 'payments'>): boolean {
  return nats === null && signUp !== 'open' && payments.mode === 'off'
}

/** Whether people whom nobody invited may have monitors here. */
export function takesStrangers({ signUp, payments }: Pick<Config, 'signUp' | 'payments'>): boolean {
  return signUp === 'open' || payments.mode === 'live'
}
