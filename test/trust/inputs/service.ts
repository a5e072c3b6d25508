import { randomBytes } from 'node:crypto'
import { feedsOff } from '../../support/feeds-off.ts'
import { type Service, startProgram } from '../program.ts'

/** What no answer and no line of the log may contain. */
export const secrets = {
  ownerToken: `pgk_${'trust'.repeat(8)}`,
  ownerPassword: 'correct horse battery staple',
  secretKey: randomBytes(32).toString('base64'),
  metricsToken: randomBytes(24).toString('hex'),
}
export const ownerEmail = 'owner@example.com'

const manyPerMinute = '1000000'

/** The real program, which takes the client's address from whom it asks. */
export function startService(): Promise<Service> {
  return startProgram(environment)
}

const environment = {
  ...feedsOff,
  PERIGEE_PORT: '0',
  PERIGEE_OWNER_TOKEN: secrets.ownerToken,
  PERIGEE_OWNER_EMAIL: ownerEmail,
  PERIGEE_OWNER_PASSWORD: secrets.ownerPassword,
  PERIGEE_SECRET_KEY: secrets.secretKey,
  PERIGEE_METRICS_TOKEN: secrets.metricsToken,
  PERIGEE_LOCATIONS: 'amsterdam=Amsterdam,boston=Boston',
  PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  PERIGEE_PAYMENTS: 'sandbox',
  PERIGEE_PLANS: JSON.stringify({ pro: { slots: 5000 }, free: { slots: 5000 } }),
  PERIGEE_READS_PER_MINUTE: manyPerMinute,
  PERIGEE_WRITES_PER_MINUTE: manyPerMinute,
  PERIGEE_REGISTRATIONS_PER_MINUTE: manyPerMinute,
  PERIGEE_ANONYMOUS_PER_DAY: manyPerMinute,
  PERIGEE_TRUSTED_PROXIES: '127.0.0.1',
}
