// Whom a monitor alerts, as parts of statements about the rows `monitor` and `channel` of one workspace.
import { sharesTag } from '#store/tags.ts'

/** Whether the monitor names the contact, by its id or by a tag. */
export const isNamed = `(
  coalesce(channel.id = any(monitor.alert_channel_ids), false)
  or (
    monitor.alert_channel_tags <> '{}'
    and channel.tags <> '{}'
    and ${sharesTag('channel.tags', 'monitor.alert_channel_tags')}
  )
)`

/**
 * Whether the monitor alerts all contacts: where it names none, or only by tags that no contact has, so that a tag that
 * was taken away or mistyped leaves no monitor silent. It does not depend on the contact: statements about many of them
 * look once.
 */
export const alertsAll = `case
  when monitor.alert_channel_tags = '{}' then monitor.alert_channel_ids is null
  else coalesce(cardinality(monitor.alert_channel_ids), 0) = 0 and not exists (
    select
    from alert_channels as tagged
    where tagged.workspace_id = monitor.workspace_id
      and tagged.tags <> '{}'
      and ${sharesTag('tagged.tags', 'monitor.alert_channel_tags')}
  )
end`
