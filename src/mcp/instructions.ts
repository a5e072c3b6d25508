import { inWords } from '#core/language/in-words.ts'
import { mcpResource } from '#core/language/well-known.ts'
import { type ToolsetName, toolsetNames, toolsets } from '#core/toolsets.ts'
import type { Visit } from './visit.ts'

/** What a client tells its model of the server. `shown` has the tools that the visitor is shown; no other is named. */
export function instructionsFor({ scope, frame, toolset }: Visit, shown: ReadonlySet<string>): string {
  const { publicUrl } = frame.services
  const has = (...names: string[]): boolean => names.every((name) => shown.has(name))
  return [
    'Perigee checks websites, servers, certificates, domains and jobs, and alerts when they fail.',
    ...(toolset === null ? [] : whereItIs(toolset, publicUrl)),
    ...(scope === null ? strangersWords(publicUrl, shown) : [`Begin with ${beginningOf(has)}.`]),
    ...(scope !== null && has('create_monitor', 'update_monitor')
      ? ['create_monitor and update_monitor take the options of a kind in check_options.']
      : []),
    ...(has('get_monitor_kind') ? ['get_monitor_kind says which options a kind has, and what it costs.'] : []),
    'Times are in UTC, amounts in cents of US dollars.',
    ...(has('quote_monitor') ? ['quote_monitor tells a price without spending anything.'] : []),
    'A result with isError has error, message, and, if arguments were wrong, fields.',
  ].join(' ')
}

function whereItIs(toolset: ToolsetName, publicUrl: string): string[] {
  const others = toolsetNames.filter((name) => name !== toolset)
  return [
    `What is offered here ${toolsets[toolset]}.`,
    `All tools are at ${mcpResource(publicUrl)}, and other parts of them at that address followed by ` +
      `${inWords(
        others.map((name) => `/${name}`),
        'or',
      )}.`,
  ]
}

function beginningOf(has: (name: string) => boolean): string {
  const down = 'the resource perigee://down'
  const finder = ['find_monitors', 'list_monitors'].find((name) => has(name))
  return finder === undefined ? down : `${finder} or ${down}`
}

function strangersWords(publicUrl: string, shown: ReadonlySet<string>): string[] {
  const how = `${publicUrl}/auth.md says how an agent gets one.`
  if (!shown.has('create_monitor'))
    return [
      shown.size === 0
        ? `Every tool here needs a token in the header X-API-Key: ${how}`
        : `Without a token there is ${inWords([...shown])}. All other tools need a token in the header X-API-Key: ${how}`,
    ]
  const others = [...shown].filter((name) => name !== 'create_monitor' && name !== 'quote_monitor')
  return [
    `Without a token there are ${others.length === 0 ? 'two tools' : inWords([...shown])}: ` +
      'create_monitor makes a monitor that is paid for at once, in a workspace of its own, whose api_key it shows once, ' +
      'and takes the options of a kind in check_options.',
    `All other tools need that key or another token in the header X-API-Key: ${how}`,
  ]
}
