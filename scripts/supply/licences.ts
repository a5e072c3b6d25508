// Compares the licences of all locked packages with the list of those that are allowed.
import parse from 'spdx-expression-parse'
import { allowedLicences, type LicenceException, licenceExceptions } from './allowed-licences.ts'
import type { Locked } from './locked.ts'

type Lists = { allowed: readonly string[]; exceptions: readonly LicenceException[] }

const lists: Lists = { allowed: allowedLicences, exceptions: licenceExceptions }

/** A sentence for each package whose licence is missing or not allowed, and for each exception that no package needs. */
export function licenceProblems(packages: readonly Locked[], { allowed, exceptions }: Lists = lists): string[] {
  const needed = new Set<LicenceException>()
  const problems = packages.flatMap(({ name, version, licence }): string[] => {
    if (licence !== null && isAllowed(licence, allowed)) return []
    const exception = exceptions.find((each) => isNamed(name, each.name) && each.licence === licence)
    if (exception !== undefined) {
      needed.add(exception)
      return []
    }
    const what = licence === null ? 'no licence in the lock file' : `the licence ${licence}, which is not allowed`
    return [`${name}@${version} has ${what}.`]
  })
  const idle = exceptions.filter((exception) => !needed.has(exception))
  return [...problems, ...idle.map(({ name }) => `The exception for ${name} is of no package: delete it.`)]
}

/** Whether one of the choices of an SPDX expression asks for nothing but licences of the list. */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const tree = parsed(expression)
  return tree !== null && holds(tree)

  function holds(part: parse.Info): boolean {
    if ('conjunction' in part)
      return part.conjunction === 'or' ? holds(part.left) || holds(part.right) : holds(part.left) && holds(part.right)
    // A licence with an exception, or of any later version, is another one.
    return part.exception === undefined && part.plus !== true && allowed.includes(part.license)
  }
}

/** Null for what is no expression of SPDX, such as "SEE LICENSE IN FILE". */
function parsed(expression: string): parse.Info | null {
  try {
    return parse(expression)
  } catch {
    return null
  }
}

/** A star at the end stands for the parts of a package for the systems. */
function isNamed(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
