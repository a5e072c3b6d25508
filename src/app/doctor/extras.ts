import type { Config } from '#config/config.ts'
import { type Found, good, notLookedAt, warning } from '#core/doctor-report.ts'
import { httpsNeeded } from './own-address.ts'
import type { DoctorCheck } from './doctor-check.ts'

/** What an installation may have or leave out. */
export const extras: DoctorCheck = {
  name: 'extras',
  look: async ({ examined }) => judgeExtras(examined.config),
}

export function judgeExtras({
  payments,
  publicUrl,
  heartbeatUrl,
  operatorEmail,
}: Pick<Config, 'payments' | 'publicUrl' | 'heartbeatUrl' | 'operatorEmail'>): Found[] {
  return [
    judgePayments(payments),
    publicUrl === null || httpsNeeded(publicUrl)
      ? notLookedAt(
          'push messages',
          'Push messages are off: browsers take them only from an https:// address (PERIGEE_PUBLIC_URL).',
        )
      : good(
          'push messages',
          'Push messages can be used: PERIGEE_PUBLIC_URL is an address from which browsers take them.',
        ),
    operatorEmail === null && heartbeatUrl === null
      ? warning(
          'operator',
          'No person is told when the installation itself is in trouble: such lines are in the log alone.',
          'Set PERIGEE_OPERATOR_EMAIL, PERIGEE_HEARTBEAT_URL, or both (docs/monitoring-perigee.md).',
        )
      : good('operator', 'A person or another installation is told of trouble of this one.'),
  ]
}

function judgePayments(payments: Config['payments']): Found {
  switch (payments.mode) {
    case 'off':
      return notLookedAt('payments', 'Payments are off (PERIGEE_PAYMENTS).')
    case 'sandbox':
      return good('payments', 'Payments are a sandbox: no real money is taken.')
    case 'live': {
      const ways = [...(payments.card === null ? [] : ['card']), ...(payments.chain === null ? [] : ['chain'])]
      return good('payments', `Payments are live and complete: by ${ways.join(' and ')}.`)
    }
  }
}
