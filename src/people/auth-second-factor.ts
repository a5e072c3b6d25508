import { twoFactor } from 'better-auth/plugins/two-factor'

/** A link by mail is one factor as well: a person with an authenticator app is asked for its code behind it, too. */
const linkPath = '/magic-link/verify'

/** better-auth asks for the second factor after passwords only. */
export function secondFactor() {
  const plugin = twoFactor({ issuer: 'Perigee', backupCodeOptions: { storeBackupCodes: 'encrypted' } })
  const after = plugin.hooks.after.map((hook) => ({
    ...hook,
    matcher: (context: Parameters<typeof hook.matcher>[0]) => context.path === linkPath || hook.matcher(context),
  }))
  return { ...plugin, hooks: { ...plugin.hooks, after } }
}
