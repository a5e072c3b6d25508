import type { Config } from './config.ts'

/** Whether people whom nobody invited may have monitors here. */
export function takesStrangers({ signUp, payments }: Pick<Config, 'signUp' | 'payments'>): boolean {
  return signUp === 'open' || payments.mode === 'live'
}
