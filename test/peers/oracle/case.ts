import type { CheckConfiguration } from '#core/monitors/check.ts'
import type { ResultStatus } from '#core/results/result.ts'
import type { AnyKind } from '#kinds/kind.ts'
import type { Net } from '#net/net.ts'
import type { BlackboxModule, BlackboxVerdict } from '../../support/peers/blackbox.ts'
import type { PluginCommand, PluginState } from '../../support/peers/monitoring-plugins.ts'
import type { Reason } from './reasons.ts'

/** One target that is checked by a kind and, where they have a probe, by both oracles: a row of docs/verdicts.md. */
export type Case = {
  kind: AnyKind
  /** The difference of the target from the others of its kind; unique within the kind. */
  name: string
  check: Partial<CheckConfiguration> & { url: string }
  net?: Net
  ours: ResultStatus
  /** The error in our verdict; null for a target that is up. */
  error: RegExp | null
  plugin: { command: PluginCommand; state: PluginState } | null
  blackbox: { module: BlackboxModule; target: string; verdict: BlackboxVerdict } | null
  /** Given exactly where a verdict of an oracle is not ours. */
  why?: Reason
}

/** A case in short: what is not told follows from `error`, with which our verdict is down, and from our verdict. */
export type Wish = {
  url: string
  check?: Partial<CheckConfiguration>
  net?: Net
  ours?: ResultStatus
  error?: RegExp
  command?: PluginCommand
  state?: PluginState
  module?: BlackboxModule
  /** The url by default. */
  target?: string
  verdict?: BlackboxVerdict
  why?: Reason
}

export function toCase(kind: AnyKind, name: string, wish: Wish): Case {
  const { url, check, net, error, command, module, why } = wish
  const ours = wish.ours ?? (error === undefined ? 'up' : 'down')
  const verdict = wish.verdict ?? (ours === 'up' ? 'success' : 'failure')
  return {
    kind,
    name,
    check: { ...check, url },
    ours,
    error: error ?? null,
    plugin: command === undefined ? null : { command, state: wish.state ?? alike[ours] },
    blackbox: module === undefined ? null : { module, target: wish.target ?? url, verdict },
    ...(net === undefined ? {} : { net }),
    ...(why === undefined ? {} : { why }),
  }
}

/** The name of a row and what was, or is expected to be, found there. */
export type Row = {
  kind: string
  name: string
  ours: ResultStatus
  plugin: { program: string; state: PluginState } | null
  blackbox: BlackboxVerdict | null
  why: Reason | null
}

export function expectedRow({ kind, name, ours, plugin, blackbox, why }: Case): Row {
  return {
    kind: kind.name,
    name,
    ours,
    plugin: plugin === null ? null : { program: programOf(plugin.command), state: plugin.state },
    blackbox: blackbox?.verdict ?? null,
    why: why ?? null,
  }
}

/** With `negate` or `sh`, the plugin or client that it runs. */
export function programOf(command: PluginCommand): string {
  return (
    command
      .map((word) => /(?:(?:check|mosquitto)_\w+|amqp-\w+|rabbitmqctl)$/.exec(word)?.[0])
      .find((word) => word !== undefined) ?? command[0]
  )
}

const alike = { up: 'OK', degraded: 'WARNING', down: 'CRITICAL' } as const

/** The exporter knows no degraded. */
export function agrees({ ours, plugin, blackbox }: Pick<Row, 'ours' | 'plugin' | 'blackbox'>): boolean {
  const isPluginAlike = plugin === null || plugin.state === alike[ours]
  return isPluginAlike && (blackbox === null || blackbox === (ours === 'up' ? 'success' : 'failure'))
}
