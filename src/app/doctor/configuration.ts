import { commandVariables } from '#config/config-service.ts'
import type { ExaminedConfig } from '#config/config.ts'
import { bad, type Found, good, notLookedAt, warning } from '#core/doctor-report.ts'
import { nearestWord } from '#core/language/nearest-word.ts'
import type { DoctorCheck } from './doctor-check.ts'

export const configuration: DoctorCheck = {
  name: 'configuration',
  look: async ({ examined }) => judgeConfiguration(examined),
}

type Examined = Pick<ExaminedConfig, 'problems' | 'settings' | 'knownVariables'> & {
  config: Pick<ExaminedConfig['config'], 'unknownVariables'>
}

export function judgeConfiguration({ problems, settings, knownVariables, config }: Examined): Found[] {
  const unknown = config.unknownVariables.filter((name) => !commandVariables.includes(name))
  return [
    ...problems.map((problem) =>
      bad('start', problem, 'Correct the variable: no process starts with it as it is (docs/configuration.md).'),
    ),
    ...(problems.length === 0 ? [good('start', 'Every variable can be read, and they fit together.')] : []),
    ...unknown.map((name) =>
      warning('unknown variable', `${name} is set and ignored.`, adviceFor(name, knownVariables)),
    ),
    settings.length === 0
      ? notLookedAt('variables', 'No variable is set, so everything has its default.')
      : good('variables', settings.map(({ name, shown }) => `${name} (${shown})`).join(', ')),
  ]
}

function adviceFor(name: string, known: readonly string[]): string {
  const nearest = nearestWord(name, known)
  if (nearest === name.replace(/_FILE$/, '') && name.endsWith('_FILE'))
    return `${nearest} is no secret and is not read from a file. Set ${nearest} itself.`
  return nearest === null
    ? 'Remove it, or look up its name in docs/configuration.md.'
    : `Did you mean ${nearest}? Rename it, or remove it.`
}
