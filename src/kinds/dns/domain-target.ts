import { parseDomainTarget } from '#core/language/domain-name.ts'

/** What is wrong with a target that is a domain name, or a URL whose host is one; null when nothing is. */
export function domainTargetProblem(url: string): string | null {
  if (parseDomainTarget(url) === null)
    return 'Must be a domain name without a port, such as example.com or _dmarc.example.com.'
  return secretProblem(url)
}

/** A target is shown to everybody who may read the monitor, so an address in it must hold no secret. */
export function secretProblem(url: string): string | null {
  const parsed = URL.parse(url)
  const isOpen = parsed === null || (parsed.username === '' && parsed.password === '')
  return isOpen ? null : 'Must not hold a user name or password.'
}

/** The name of a target that `domainTargetProblem` let through. */
export function domainTarget(url: string): string {
  const name = parseDomainTarget(url)
  if (name === null) throw new TypeError(`"${url}" is no domain name`)
  return name
}
