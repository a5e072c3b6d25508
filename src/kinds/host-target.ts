import { forbiddenTarget } from '#core/monitors/forbidden-target.ts'
import { type HostPort, parseHostPort } from '#core/language/host-port.ts'
import type { ForbiddenAddress } from './kind.ts'

/** Null for a target that is `host` or `host:port`, else what is wrong with it. No option holds a port beside it. */
export function hostTargetProblem(url: string, isForbidden: ForbiddenAddress): string | null {
  const target = parseHostPort(url)
  if (target === null) return 'Must be a host with or without a port, such as www.example.com or [2606:4700::1]:8443.'
  if (isForbidden(target.host)) return forbiddenTarget(target.host)
  return null
}

/** A target that `hostTargetProblem` let through, with the kind's usual port where it names none. */
export function hostTarget(url: string, usualPort: number): HostPort & { port: number } {
  const target = parseHostPort(url)
  if (target === null) throw new TypeError(`"${url}" is no host with or without a port`)
  return { host: target.host, port: target.port ?? usualPort }
}

/** Null for a target that is `host:port`, else what is wrong with it: for kinds whose protocol has no usual port. */
export function portTargetProblem(url: string, isForbidden: ForbiddenAddress): string | null {
  const target = parseHostPort(url)
  if (target === null) return 'Must be host:port, such as db.example.com:5432 or [2606:4700::1]:5432.'
  if (target.port === null) return 'Must name a port, such as db.example.com:5432.'
  if (isForbidden(target.host)) return forbiddenTarget(target.host)
  return null
}

/** A target that `portTargetProblem` let through. */
export function portTarget(url: string): HostPort & { port: number } {
  const target = parseHostPort(url)
  if (target === null || target.port === null) throw new TypeError(`"${url}" is no host:port`)
  return { host: target.host, port: target.port }
}
