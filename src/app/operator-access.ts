import type { Config } from '#config/config.ts'
import { mayBeProxied } from '#http/client-address.ts'
import type { SystemSources } from '#http/system-routes.ts'
import { admitsLoopback } from '#net/dial/guard.ts'
import { ensureOperatorToken, readOperatorToken } from '#store/embedded/operator-token.ts'

export type OperatorConfig = Pick<
  Config,
  'metricsToken' | 'dataFolder' | 'host' | 'port' | 'publicUrl' | 'trustedProxies' | 'allowPrivateTargets'
>

/**
 * Who counts as the operator (docs/monitoring-perigee.md). What asks from this machine may be a proxy, or a check of a
 * member's monitor where checks may reach loopback.
 */
export function operatorOf(config: OperatorConfig): Pick<SystemSources, 'operator'> {
  const { metricsToken, dataFolder, host, port, publicUrl, trustedProxies: proxies, allowPrivateTargets } = config
  ensureOperatorToken(dataFolder)
  return {
    operator: {
      readTokens: () => [metricsToken, readOperatorToken(dataFolder)].filter((token) => token !== null),
      needsToken: mayBeProxied({ host, port, publicUrl, proxies }) || admitsLoopback(allowPrivateTargets),
    },
  }
}
