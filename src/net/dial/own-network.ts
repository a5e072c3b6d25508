import { type AllowPrivate, createGuard, type GuardOptions } from './guard.ts'

/** The ranges in which homes and offices have their machines (RFC 1918, RFC 4193), without loopback and link-local. */
const ranges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

/**
 * Where clouds answer inside of RFC 4193 with the credentials of a machine: EC2 ("Use the Instance Metadata Service"),
 * Compute Engine ("IPv6 metadata server endpoint") and Scaleway ("instance metadata").
 */
const metadata = ['fd00:ec2::/32', 'fd20:ce::/32', 'fd00:42::42/128']

/** The ports at which this service listens. */
export type OwnNetwork = { ownPorts: readonly number[] }

type Options = GuardOptions & { allowPrivate: AllowPrivate }

/**
 * The rules for monitors whose owner let them reach the own network: what the operator admits and the private ranges,
 * but not this service's own ports, nor what a public address redirects to there.
 */
export function withOwnNetwork<Given extends Options>(given: Given, { ownPorts }: OwnNetwork): Given & Options {
  const { allowPrivate, denied = [] } = given
  if (allowPrivate === 'all') return given
  const admitted = allowPrivate === 'none' ? [] : allowPrivate
  return {
    ...given,
    allowPrivate: [...admitted, ...ranges],
    denied: [...denied, ...metadata],
    ownPorts,
    afterPublic: createGuard(allowPrivate, given),
  }
}
