import type { AskedStatus } from '#app/ask-status.ts'
import { type Found, good, notLookedAt, warning } from '#core/doctor-report.ts'
import { spanInWords } from '#core/language/in-words.ts'
import { processTroubles } from '#core/operator-status.ts'
import { readNeededNode, readRelease } from '#app/release.ts'
import type { DoctorCheck } from './doctor-check.ts'

export const service: DoctorCheck = {
  name: 'service',
  look: async ({ service: ask }) => judgeService(await ask(), readRelease()),
}

export const versions: DoctorCheck = {
  name: 'versions',
  look: async () => [
    good('Perigee', `This command is of release ${readRelease()}.`),
    judgeNode(process.versions.node, readNeededNode()),
  ],
}

export function judgeService({ status, refusing }: AskedStatus, release: string): Found[] {
  const denied = refusing.map((root) =>
    warning(
      'token',
      `${root} requires a token.`,
      'Set PERIGEE_METRICS_TOKEN, or set PERIGEE_DATA_DIR to its data folder.',
    ),
  )
  const own = status?.process ?? null
  if (status === null || own === null)
    return [
      ...denied,
      ...(denied.length > 0
        ? []
        : [
            warning(
              'process',
              'No process of Perigee answers here, so nothing was asked of it.',
              'If it should run on this machine, start it and see its log. If it runs elsewhere, run the doctor there.',
            ),
          ]),
    ]
  const { name, roles, version, up_seconds: up } = own
  return [
    good('process', `${name} answers, with the roles ${roles.join(', ')}, up ${spanInWords(up)}.`),
    version === release
      ? good('release', `It runs release ${version}, as this command does.`)
      : warning(
          'release',
          `It runs release ${version}, and this command is of ${release}.`,
          'Start the process again after an upgrade.',
        ),
    ...processTroubles(own, { isClusterKnown: status.cluster !== null }).map((trouble) =>
      warning('trouble', trouble, 'See the log of this process.'),
    ),
    ...status.troubles
      .filter((trouble) => trouble.startsWith('The database '))
      .map((trouble) => warning('database', trouble, 'See the findings of the check "database".')),
  ]
}

/** `needed`: such as >=24.18. */
export function judgeNode(version: string, needed: string): Found {
  const [, least = ''] = />=\s*([\d.]+)/.exec(needed) ?? []
  if (least === '') return notLookedAt('Node', `Node ${version} runs this command.`)
  return isOlder(version, least)
    ? warning(
        'Node',
        `Node ${version} runs this command, but Perigee needs ${least} or newer.`,
        'Install a newer Node.',
      )
    : good('Node', `Node ${version} runs this command, which is new enough.`)
}

function isOlder(version: string, least: string): boolean {
  const [own, other] = [version, least].map((text) => text.split('.').map(Number))
  for (const [index, number] of (other ?? []).entries()) {
    const difference = (own?.[index] ?? 0) - number
    if (difference !== 0) return difference < 0
  }
  return false
}
