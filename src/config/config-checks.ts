import { z } from 'zod'
import { type OutsideServices, publicServices } from '#core/monitors/outside-services.ts'
import { address, variable, whoisHost } from './config-values.ts'

const webAddress = 'an http:// or https:// address'

/** What checks ask beside their targets, and what they may run. */
export const checkVariables = {
  PERIGEE_PAGE_SPEED_URL: address(webAddress, ['http', 'https']).default(publicServices.pageSpeedUrl),
  PERIGEE_WEB_RISK_URL: address(webAddress, ['http', 'https']).default(publicServices.webRiskUrl),
  PERIGEE_RDAP_BOOTSTRAP_URL: address(webAddress, ['http', 'https']).default(publicServices.rdapBootstrapUrl),
  PERIGEE_WHOIS_HOST: variable('a host with or without a port', whoisHost).default(publicServices.whoisHost),
  PERIGEE_TLS_RESUMPTION: z.enum(['on', 'off'], { error: 'on or off' }).default('off'),
  PERIGEE_BROWSER_SCRIPTS: z.enum(['on', 'off'], { error: 'on or off' }).default('off'),
}

const shape = z.object(checkVariables)
type Read = z.infer<typeof shape>

export function servicesOf(read: Read): OutsideServices {
  return {
    pageSpeedUrl: read.PERIGEE_PAGE_SPEED_URL,
    webRiskUrl: read.PERIGEE_WEB_RISK_URL,
    rdapBootstrapUrl: read.PERIGEE_RDAP_BOOTSTRAP_URL,
    whoisHost: read.PERIGEE_WHOIS_HOST,
  }
}

/** A script is a program of whoever may make a monitor. */
export function checkContradictions(read: Read & { PERIGEE_SIGN_UP: string; PERIGEE_PAYMENTS: string }): string[] {
  const isClosed = read.PERIGEE_SIGN_UP !== 'open' && read.PERIGEE_PAYMENTS !== 'live'
  if (read.PERIGEE_BROWSER_SCRIPTS === 'off' || isClosed) return []
  return [
    'PERIGEE_BROWSER_SCRIPTS=on needs a closed sign-up and no live payments: strangers could run programs of their own.',
  ]
}
