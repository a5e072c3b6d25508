import type { Transaction } from '#store/database/database.ts'

/** What an escalation is about: an incident, or an episode such as the alarm of an objective. */
type Occasion = 'incident_id' | 'episode_id'

/**
 * Contacts that are told where the policy of an occasion reached none: all of the workspace that were not tried. None
 * where one was told, or is about to be.
 */
export async function readLastResort(
  { client }: Transaction,
  { workspaceId, occasion, id }: { workspaceId: string; occasion: Occasion; id: string },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>({
    name: `last_resort_${occasion}`,
    text: statements[occasion],
    values: [workspaceId, id],
  })
  return rows.map((row) => row.id)
}

// A contact that fails is tried and counts as not told: a message to it is none to rely on until it arrives.
const statementOf = (occasion: Occasion): string => `
select channel.id
from alert_channels as channel
where channel.workspace_id = $1
  and channel.enabled
  and channel.confirmed
  and not exists (
    select
    from deliveries as told
    join alert_channels as reached on reached.id = told.alert_channel_id
    where told.${occasion} = $2
      and (told.state = 'delivered' or told.state = 'pending' and reached.failing_since is null)
  )
  and not exists (
    select
    from deliveries as tried
    where tried.${occasion} = $2
      and tried.alert_channel_id = channel.id
      and tried.state <> 'dropped'
  )
order by channel.created_at, channel.id`

const statements: Readonly<Record<Occasion, string>> = {
  incident_id: statementOf('incident_id'),
  episode_id: statementOf('episode_id'),
}
